/* e84d419e8edb40be4b39b6aedee56c66234af50cfc9f3630539cbe7a4d28482a */
var e=new URL("../..",import.meta.url);location.replace(`${e}#/${location.href.slice(e.href.length)}`);
