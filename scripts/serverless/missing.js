// The page of a host for an address without a file (404.html). A page of the app opens in the folder instead.

const folder = new URL("../..", import.meta.url);
location.replace(`${folder}#/${location.href.slice(folder.href.length)}`);
