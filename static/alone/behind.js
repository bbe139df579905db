// The page that an address of the folder names behind `#`, as its address below the folder: "g/abc/".

export const behind = (hash) => hash.replace(/^#\/*/, "");
