// Saves that the leading window took: until the answer comes, each may be recorded at any moment. The page
// says so; without an answer it says to look before repeating the save. The form stays.

import { FAILURES, warn, warnings } from "../base/page.js";
import "../offline/box.js";

const STILL = 3000;
const LONGEST = 300000; // the service worker gives up before that, or the browser ends it
const UNKNOWN = [0, 504];

/** @type {Map<string, XMLHttpRequest>} */
const posted = new Map(); // the last one to each address
/** @type {WeakSet<XMLHttpRequest>} */
const taken = new WeakSet();

const isUnknown = (xhr) => taken.has(xhr) && UNKNOWN.includes(xhr.status);

// The sentences come with the app, since only phones that carry it need them. An older release has none.
async function sentences() {
  const { shell } = await self.box.get("said");
  const html = await (await caches.match(shell)).text();
  return new DOMParser().parseFromString(html, "text/html").documentElement.dataset;
}

// The service worker says that the window took the form of this address.
function follow({ data: { taken: address } }) {
  const xhr = posted.get(address);
  if (!xhr || xhr.readyState === XMLHttpRequest.DONE) return;
  taken.add(xhr);
  xhr.timeout = LONGEST; // the page's own is far shorter
  const box = document.getElementById("trouble");
  /** @type {DOMStringMap} */
  let words = {};
  sentences().then(
    (come) => {
      words = come;
    },
    () => {},
  );
  const reminder = setInterval(() => box.hidden && warn(words.still), STILL);
  xhr.addEventListener("loadend", () => {
    clearInterval(reminder);
    const isOfGame = new URL(address).pathname.startsWith("/g/");
    if (isUnknown(xhr)) warn((isOfGame && words.look) || warnings().unheard);
    else if (box.textContent === words.still) warn();
  });
}

// An unknown fate is no failure: the form neither joins the outbox nor counts as lost.
function hearFailure(event) {
  if (isUnknown(event.detail.xhr)) event.stopImmediatePropagation();
}

document.addEventListener("htmx:beforeSend", ({ detail: { xhr, requestConfig } }) => {
  if (requestConfig.verb === "post") posted.set(new URL(requestConfig.path, location.href).href, xhr);
});
navigator.serviceWorker.addEventListener("message", follow);
for (const name of FAILURES) window.addEventListener(name, hearFailure, true);
