// Pages and saves that the leading window took. The engine may need longer than a page waits for the site, so
// the page waits on and says so. Until the answer comes, a save may be recorded at any moment; without an
// answer the page says to look before repeating it, and the form stays.

import { FAILURES, warn, warnings } from "../base/page.js";
import "../offline/box.js";

const STILL = 3000;
const LONGEST = 300000; // the service worker gives up before that, or the browser ends it
const UNKNOWN = [0, 504];
const FULL = 507; // of the engine

/** @type {Map<string, { xhr: XMLHttpRequest, verb: string }>} */
const asked = new Map(); // the last request to each address that has no answer yet
/** @type {WeakSet<XMLHttpRequest>} */
const taken = new WeakSet(); // saves

const isUnknown = (xhr) => taken.has(xhr) && UNKNOWN.includes(xhr.status);

// The sentences come with the app, since only phones that carry it need them. An older release has none.
/** @returns {Promise<Record<string, string | undefined>>} */
async function sentences() {
  const { shell } = await self.box.get("said");
  const html = await (await caches.match(shell)).text();
  const page = new DOMParser().parseFromString(html, "text/html");
  return { ...page.documentElement.dataset, opening: page.querySelector("[role=status]").textContent };
}

// The service worker says that the window took the request to this address. One of an older release says so
// of saves only.
function follow({ data: { taken: address, isSave = true } }) {
  const { xhr, verb } = asked.get(address) ?? {};
  if (!xhr) return;
  if (isSave) taken.add(xhr);
  xhr.timeout = LONGEST; // the page's own is far shorter
  const box = document.getElementById("trouble");
  /** @type {Record<string, string | undefined>} */
  let words = {};
  let waiting = "";
  sentences().then(
    (come) => {
      words = come;
      if (isSave) waiting = come.still;
      else if (verb === "get") waiting = come.opening; // a preview has no sentence
    },
    () => {},
  );
  const reminder = setInterval(() => box.hidden && warn(waiting), STILL);
  xhr.addEventListener("loadend", () => {
    clearInterval(reminder);
    const isOfGame = new URL(address).pathname.startsWith("/g/");
    if (isUnknown(xhr)) warn((isOfGame && words.look) || warnings().unheard);
    else if (xhr.status === FULL) warn(words.full);
    else if (waiting && box.textContent === waiting) warn();
  });
}

// An unknown fate is no failure: the form neither joins the outbox nor counts as lost.
function hearFailure(event) {
  if (isUnknown(event.detail.xhr)) event.stopImmediatePropagation();
}

document.addEventListener("htmx:beforeSend", ({ detail: { xhr, requestConfig, pathInfo } }) => {
  const { href } = new URL(pathInfo.finalRequestPath, location.href);
  asked.set(href, { xhr, verb: requestConfig.verb });
  xhr.addEventListener("loadend", () => {
    if (asked.get(href)?.xhr === xhr) asked.delete(href);
  });
});
navigator.serviceWorker.addEventListener("message", follow);
for (const name of FAILURES) window.addEventListener(name, hearFailure, true);
