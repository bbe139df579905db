// The page that an address of the folder names behind `#`.

// Returns its address below the folder: "g/abc/", or "shown/#…" for a game in a link.
export const behind = (hash) => hash.replace(/^#\/*/, "").replace(/^shown\/(?=.)/, "shown/#");
