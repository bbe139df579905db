// Whether what waits may be removed by the browser: without a promise, WebKit does so after days without a
// visit, the others when the disk is full.

/** @import { Entry } from "./entries.js" */

const DAY = 24 * 60 * 60 * 1000;
const PATIENCE = 1000;
let isAsked = false;

// Ask the browser to keep what waits, once something does. Firefox answers only when the person has.
async function ask({ length }) {
  if (isAsked || length > 1) return false;
  isAsked = true;
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, false));
  return Promise.race([navigator.storage?.persist?.(), late]);
}

/** @param {Entry[]} entries */
export async function isAtRisk(entries) {
  if (!entries.length || (await navigator.storage?.persisted?.()) || (await ask(entries))) return false;
  const isWebKit = navigator.vendor.startsWith("Apple");
  return isWebKit || entries.some(({ fact: { at } }) => Date.now() - Date.parse(at) > DAY);
}
