// Files created on the phone: a text under two names, and the download of a file.

// Returns the same text under two names, because few share sheets accept JSON.
/** @type {(text: string, name: string) => File[]} */
export const buildFiles = (text, name) => [
  new File([text], `${name}.json`, { type: "application/json" }),
  new File([text], `${name}.txt`, { type: "text/plain" }),
];

/** @type {(file: File) => void} */
export function download(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
