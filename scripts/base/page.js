// Set-up of every page after htmx has swapped it in: focus, and scroll to the newest round. Only the site's
// answers are swapped in.

import { stored } from "./state.js";

export const FAILURES = ["htmx:sendError", "htmx:timeout", "htmx:responseError"];

let resting = 0; // the timer that ends the pause for keys

/** @type {WeakSet<HTMLElement>} */
const moving = new WeakSet();

// The notices stand above the foot of the page, also of one that was just swapped in.
const notices = document.getElementById("notices");

export function placeNotices() {
  const feet = [...document.querySelectorAll("main > :is(.undo, .brief), .dock, .tabs")];
  const foot = feet.find((one) => !one.closest("[hidden]"));
  if (!foot) document.getElementById("main").append(notices);
  else if (foot.previousElementSibling !== notices) foot.before(notices);
}

document.addEventListener("htmx:afterSwap", placeNotices);

function arrive(root) {
  // Open a sheet with a refusal or with a choice made in it.
  const sheets = root.querySelectorAll("div.sheetover:not([popover])");
  for (const sheet of sheets) {
    sheet.popover = "auto";
    sheet.showPopover?.();
  }
  for (const box of root.querySelectorAll("[data-scroll-end]")) box.scrollTop = box.scrollHeight;
  for (const element of root.querySelectorAll("[data-once]")) moveOnce(element);
  // A page reloaded while in use keeps its focus, and an open sheet gets it.
  if (root.id === "main" && !sheets.length && !root.contains(document.activeElement)) {
    root.querySelector("h1")?.focus({ preventScroll: true });
  }
}

// Plays an animation for an event only once on a phone, without stopping it if the same page is processed
// again.
function moveOnce(element) {
  if (moving.has(element)) return;
  moving.add(element);
  const key = `moved:${element.dataset.once}`;
  if (stored(key)) delete element.dataset.once;
  stored(key, "1");
}

const trouble = () => document.getElementById("trouble");

// The messages for the scripts of a part of the page; without a part, those of every page.
/** @type {(part?: HTMLElement) => Record<string, string>} */
export const messages = (part = trouble()) => JSON.parse(part.dataset.words);

// Shows a message about the last tap, perhaps with a key; without a text, hides it.
export function warn(text = "", ...keys) {
  // A sheet would cover the message.
  if (text) for (const sheet of document.querySelectorAll("[popover]")) sheet.hidePopover?.();
  trouble().replaceChildren(text, ...keys);
  trouble().hidden = !text;
}

/** @type {WeakSet<XMLHttpRequest>} */
const sent = new WeakSet(); // requests with a complete upload
export const wasSent = (xhr) => sent.has(xhr);

// Whether the site itself sent this answer. A folder without a site gets no others.
export const isOurs = async (answer) => !self.site || self.site.isOurs(answer);

/** @type {WeakMap<XMLHttpRequest, number>} */
const places = new WeakMap(); // the scroll position when a form that stays on its page was sent

const body = () =>
  document.querySelector("main > .sheetform > .body") ?? document.querySelector("main > .body");
document.addEventListener("htmx:load", (event) => arrive(event.target));
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { xhr, requestConfig } = detail;
  // Over the rate limit nothing is swapped in: the page stays, with everything typed.
  if (detail.swapOverride === "none") Object.assign(detail, { isError: true, shouldSwap: false });
  // After a form that stays on its page, the scroll position is kept, or the page scrolls to the form's
  // refusal.
  if (requestConfig.elt.closest("[data-in-place]")) places.set(xhr, body().scrollTop);
  // Do not scroll to the top of the page, as after other forms.
  if (xhr.status === 422 && / autofocus/.test(xhr.responseText)) detail.swapOverride = "outerHTML";
});
const REFUSAL = "#asked, form:not(#entry) :is(.errors, .wrong:not(:empty))";

// The first refusal of a form may be out of sight: above, below its closer, or in a fold.
function showRefusal() {
  /** @type {HTMLElement | null} */
  const refusal = document.querySelector(REFUSAL);
  refusal?.scrollIntoView({ block: "nearest" });
  if (!refusal || document.querySelector("main [autofocus]")) return;
  refusal.tabIndex = -1;
  refusal.focus({ preventScroll: true });
}

document.addEventListener("htmx:afterSwap", ({ detail: { xhr } }) => {
  if (/409|422/.test(xhr?.status)) showRefusal();
  if (!places.has(xhr) || !body()) return;
  body().scrollTop = places.get(xhr);
  document.querySelector("#debts :is(.notice, .errors)")?.scrollIntoView({ block: "nearest" });
});
// The second tap of a double tap was not meant for the new page. So keys that record ignore taps for a moment
// (states.css).
document.addEventListener("htmx:afterSwap", ({ detail: { requestConfig } }) => {
  if (!requestConfig?.elt.matches("form[method=post]")) return;
  const pause = document.querySelector("[data-quick]") ? 300 : 700;
  document.body.classList.add("rests");
  clearTimeout(resting);
  resting = setTimeout(() => document.body.classList.remove("rests"), pause);
});
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.id !== "consequences") warn();
});
// A page is swapped in if it is the site's, and once its own styles are loaded. They are added to the head
// without effect until the swap. An answer of something else counts as none.
const LINK = /<link rel="stylesheet" href="(.+?)"/g;

/** @type {Map<string, HTMLLinkElement>} */
const styles = new Map();

const stylesheet = (href) =>
  new Promise((resolve) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", media: "not all", href });
    link.onload = link.onerror = resolve;
    setTimeout(resolve, 3000); // if the network died meanwhile, neither event may come
    styles.set(href, link);
    document.head.append(link);
  });

document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => {
  const swap = xhr.onload;
  xhr.onload = async () => {
    if (!(await isOurs(xhr))) return xhr.onerror();
    const named = [...xhr.responseText.matchAll(LINK)].map(([_link, href]) => href);
    const missing = named.filter((href) => !document.head.querySelector(`link[href="${href}"]`));
    if (missing.length) await Promise.all(missing.map(stylesheet));
    swap();
  };
});
document.addEventListener("htmx:afterSwap", () => {
  for (const [href, link] of styles) {
    link.media = document.querySelector(`main link[href="${href}"]`) ? "all" : "not all";
  }
});
// Firefox fires `load` for an upload only once the answer begins.
document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => {
  const note = ({ loaded, total }) => {
    if (loaded === total) sent.add(xhr);
  };
  Object.assign(xhr.upload, { onload: note, onprogress: note });
});
document.addEventListener("click", () => warn());
placeNotices();
arrive(document.body);
