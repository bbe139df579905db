// The offer on the home page and on a table's page to carry the app on this phone. It says what it is doing
// and how far it is, and then the time of the copy. If its page is left, the next page goes on with what has
// come. A newer release replaces the one before by itself.

import { fill } from "../base/pieces.js";
import { stored } from "../base/memory.js";
import { unsent } from "../offline/entries.js";
import { countUnsent } from "../offline/leaving.js";
import { person } from "../offline/person.js";
import { outbox } from "../offline/place.js";
import { timeOf } from "../offline/seen.js";
import { canLookBehind } from "./able.js";
import { ask, end, isDead, lead } from "./lead.js";
import { cacheOf } from "./snapshots.js";

const COPY = "/pocket/";
const TAKING = "pocket-taking"; // the address of the bundle while it is being taken
const LOADS = 4; // files at a time
const LOADING = 0.4; // the share of downloading in the progress
// A slow phone has no news of some steps for seconds: until then the bar moves on by a part of what is left.
const PACE = 400;
const CREEP = 0.01;

const isAble =
  self.isSecureContext && navigator.serviceWorker && navigator.locks && !navigator.connection?.saveData;
const isTooOld = !canLookBehind();
/** @type {AbortController | null} */
let taking = null; // it ends when the page is left
let doing = "downloading";
let progress = 0;

// Fetch a file unless this phone has it; `heard` gets the number of bytes of each chunk.
async function fetchFile(cache, { address, size }, heard, signal) {
  if (await cache.match(address)) return heard(size);
  const known = await caches.match(address);
  const answer = known ?? (await fetch(address, { signal }));
  if (!answer.ok) throw new Error(address);
  const [kept, counted] = answer.body.tee();
  const { headers } = answer;
  const stored = cache.put(address, new Response(kept, { headers }));
  const reader = counted.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) heard(read.value.length);
  return stored;
}

async function fetchFiles(cache, files, signal) {
  const whole = files.reduce((sum, { size }) => sum + size, 0);
  const waiting = [...files];
  let come = 0;
  const hear = (length) => {
    come += length;
    show("downloading", (LOADING * come) / whole);
  };
  const fetchSome = async () => {
    for (let file = waiting.shift(); file; file = waiting.shift()) await fetchFile(cache, file, hear, signal);
  };
  await Promise.all(Array.from({ length: LOADS }, fetchSome));
}

async function prepare(copyState) {
  const creep = setInterval(() => show("preparing", progress + (1 - progress) * CREEP), PACE);
  const hear = (part) => show("preparing", LOADING + (1 - LOADING) * part);
  const ready = await ask(copyState, { prepare: true }, hear);
  clearInterval(creep);
  return ready;
}

async function take(address, signal) {
  const bundle = await (await fetch(address, { signal })).json();
  const { release, worker, shell, files } = bundle;
  const cache = await caches.open(cacheOf(release));
  navigator.storage?.persist?.(); // Firefox answers only once the person has, so nothing waits for it
  await fetchFiles(cache, files, signal);
  const copy = await fetch(COPY);
  if (!copy.ok || copy.redirected) throw new Error(COPY);
  const text = await copy.text();
  const { person } = JSON.parse(text);
  const wanted = { release, worker, shell, person, places: [], ...self.box.about(copy) };
  const key = self.box.keyOf(person);
  const isSent = await self.box.change(["said", key], (copyState, unsent) =>
    unsent?.facts.length
      ? null
      : { wanted: { ...wanted, moved: copyState?.moved, settled: copyState?.settled }, copy: text },
  );
  if (!isSent) throw new Error("the release before is needed until all is sent");
  const copyState = await self.box.get("wanted");
  end(); // ends an engine of another release
  if (!(await lead())) throw new Error("another window leads");
  const ready = await prepare(copyState);
  end();
  if (!ready) throw new Error("the engine is in trouble");
  await self.box.put({ said: copyState });
  stored("carried", "yes");
  import("./carried.js");
  for (const name of await caches.keys()) {
    if (name.startsWith("pocket-") && name !== cacheOf(release)) await caches.delete(name);
  }
}

// Remove the app. Facts are sent first; if some are left the loss is announced once.
async function drop(box) {
  const count = await countUnsent();
  if (count && !("warned" in box.dataset)) {
    box.dataset.warned = "";
    return fill(document.getElementById("unsent").dataset.lost, { count });
  }
  await self.box.wipe(person());
  stored("carried", null);
  for (const name of await caches.keys()) if (name.startsWith("pocket-")) await caches.delete(name);
  return "";
}

// The offer on the current page.
const offer = () => document.querySelector("[data-pocket]");
const state = (box) => box.querySelector("[data-state]");

// Show what it is doing, and how far it is.
function show(step, part) {
  doing = step;
  progress = Math.max(progress, part);
  const box = offer();
  if (!box) return;
  const bar = box.querySelector("progress");
  bar.value = progress;
  box.hidden = bar.hidden = false;
  for (const button of box.querySelectorAll("button")) button.hidden = true;
  const text = box.dataset[step];
  if (state(box).textContent !== text) state(box).textContent = text;
}

async function present(failed = "") {
  const copyState = await self.box.get("said").catch(() => null);
  const dead = await isDead(offer()?.dataset.release).catch(() => false);
  const box = offer();
  if (!box) return null;
  const { taken, size } = box.dataset;
  const [go, gone] = ["[data-take]", "[data-drop]"].map((name) => box.querySelector(name));
  go.onclick = () => run(box.dataset.bundle);
  gone.onclick = () => drop(box).then(present);
  go.hidden = Boolean(copyState);
  gone.hidden = !copyState;
  box.querySelector("progress").hidden = true;
  box.hidden = !copyState && dead;
  state(box).textContent = failed || (copyState ? fill(taken, { time: timeOf(copyState.at) }) : size);
  return copyState;
}

// Take the bundle, in one window at a time. What another window took meanwhile is there.
async function run(bundle) {
  const control = new AbortController();
  const { signal } = control;
  taking = control;
  progress = 0;
  stored(TAKING, bundle);
  show("downloading", 0);
  const isTaken = await navigator.locks
    .request("taking", { signal }, () => stored(TAKING) && take(bundle, signal))
    .then(
      () => true,
      () => false,
    );
  if (signal.aborted) return;
  taking = null;
  stored(TAKING, null);
  present(isTaken ? "" : offer()?.dataset.failed);
}

function leave() {
  taking?.abort();
  taking = null;
}

function refuse(box) {
  for (const part of box.querySelectorAll("button, progress")) part.hidden = true;
  state(box).textContent = box.dataset.old;
  box.hidden = false;
}

async function arrive() {
  if (!isAble || document.getElementById("main").dataset.seen !== undefined) return;
  if (taking) return show(doing, progress);
  const begun = stored(TAKING);
  if (begun && navigator.onLine) return run(begun);
  const box = offer();
  if (!box) return;
  if (isTooOld) return refuse(box);
  const copyState = await present();
  const { release, bundle } = box.dataset;
  if (!copyState || copyState.release === release || !navigator.onLine || (await isDead(release))) return;
  // Facts are sent by the release that recorded them.
  await outbox.send();
  if (!(await unsent()).facts.length) run(bundle);
}

window.addEventListener("pagehide", leave);
window.addEventListener("pageshow", ({ persisted }) => persisted && arrive());
document.addEventListener("htmx:load", arrive);
arrive();
