// A page arrives: whole, once, or a part of it that came anew while somebody watched.

import { stored } from "../base/memory.js";
import { keepApart, person, takeBack } from "./person.js";
import { isOld, main, pad, place, queue, reach } from "./place.js";
import { intercept, ofHere } from "./saving.js";
import { flush, lookUp } from "./sending.js";

const REST = 500; // what the page itself asks for goes first

const worker = navigator.serviceWorker?.register("/sw.js").catch(() => null); // over plain http there is none

/** @type {WeakSet<Element>} */
const noticed = new WeakSet();
let isShowing = false; // whether anything has been shown of what waits

export function notice(target) {
  const isWhole = target.contains(main());
  if (isWhole && noticed.has(main())) return;
  if (isWhole) noticed.add(main());
  else reach(); // which only comes from the server
  if (isWhole || target.querySelector("#waiting")) arrive(isWhole);
}

async function arrive(isWhole) {
  const wasOld = isOld();
  if (!isWhole) delete main().dataset.seen;
  else if (wasOld) import("./seen.js").then(({ say }) => say());
  if (!wasOld) await keepApart();
  takeBack();
  fetchHome();
  listGames();
  if (isWhole) queue.release().catch(() => {}); // what somebody dropped has not come back
  const entries = await lookUp();
  if (!entries) return;
  ofHere(entries);
  flush();
  const here = place();
  if (here) await settleIn(here);
  await show();
}

// A page of a game: its saves wait where they must, and it says what it knows.
async function settleIn(here) {
  intercept(pad() || main().querySelector("form:has([name=answer])"));
  const plain = here.querySelector("[data-plain]");
  if (plain) plain.hidden = here.hidden = Boolean(navigator.serviceWorker || stored("told"));
  await queue.know(here.dataset.game, JSON.parse(here.dataset.numbers));
  if (!isOld()) fetchAhead(here);
}

// What waits is shown, where anything does or did; so is a page of a while ago, which may be of a game that
// went on.
async function show() {
  isShowing ||= isOld() || Boolean((await queue.all()).length);
  if (!isShowing) return;
  const toast = await import("./toast.js").catch(() => null);
  await toast?.show();
}

// The pages needed next, once this one has all of its own, and what shows and keeps a save without a network.
async function fetchAhead({ dataset }) {
  await new Promise((resolve) => setTimeout(resolve, REST));
  await import("./toast.js").catch(() => {});
  const isKept = Boolean(await worker);
  if (isKept && !navigator.serviceWorker.controller) return; // it comes to rule this page in a moment
  const pages = await import("./pages.js").catch(() => null);
  await pages?.fetchAhead(dataset, isKept);
}

// The first page of the app is kept too.
function fetchHome() {
  if (isOld() || !navigator.serviceWorker?.controller) return;
  import("./pages.js").then((pages) => pages.fetchHome(person())).catch(() => {});
}

// Without a network: the games whose pages are on this phone.
async function listGames() {
  const list = document.getElementById("onphone");
  const isCut = isOld() || main().dataset.person === undefined;
  if (!list || !isCut || !self.caches) return;
  const games = await import(list.dataset.script).catch(() => null);
  await games?.present(list, person());
}

// That the address begins with http was read.
export function hearTold({ target }) {
  const told = target.closest("[data-told]");
  if (!told) return;
  stored("told", "yes");
  told.closest("[data-plain]").hidden = true;
}

// The service worker rules this page from now on.
export function hearWorker() {
  fetchHome();
  if (place()) fetchAhead(place());
}

// The page that stands there is as new as the server's.
export function hearCurrent() {
  reach();
  delete main().dataset.seen;
}

// An answer to anything but a question comes from the server; a page may come from this phone.
export function hearAnswer({ detail: { xhr, requestConfig } }) {
  if (requestConfig.verb !== "get" && xhr.status) reach();
}

// What the queue has to tell: the server was reached, others may go on, or something else waits.
export function hearNews({ reached, released }) {
  if (reached) return reach();
  if (released) flush();
  return show();
}
