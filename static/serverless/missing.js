/* 101d272fd80dd86041a38feb38fba077c167ccfe0cb242d2de66dd76f4b28ff5 */
var e=new URL("../..",import.meta.url);location.replace(`${e}#/${location.href.slice(e.href.length)}`);
