// Work without a network: handle each new page, whole or a refreshed part of it, and send queued entries:
// soon after they were entered, less and less often while that fails, and at once when the page is shown
// again. Over plain http, browsers run no service worker, so only a page that is open keeps working.

import { isAway, meet, person } from "./identity.js";
import { say, show as showList } from "./list.js";
import { open } from "./panel.js";
import { box, isOld, main, outbox, pad, place, reach, renew, site } from "./place.js";
import { goOut, keepApart } from "./unload.js";

const REST = 500; // lets the requests of the page itself go first
const WAITS = [3000, 5000, 10000, 30000];

navigator.serviceWorker?.register("/sw.js").catch(() => {}); // not available over plain http
// A page that was on its way when the worker took over is not controlled by it yet.
navigator.serviceWorker?.ready.then(({ active }) => {
  if (!navigator.serviceWorker.controller) active.postMessage({ isMissed: true });
});

/** @type {WeakSet<Element>} */
const noticed = new WeakSet();
let tries = 0;
let timer = 0;
let isAble = false; // whether this browser has storage for the outbox
let isKept = false; // whether the browser was asked not to evict the entries
let isShowing = false; // whether queued entries have been shown
let isReached = false; // whether the server was reached since the page was shown

function notice(target) {
  const isWhole = target.contains(main());
  if (isWhole && noticed.has(main())) return;
  if (isWhole) noticed.add(main());
  else reach(); // parts come only from the server
  if (isWhole || target.matches("#waiting") || target.querySelector("#waiting")) arrive(isWhole);
}

async function arrive(isWhole) {
  const wasOld = isOld();
  if (!isWhole) delete main().dataset.seen;
  else if (wasOld) say();
  if (!wasOld) await keepApart();
  keepOpen();
  const here = place();
  // First, because storage may not answer (in WebKit at times) and would hold back the rest.
  if (here && !isOld()) fetchAhead(here);
  // Before sending, because the app may be closed as soon as the user has seen the numbers.
  const known = here && box.know(here.dataset.game, JSON.parse(here.dataset.numbers)).catch(() => {});
  const unsent = await box.unsent(person()).catch(() => null);
  isAble = Boolean(unsent);
  if (!unsent) return;
  flush();
  await known;
  isShowing ||= isOld() || unsent.length > 0 || Boolean(document.getElementById("kept"));
  await show();
  const [, refused] = isWhole && pad() ? (/^#open=(.+)/.exec(location.hash) ?? []) : [];
  const fact = unsent.find(({ key, refused: why }) => why && key === decodeURIComponent(refused ?? ""));
  if (fact) open(fact);
}

// Have the service worker cache this page, and the home page with its game.
function keepOpen() {
  const open = { person: person(), path: location.pathname };
  if (!isOld()) navigator.serviceWorker?.controller?.postMessage({ open });
}

// Show queued entries if there are or were any. A cached page shows its game as this phone knows it now.
async function show() {
  if (isShowing) await showList();
}

// Let the service worker cache the next pages of this game, the entry of the next round first.
async function fetchAhead({ dataset }) {
  await new Promise((resolve) => setTimeout(resolve, REST));
  if (!navigator.serviceWorker?.controller) return; // it takes control in a moment
  for (const address of dataset.ahead?.split(" ") ?? []) await fetch(address).catch(() => {});
}

function soon() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(flush, WAITS[Math.min(tries, WAITS.length - 1)]);
  tries += 1;
}

async function flush() {
  if (!isAble) return;
  if (!(await outbox.send().catch(() => 1))) return;
  soon();
  register();
}

// Let the browser send while no page is open.
function register() {
  navigator.serviceWorker
    ?.getRegistration()
    .then((registration) => registration?.sync?.register("queue"))
    .catch(() => {});
}

// New entries are queued: send them, and ask the browser not to evict them meanwhile.
function sendSoon() {
  if (!isKept) navigator.storage?.persist?.().catch(() => {});
  isKept = true;
  tries = 0;
  register();
  flush();
}

// The page is shown again, or the network may be back: send, and refresh a cached page unless its pad is in
// use.
function wake() {
  tries = 0;
  if (document.hidden) return;
  flush();
  refresh();
}

// Refresh a page that came from the cache.
function refresh() {
  if (!isOld() || pad()) return;
  renew();
}

// The service worker controls this page from now on.
function onWorker() {
  keepOpen();
  if (place()) fetchAhead(place());
}

// The page shown is as new as the server's.
function onCurrent() {
  reach();
  delete main().dataset.seen;
}

// The answer to a POST comes from the server, while a page may come from the cache.
function onAnswer({ detail: { xhr, requestConfig } }) {
  if (requestConfig.verb !== "get" && xhr.status && !site.isForeign(xhr)) reach();
  if (!xhr.getResponseHeader("X-Access")) return;
  const gone = new URL(requestConfig.path, location.href).pathname;
  navigator.serviceWorker?.controller?.postMessage({ gone });
}

// Handle news of the outbox: the server was reached, or the queue has changed. The first page does not poll,
// so it is fetched again once the entries were sent.
function onNews({ reached, person: mark }) {
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
document.addEventListener("live:current", onCurrent);
document.addEventListener("htmx:load", ({ target }) => notice(target));
document.addEventListener("htmx:afterRequest", onAnswer);
window.addEventListener("online", wake);
window.addEventListener("pageshow", ({ persisted }) => persisted && wake());
navigator.serviceWorker?.addEventListener("controllerchange", onWorker);
outbox.heard(onNews);
notice(document.body);
