// When the queue is sent: soon after an entry was added, less and less often while that fails, and at once
// when the page is shown again.

import { warnings } from "../base/page.js";
import { isOld, pad, queue } from "./place.js";

const WAITS = [3000, 5000, 10000, 30000];
const LOST = [408, 429, 502, 503, 504];
export const FAILURES = ["htmx:sendError", "htmx:timeout", "htmx:responseError"];

let tries = 0;
let timer = 0;
let isAble = false;

// Whether this browser has a storage for the queue.
export const canKeep = () => isAble;

// All entries; null without a storage.
export async function lookUp() {
  const entries = await queue.all().catch(() => null);
  isAble = Boolean(entries);
  return entries;
}

function soon() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(flush, WAITS[Math.min(tries, WAITS.length - 1)]);
  tries += 1;
}

export async function flush() {
  if (isAble && (await queue.send().catch(() => 1))) soon();
}

// A new entry waits.
export function sendSoon() {
  tries = 0;
  soon();
  navigator.serviceWorker
    ?.getRegistration()
    .then((registration) => registration?.sync?.register("queue"))
    .catch(() => {});
}

// The page is shown again, or the network may be back: send, and fetch a cached page again unless it is
// being filled in.
export function wake() {
  tries = 0;
  if (document.hidden) return;
  flush();
  if (isOld() && !pad()) {
    window.htmx.ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerHTML" });
  }
}

// How a failed save waits: to be sent again, or refused if it broke something on the server. Null if the
// answer is a page that shows what is wrong.
export function refusalOf({ detail: { xhr } }) {
  const { status } = xhr;
  if (!status || LOST.includes(status)) return {};
  return status < 500 ? null : { refused: [warnings().broken], broken: true };
}
