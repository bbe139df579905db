// The page of a host for an address without a file (404.html): a page of the app opens in the folder.

const folder = new URL("../..", import.meta.url);
location.replace(`${folder}#/${location.href.slice(folder.href.length)}`);
