// The database of a folder without a site, which is the only copy of its tables. Its name has the folder's
// path, so that several folders on one host do not touch each other.

/**
 * @typedef {object} Kept
 * @property {string} release that wrote the database last
 * @property {number} [saves] how often it was written; none before the first save
 * @property {Uint8Array} [bytes] missing only before the first save
 * @property {Record<string, string>} cookies the chosen language and theme
 */

import "../base/disk.js";

const BOOK = "book";
export const folder = new URL("../..", import.meta.url).pathname;
const run = self.openDisk(`anotador ${folder}`);

// The page that an address of the folder names behind `#`, as its address below the folder: "g/abc/".
export const behind = (hash) => hash.replace(/^#\/*/, "");

// Another window wrote the database since this one read it.
export class Overtaken extends Error {}

/** @returns {Promise<Kept | undefined>} */
export const read = () => run("readonly", (store) => store.get(BOOK));

/**
 * Store the database in place of the one that was read. Resolves once the disk has it. A window that lost the
 * lead without noticing cannot overwrite what the next one stored.
 * @param {Kept} kept
 * @param {number} [saves] the number of saves that was read
 */
export async function write(kept, saves) {
  let isOvertaken = false;
  const act = (store) => {
    const request = store.get(BOOK);
    request.onsuccess = () => {
      // Without anything there somebody removed the browser's data, and this is all there is.
      isOvertaken = request.result && request.result.saves !== saves;
      if (!isOvertaken) store.put(kept, BOOK);
      request.transaction.commit?.();
    };
    return request;
  };
  await run("readwrite", act);
  if (isOvertaken) throw new Overtaken();
}
