// From when a page is that did not come from the server just now, at its heading.

import { isOld, main, words } from "./place.js";

const TODAY = 12 * 3600 * 1000; // for so long a time of day says enough

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
/** @type {Intl.DateTimeFormatOptions} */
const DAY = { day: "numeric", month: "numeric" };

// Such a time in the page's language, with its day where that is another one.
export function timeOf(text) {
  const at = new Date(text);
  const told = Date.now() - at.getTime() > TODAY ? { ...DAY, ...CLOCK } : CLOCK;
  return at.toLocaleString(document.documentElement.lang, told);
}

export function say() {
  if (!isOld()) return; // it came anew meanwhile
  const note = document.createElement("small");
  note.className = "seen";
  note.textContent = words().seen.replace("{time}", timeOf(main().dataset.seen));
  main().querySelector("h1").append(note);
}
