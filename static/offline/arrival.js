// What happens when a page arrives, whole or as a refreshed part of it.

import { stored } from "../base/memory.js";
import { entriesIn } from "./entries.js";
import { keepApart, person } from "./person.js";
import { box, isOld, main, pad, place, reach } from "./place.js";
import { intercept, ofHere } from "./saving.js";
import { flush, lookUp, refresh } from "./sending.js";

const REST = 500; // the requests of the page itself go first

const worker = navigator.serviceWorker?.register("/sw.js").catch(() => null); // there is none over plain http

/** @type {WeakSet<Element>} */
const noticed = new WeakSet();
let isShowing = false; // whether waiting entries have been shown
let isReached = false; // whether the server was reached since the page was shown

export function notice(target) {
  const isWhole = target.contains(main());
  if (isWhole && noticed.has(main())) return;
  if (isWhole) noticed.add(main());
  else reach(); // parts come only from the server
  if (isWhole || target.querySelector("#waiting")) arrive(isWhole);
}

async function arrive(isWhole) {
  const wasOld = isOld();
  if (!isWhole) delete main().dataset.seen;
  else if (wasOld) sayWhen();
  if (!wasOld) await keepApart();
  fetchHome();
  listGames();
  const unsent = await lookUp();
  if (!unsent) return;
  ofHere(entriesIn(unsent));
  flush();
  const here = place();
  if (here) await settleIn(here);
  isShowing ||= isOld() || unsent.length > 0;
  await show();
  const [, refused] = /^#open=(.+)/.exec(location.hash) ?? [];
  if (isWhole && refused) import("./opening.js").then(({ open }) => open(decodeURIComponent(refused)));
}

async function sayWhen() {
  const toast = await import("./toast.js").catch(() => null);
  toast?.say();
}

// On a page of a game: intercept its saves, and store the numbers that it prints.
async function settleIn(here) {
  intercept(pad() || main().querySelector("form:has([name=answer])"));
  const plain = here.querySelector("[data-plain]");
  if (plain) plain.hidden = here.hidden = Boolean(navigator.serviceWorker || stored("told"));
  await box.know(here.dataset.game, JSON.parse(here.dataset.numbers));
  if (!isOld()) fetchAhead(here);
}

// Show the waiting entries if there are or were any. A page from the cache shows its game as it is known
// now.
async function show() {
  if (!isShowing) return;
  const toast = await import("./toast.js").catch(() => null);
  await toast?.show();
}

// Fetch the pages needed next, and the scripts that show and keep a save without a network.
async function fetchAhead({ dataset }) {
  await new Promise((resolve) => setTimeout(resolve, REST));
  await import("./toast.js").catch(() => {});
  const isKept = Boolean(await worker);
  // the worker takes control of this page in a moment
  if (isKept && !navigator.serviceWorker.controller) return;
  const pages = await import("./pages.js").catch(() => null);
  await pages?.fetchAhead(dataset, isKept);
}

// Have the home page cached too.
function fetchHome() {
  if (isOld() || !navigator.serviceWorker?.controller) return;
  import("./pages.js").then((pages) => pages.fetchHome(person())).catch(() => {});
}

// Without a network, list the games whose pages are on this phone.
async function listGames() {
  const list = document.getElementById("onphone");
  const isCut = isOld() || main().dataset.person === undefined;
  if (!list || !isCut || !self.caches) return;
  const games = await import(list.dataset.script).catch(() => null);
  await games?.present(list, person());
}

// Remember that the note about plain http was read.
export function hearTold({ target }) {
  const button = target.closest("[data-told]");
  if (!button) return;
  stored("told", "yes");
  button.closest("[data-plain]").hidden = true;
}

// The service worker controls this page from now on.
export function hearWorker() {
  fetchHome();
  if (place()) fetchAhead(place());
}

// The page shown is as new as the server's.
export function hearCurrent() {
  reach();
  delete main().dataset.seen;
}

// The answer to a POST comes from the server; a page may come from the cache.
export function hearAnswer({ detail: { xhr, requestConfig } }) {
  if (requestConfig.verb !== "get" && xhr.status) reach();
}

// Handle news of the outbox: the server was reached, or other entries wait. The list of games has totals of
// what waited and no poll, so it is fetched again once that was sent.
export function hearNews({ reached }) {
  isReached ||= Boolean(reached);
  if (reached) return reach();
  if (isReached && document.getElementById("onphone")) refresh();
  isShowing = true;
  return show();
}
