/* 2882a7d81d78a4cb8d11473ed0a5df39de69cf93db321dd285f1444c184cdad0 */
var e=new URL("../..",import.meta.url);location.replace(`${e}#/${location.href.slice(e.href.length)}`);
