// The database of a folder without a site, which is the only copy of its tables. Its name has the folder's
// path, so that several folders on one host do not touch each other.

/**
 * @typedef {object} Kept
 * @property {string} release the last one to write the database
 * @property {number} [saves] the number of writes; missing before the first save
 * @property {Uint8Array} [bytes] missing only before the first save
 * @property {Record<string, string>} cookies the chosen language and theme
 */

import "../base/disk.js";

const BOOK = "book";
export const folder = new URL("../..", import.meta.url).pathname;
const run = self.openDisk(`anotador ${folder}`);

// The page that an address of the folder has behind `#`, relative to the folder: "g/abc/".
export const behind = (hash) => hash.replace(/^#\/*/, "");

// Another window has written the database since this one read it.
export class Overtaken extends Error {}

/** @returns {Promise<Kept | undefined>} */
export const read = () => run("readonly", (store) => store.get(BOOK));

/**
 * Replace the loaded database by this one. Resolves once it is on disk. A window that lost the
 * lead without noticing cannot overwrite newer data.
 * @param {Kept} kept
 * @param {number} [saves] the number of saves that was loaded
 */
export async function write(kept, saves) {
  let isOvertaken = false;
  const act = (store) => {
    const request = store.get(BOOK);
    request.onsuccess = () => {
      // An empty store means that the browser's data was deleted, and this copy is all there is.
      isOvertaken = request.result && request.result.saves !== saves;
      if (!isOvertaken) store.put(kept, BOOK);
      request.transaction.commit?.();
    };
    return request;
  };
  await run("readwrite", act);
  if (isOvertaken) throw new Overtaken();
}
