/* 5823e4bc4b640e9fcd47ca08880900fc5e2965b64ef4f30ae234414602fade73 */
var e=new URL("../..",import.meta.url);location.replace(`${e}#/${location.href.slice(e.href.length)}`);
