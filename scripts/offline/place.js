// The state of the current page: whether it comes from the cache, and the element for its queued entries.

import { memory } from "../base/state.js";
import "../base/disk.js";
import "./queue.js";
import "./site.js";
import "./outbox.js";

export const { box, outbox, site } = self; // a folder has no `site`
export const main = () => document.getElementById("main");

/** @returns {HTMLFormElement | null} */
export const pad = () => document.getElementById("entry");

// Whether the page comes from the cache, and so may be outdated.
export const isOld = () => main().dataset.seen !== undefined;

// Fetch the page again. If that fails, it stays as it is, without a message.
export const renew = () =>
  window.htmx
    .ajax("GET", location.href, { target: "#main", select: "#main", swap: "outerHTML" })
    .catch(() => {});

// The server was reached: remove the note that there is no connection.
export const reach = () => main().querySelector(".seen")?.remove();

// The element for queued entries on a page of a game; null on other pages.
export function place() {
  const waiting = document.getElementById("waiting");
  const parts = waiting?.querySelector("template")?.content.children;
  if (parts?.length) {
    waiting.append(...parts);
    window.htmx?.process(waiting);
  }
  return waiting;
}

export const nameFor = (here, id) => JSON.parse(here.dataset.names)[id] ?? id;

// The state of an element for queued entries, and of the page's own form.
export const stateAt = memory(() => ({
  isPad: false, // whether the page's pad is shown instead
  isAwake: false, // whether anything has been shown there
  heading: [], // the nodes of the page's own heading while it is hidden
  title: "", // the title of the round that was begun on the pad
  replaces: "", // the key of the refused entry that is open on the pad
  isPast: false, // whether the form is sent past refused entries that the user has seen
}));
