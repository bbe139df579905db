// The note at the heading of a cached page: when it was fetched.

import { isOld, main, words } from "./place.js";

const TODAY = 12 * 3600 * 1000; // so recent that the time of day is enough

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
/** @type {Intl.DateTimeFormatOptions} */
const DAY = { day: "numeric", month: "numeric" };

// A time as the page's region writes it, with the day unless it is recent.
export function timeOf(text) {
  const at = new Date(text);
  const format = Date.now() - at.getTime() > TODAY ? { ...DAY, ...CLOCK } : CLOCK;
  return at.toLocaleString(main().dataset.locale ?? document.documentElement.lang, format);
}

export function say() {
  if (!isOld()) return; // a newer one has arrived
  const note = document.createElement("small");
  note.className = "seen";
  note.textContent = words().seen.replace("{time}", timeOf(main().dataset.seen));
  main().querySelector("h1").append(note);
}
