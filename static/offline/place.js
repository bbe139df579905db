// What the page that stands there says of itself: when it was kept, where it shows what waits, what is known
// there.

import { memory } from "../base/memory.js";
import "./queue.js";

/** @import { Waiting } from "./queue.js" */

export const { queue } = self; // a plain script's, since the service worker loads it too
export const main = () => document.getElementById("main");
export const words = () => document.getElementById("unsent").dataset;

/** @returns {HTMLFormElement | null} */
export const pad = () => document.getElementById("entry");

// Whether the page was kept on this phone, and may be of a while ago.
export const isOld = () => main().dataset.seen !== undefined;

// The server was reached: that there is no connection is no news any more.
export const reach = () => main().querySelector(".seen")?.remove();

// Where a page of a game shows what waits, if it is one that could.
export function place() {
  const found = document.getElementById("waiting");
  const parts = found?.querySelector("template")?.content.children;
  if (parts?.length) {
    found.append(...parts);
    window.htmx.process(found);
  }
  return found;
}

/**
 * What is known of a place where what waits is shown.
 * @typedef {object} Place
 * @property {boolean} isPad whether the page's own pad is seen, and not what waits
 * @property {boolean} isAwake whether anything has been shown there
 * @property {Waiting | null} dropped what was dropped last and may come back
 * @property {string} heading what the page is called while it is hidden
 * @property {string} given the seats the pad was given last, as text
 */

/** @type {(here: HTMLElement) => Record<string, string>} */
const names = memory((here) => JSON.parse(here.dataset.names));

export const nameOf = (here, id) => names(here)[id] ?? id;

/** @type {(here: Element) => Place} */
export const placeOf = memory(() => ({
  isPad: false,
  isAwake: false,
  dropped: null,
  heading: "",
  given: "",
}));

/**
 * What is known of a form whose entry is saved here.
 * @typedef {object} Saving
 * @property {Waiting | null} replaces what was refused before, and is open on it
 * @property {boolean} isPast whether it goes past what was refused, which somebody has looked at
 * @property {boolean} isUnkept whether there is no room for it here
 */

/** @type {(form: HTMLFormElement) => Saving} */
export const savingOf = memory(() => ({ replaces: null, isPast: false, isUnkept: false }));
