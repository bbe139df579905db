// What waits goes out by itself: soon after it was kept, less and less often where that fails, and at once
// when somebody looks again.

import { warnings } from "../base/page.js";
import { isOld, pad, queue } from "./place.js";

const WAITS = [3000, 5000, 10000, 30000];
const LOST = [408, 429, 502, 503, 504];
export const FAILURES = ["htmx:sendError", "htmx:timeout", "htmx:responseError"];

let tries = 0;
let timer = 0;
let isAble = false;

// Whether anything can be kept on this phone at all.
export const canKeep = () => isAble;

// All that waits; null where nothing can.
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

// Something new waits.
export function sendSoon() {
  tries = 0;
  soon();
  navigator.serviceWorker
    ?.getRegistration()
    .then((found) => found?.sync?.register("queue"))
    .catch(() => {});
}

// Somebody looks again, or the network may be back: a page of a while ago is asked for anew, unless it is
// being filled in.
export function wake() {
  tries = 0;
  if (document.hidden) return;
  flush();
  if (isOld() && !pad()) {
    window.htmx.ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerHTML" });
  }
}

// How what could not be sent waits: to be sent again, or, where it broke something, to be looked at first.
// Null where the page says itself what is wrong.
export function refusalOf({ detail: { xhr } }) {
  const { status } = xhr;
  if (!status || LOST.includes(status)) return {};
  return status < 500 ? null : { refused: [warnings().broken], broken: true };
}
