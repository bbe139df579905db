// On every page of a folder without a site: answer the service worker, and say when its start takes
// long.

import { warn, messages } from "../base/page.js";
import { serve } from "./lead.js";
import "./saving.js";
import { behind, folder } from "./store.js";

const STILL = 3000;
const LONGEST = 300000; // longer than the service worker waits

// After another window was closed, the first request starts the engine.
function onSend({ detail: { xhr, target } }) {
  xhr.timeout = LONGEST;
  if (target.id !== "main") return;
  const reminder = setTimeout(() => warn(messages().slow), STILL);
  xhr.addEventListener("loadend", () => {
    clearTimeout(reminder);
    if (document.getElementById("trouble").textContent === messages().slow) warn();
  });
}

document.addEventListener("htmx:beforeSend", onSend);
// A link into the folder, opened over its first page, changes only the part behind `#`.
window.addEventListener("hashchange", () => {
  if (!location.hash.startsWith("#/")) return;
  location.replace(new URL(`./${behind(location.hash)}`, location.origin + folder));
});
serve();
