/* 9249b10b3af374789bab53533386b8e837e87bcd2a472915443be168ba9cc5d1 */
var e=new URL("../..",import.meta.url);location.replace(`${e}#/${location.href.slice(e.href.length)}`);
