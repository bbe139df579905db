// The offer on the home page and on a table's page to carry the app on this phone. It shows the progress,
// and then the time of the copy. A newer release replaces the one before by itself.

import { fill } from "../base/pieces.js";
import { stored } from "../base/memory.js";
import { unsent } from "../offline/entries.js";
import { countUnsent } from "../offline/leaving.js";
import { person } from "../offline/person.js";
import { outbox } from "../offline/place.js";
import { timeOf } from "../offline/seen.js";
import { ask, end, isDead, lead } from "./lead.js";

const COPY = "/pocket/";
const MODULES = 0.3; // the share of compiling in the progress

const isAble =
  self.isSecureContext && navigator.serviceWorker && navigator.locks && !navigator.connection?.saveData;
const isTooOld = !canLookBehind();
let isTaking = false;

// Safari understands this pattern since 16.4, as the syntax of the engine.
function canLookBehind() {
  const behind = "(?<=a)b";
  try {
    return Boolean(new RegExp(behind));
  } catch {
    return false;
  }
}

// Fetch a file unless this phone has it; `heard` gets the number of bytes of each chunk.
async function fetchFile(cache, { address }, heard) {
  const known = await caches.match(address);
  if (known) return cache.put(address, known);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(address);
  const [kept, counted] = answer.body.getReader ? answer.body.tee() : [answer.body, null];
  const { headers } = answer;
  const stored = cache.put(address, new Response(kept, { headers }));
  const reader = counted.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) heard(read.value.length);
  return stored;
}

async function take(address) {
  const bundle = await (await fetch(address)).json();
  const { release, worker, shell, files } = bundle;
  const whole = files.reduce((sum, { size }) => sum + size, 0);
  const cache = await caches.open(`pocket-${release}`);
  let come = 0;
  navigator.storage?.persist?.(); // Firefox answers only once the person has, so nothing waits for it
  const hear = (length) => {
    come += length;
    show(((1 - MODULES) * come) / whole);
  };
  for (const file of files) await fetchFile(cache, file, hear);
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
  const ready = await ask(copyState, { prepare: true }, (done) => show(1 - MODULES + MODULES * done));
  end();
  if (!ready) throw new Error("the engine is in trouble");
  await self.box.put({ said: copyState });
  stored("carried", "yes");
  import("./carried.js");
  for (const name of await caches.keys()) {
    if (name.startsWith("pocket-") && name !== `pocket-${release}`) await caches.delete(name);
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

function show(part) {
  const box = offer();
  if (!box) return;
  const bar = box.querySelector("progress");
  bar.value = part;
  box.hidden = bar.hidden = false;
  for (const button of box.querySelectorAll("button")) button.hidden = true;
  state(box).textContent = box.dataset.taking;
}

async function present(failed = "") {
  const copyState = await self.box.get("said").catch(() => null);
  const dead = await isDead(offer()?.dataset.release).catch(() => false);
  const box = offer();
  if (!box) return null;
  const { taken, size } = box.dataset;
  const [go, gone] = ["[data-take]", "[data-drop]"].map((name) => box.querySelector(name));
  go.onclick = run;
  gone.onclick = () => drop(box).then(present);
  go.hidden = Boolean(copyState);
  gone.hidden = !copyState;
  box.querySelector("progress").hidden = true;
  box.hidden = !copyState && dead;
  state(box).textContent = failed || (copyState ? fill(taken, { time: timeOf(copyState.at) }) : size);
  return copyState;
}

async function run() {
  if (isTaking) return;
  isTaking = true;
  show(0);
  const { bundle, failed } = offer().dataset;
  const trouble = await take(bundle).then(
    () => "",
    () => failed,
  );
  isTaking = false;
  present(trouble);
}

function refuse(box) {
  for (const part of box.querySelectorAll("button, progress")) part.hidden = true;
  state(box).textContent = box.dataset.old;
  box.hidden = false;
}

async function arrive() {
  const box = offer();
  if (!box || !isAble || document.getElementById("main").dataset.seen !== undefined) return;
  if (isTaking) return show(0);
  if (isTooOld) return refuse(box);
  const copyState = await present();
  const { release } = box.dataset;
  if (!copyState || copyState.release === release || !navigator.onLine || (await isDead(release))) return;
  // Facts are sent by the release that recorded them.
  await outbox.send();
  if (!(await unsent()).facts.length) run();
}

document.addEventListener("htmx:load", arrive);
arrive();
