// Work without a network: the service worker, saves that wait and are sent by themselves, cached pages, and
// nothing left for the next person. This file says what happens when a page arrives, whole or as a refreshed
// part of it, and connects events with the modules that handle them.

import { goOut, isAway, keepApart, meet, person } from "./person.js";
import { box, isOld, main, outbox, place, reach } from "./place.js";
import { flush, lookUp, refresh, sendSoon, wake } from "./sending.js";

const REST = 500; // the requests of the page itself go first

navigator.serviceWorker?.register("/sw.js").catch(() => {}); // there is none over plain http

/** @type {WeakSet<Element>} */
const noticed = new WeakSet();
let isShowing = false; // whether waiting entries have been shown
let isReached = false; // whether the server was reached since the page was shown

function notice(target) {
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
  keepHome();
  const unsent = await lookUp();
  if (!unsent) return;
  flush();
  const here = place();
  if (here) await settleIn(here);
  isShowing ||= isOld() || unsent.length > 0 || Boolean(document.getElementById("kept"));
  await show();
  const [, refused] = /^#open=(.+)/.exec(location.hash) ?? [];
  if (isWhole && refused) import("./onpad.js").then(({ open }) => open(decodeURIComponent(refused)));
}

function keepHome() {
  if (!navigator.serviceWorker?.controller) return;
  import("./home.js").then(({ fetchHome }) => fetchHome(person())).catch(() => {});
}

async function sayWhen() {
  const toast = await import("./toast.js").catch(() => null);
  toast?.say();
}

// On a page of a game: store the numbers that it prints.
async function settleIn(here) {
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

// Fetch the scripts that show and keep a save without a network, and for the cache of the service worker the
// pages of this game that are needed next, the entry of the next round first.
async function fetchAhead({ dataset }) {
  await new Promise((resolve) => setTimeout(resolve, REST));
  await import("./toast.js").catch(() => {});
  if (!navigator.serviceWorker) await import(dataset.script).catch(() => {}); // a worker has it in its cache
  if (!navigator.serviceWorker?.controller) return; // it takes control in a moment
  for (const address of dataset.ahead?.split(" ") ?? []) await fetch(address).catch(() => {});
}

// The service worker controls this page from now on.
function hearWorker() {
  keepHome();
  if (place()) fetchAhead(place());
}

// The page shown is as new as the server's.
function hearCurrent() {
  reach();
  delete main().dataset.seen;
}

// The answer to a POST comes from the server; a page may come from the cache.
function hearAnswer({ detail: { xhr, requestConfig } }) {
  if (requestConfig.verb !== "get" && xhr.status) reach();
  if (!xhr.getResponseHeader("X-Access")) return;
  const gone = new URL(requestConfig.path, location.href).pathname;
  navigator.serviceWorker?.controller?.postMessage({ gone });
}

// Handle news of the outbox: the server was reached, or other entries wait. The first page has no poll, so it
// is fetched again once what waited was sent.
function hearNews({ reached, person: mark }) {
  isReached ||= Boolean(reached);
  if (reached) {
    meet(mark);
    reach();
    return isAway() ? show() : null;
  }
  if (isReached && location.pathname === "/") refresh();
  isShowing = true;
  sendSoon();
  return show();
}

document.addEventListener("submit", goOut);
document.addEventListener("visibilitychange", wake);
document.addEventListener("live:current", hearCurrent);
document.addEventListener("htmx:load", ({ target }) => notice(target));
document.addEventListener("htmx:afterRequest", hearAnswer);
window.addEventListener("online", wake);
window.addEventListener("pageshow", ({ persisted }) => persisted && wake());
navigator.serviceWorker?.addEventListener("controllerchange", hearWorker);
outbox.heard(hearNews);
notice(document.body);
