// When the outbox is sent: soon after an entry was added, less and less often while that fails, and at once
// when the page is shown again.

import { person } from "./person.js";
import { box, isOld, outbox, pad } from "./place.js";

const WAITS = [3000, 5000, 10000, 30000];

let tries = 0;
let timer = 0;
let isAble = false;
let isKept = false; // the browser was asked not to remove what waits

// What waits of the person; null without a storage.
export async function lookUp() {
  const known = await box.unsent(person()).catch(() => null);
  isAble = Boolean(known);
  return known;
}

function soon() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(flush, WAITS[Math.min(tries, WAITS.length - 1)]);
  tries += 1;
}

export async function flush() {
  if (!isAble) return;
  if (!(await outbox.send().catch(() => 1))) return;
  soon();
  register();
}

// Have the browser send while no page is open.
function register() {
  navigator.serviceWorker
    ?.getRegistration()
    .then((registration) => registration?.sync?.register("queue"))
    .catch(() => {});
}

// Other entries wait: send them, and ask the browser not to remove it meanwhile.
export function sendSoon() {
  if (!isKept) navigator.storage?.persist?.().catch(() => {});
  isKept = true;
  tries = 0;
  register();
  flush();
}

// The page is shown again, or the network may be back: send, and fetch a cached page again unless it is
// being filled in.
export function wake() {
  tries = 0;
  if (document.hidden) return;
  flush();
  refresh();
}

// Fetch a page from the cache again.
export function refresh() {
  if (!isOld() || pad()) return;
  window.htmx.ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerHTML" });
}
