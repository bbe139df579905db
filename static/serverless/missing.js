/* 63714f681c872d3f8bf636bb340556f58411c81bc9c6c188aab1df84454ddbaa */
var e=new URL("../..",import.meta.url);location.replace(`${e}#/${location.href.slice(e.href.length)}`);
