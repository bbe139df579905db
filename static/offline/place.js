// The state of the current page: whether it comes from the cache, where it shows waiting entries, and what
// is known of its forms.

import { memory } from "../base/memory.js";
import "../base/disk.js";
import "./box.js";
import "./outbox.js";

export const { box, outbox } = self; // of plain scripts, since the service worker loads them too
export const main = () => document.getElementById("main");
export const links = () => document.getElementById("unsent").dataset;

// The page to sign in, which leads back to this one.
export const loginFrom = () => `${links().login}?next=${encodeURIComponent(location.pathname)}`;

/** @returns {HTMLFormElement | null} */
export const pad = () => document.getElementById("entry");

// Whether the page comes from the cache, and may be outdated.
export const isOld = () => main().dataset.seen !== undefined;

// The server was reached: remove the note that there is no connection.
export const reach = () => main().querySelector(".seen")?.remove();

// The element that shows waiting entries on a page of a game; null on other pages.
export function place() {
  const waiting = document.getElementById("waiting");
  const parts = waiting?.querySelector("template")?.content.children;
  if (parts?.length) {
    waiting.append(...parts);
    window.htmx.process(waiting);
  }
  return waiting;
}

/**
 * The state of an element that shows waiting entries.
 * @typedef {object} Place
 * @property {boolean} isPad whether the page's pad is shown instead
 * @property {boolean} isAwake whether anything has been shown there
 * @property {string} heading the page's own heading while it is hidden
 */

/** @type {(here: HTMLElement) => Record<string, string>} */
const names = memory((here) => JSON.parse(here.dataset.names));

export const nameOf = (here, id) => names(here)[id] ?? id;

/** @type {(here: Element) => Place} */
export const placeOf = memory(() => ({
  isPad: false,
  isAwake: false,
  heading: "",
}));

/**
 * The state of a form whose entry is saved on this phone.
 * @typedef {object} Saving
 * @property {string} replaces the key of the refused entry that is open on it
 * @property {boolean} isPast whether it is sent past refused entries that the person has seen
 * @property {boolean} isUnkept whether the storage is full
 */

/** @type {(form: HTMLFormElement) => Saving} */
export const savingOf = memory(() => ({ replaces: "", isPast: false, isUnkept: false }));
