// The folder without a server that this site serves (/solo/). A button on the first page downloads it.
// Without a network, a link on a page that cannot be shown, or after a new game or a rematch that failed,
// leads to it: to its form of a new table, filled in with the last opened table (`initial_query` in
// games/play/presenters/new_game_form.py). Nothing else is shared: its tables reach the site as files.

import { stored } from "../base/state.js";
import { FAILURES, warn } from "../base/page.js";
import { piece } from "../base/dom.js";
import { main, site } from "./place.js";

const QUERY = "solo:query";
const LOST = [0, 502, 503, 504];
const NEW_GAME = /^\/(t\/[\w-]+\/)?new\/|\/rematch\/$/;

/** @type {HTMLAnchorElement | null} */
const link = document.querySelector("#solo"); // only where the site serves the folder
const folder = link?.href;

// The service worker of the folder, if all its files are cached.
async function here() {
  const known = await navigator.serviceWorker?.getRegistration(folder).catch(() => null);
  return known?.scope === folder ? known.active : null;
}

async function offer() {
  if (!(await here())) return;
  const query = stored(QUERY);
  link.href = query ? `${folder}#/new/?${query}` : folder;
  link.hidden = false;
  warn(); // hides the message: the link says more
}

function onFailure({ detail: { xhr, requestConfig } }) {
  const { pathname } = new URL(requestConfig.path, location.href);
  const isLost = LOST.includes(xhr.status) || site.isForeign(xhr);
  if (isLost && NEW_GAME.test(pathname)) offer();
}

async function download(box, button) {
  button.disabled = true;
  const bar = piece("progress");
  bar.value = 0;
  box.append(bar);
  navigator.serviceWorker.addEventListener("message", ({ data: { got } }) => {
    if (got) bar.value = got;
  });
  const known = await navigator.serviceWorker.register(`${folder}sw.js`).catch(() => null);
  const worker = known?.installing ?? known?.waiting ?? known?.active;
  worker?.addEventListener("statechange", () => present(box));
  if (!worker) present(box);
}

// Shows the button, unless the folder is downloaded already, is being downloaded, or cannot be.
async function present(box) {
  const button = box.querySelector("button");
  const known = await navigator.serviceWorker?.getRegistration(folder).catch(() => null);
  const isComing = known?.scope === folder && Boolean(known.installing);
  if (isComing) return;
  const isHere = Boolean(await here());
  box.querySelector("progress")?.remove();
  if (isHere && button.disabled) box.append(piece("p", "soft", box.dataset.done));
  button.disabled = false;
  button.hidden = isHere || !navigator.serviceWorker;
  button.onclick = () => download(box, button);
}

function arrive() {
  link.hidden = true;
  if (main().matches(".cut")) offer();
  /** @type {HTMLElement | null} */
  const box = document.querySelector("[data-download]");
  if (!box) return;
  if (box.dataset.download) stored(QUERY, box.dataset.download);
  present(box);
}

if (link) {
  for (const name of FAILURES) document.addEventListener(name, onFailure);
  document.addEventListener("htmx:load", arrive);
  arrive();
}
