// The pad and the list of waiting entries share the page in turns. The pad begins the next round with the
// newest numbers of this phone, or shows an entry that was refused or taken back.

import { wordsOf } from "../base/page.js";
import { fill } from "../base/pieces.js";
import { unsent } from "./entries.js";
import { person } from "./person.js";
import { box, isOld, main, outbox, pad, place, placeOf, savingOf } from "./place.js";
import { foreseen } from "./totals.js";

/** @import { Fact } from "./box.js" */

let isLed = false;

// Remember whether the tapped link leads to the pad, even if entries wait on the next page.
export function lead(isForPad) {
  isLed = isForPad;
}

// Whether a tap on another page led to the pad of this one; true once.
export function wasLed() {
  const here = isLed && pad();
  if (pad()) isLed = false;
  return Boolean(here);
}

// Show either the waiting entries or the page itself.
export function turn(here, isShown) {
  const known = placeOf(here);
  const heading = document.querySelector("h1");
  const text = heading.firstChild;
  const isNew = isShown && here.hidden;
  if (isNew) known.heading = text.data;
  here.hidden = !isShown;
  known.isPad = !isShown;
  for (const box of here.parentElement.children) {
    if (box !== here && !box.matches(".bar")) box.hidden = isShown;
  }
  document.getElementById("step")?.toggleAttribute("hidden", isShown);
  text.data = isShown ? wordsOf(here).here : known.heading || text.data;
  if (!isNew) return;
  here.querySelector(".body").scrollTop = 0;
  heading.focus({ preventScroll: true });
}

// Wait until the pad's script is loaded.
export function ready(form) {
  if ("ready" in form.dataset) return Promise.resolve();
  return new Promise((resolve) => {
    new MutationObserver(resolve).observe(form, { attributeFilter: ["data-ready"] });
  });
}

export const load = (detail) => pad().dispatchEvent(new CustomEvent("pad:load", { detail }));

// Begin the next round on the pad.
export async function begin(here, numbers, key = outbox.newKey(), heading = headingOf(here, numbers)) {
  const form = pad();
  await ready(form);
  turn(here, false);
  savingOf(form).replaces = "";
  const draft = `${here.dataset.game}:${numbers.after}`;
  const detail = { numbers, after: numbers.after, key, heading, draft };
  form.dispatchEvent(new CustomEvent("pad:renew", { detail }));
  document.querySelector("h1").focus({ preventScroll: true });
}

function headingOf(here, { round, contracts }) {
  const heading = fill(wordsOf(here).record, { number: round });
  return contracts?.[0]?.[0] ? `${heading} · ${contracts[0][0]}` : heading;
}

// Open the pad of a cached page, or of one that was opened for the next round, with the newest numbers and
// the tapped face.
export async function openPad({ here, numbers }) {
  const form = pad();
  const { closer } = main().dataset;
  delete main().dataset.closer;
  placeOf(here).isPad = true;
  if (Number(form.elements.after.value) < numbers.after) await begin(here, numbers);
  else await ready(form);
  if (closer) load({ closer, closing: "", hands: {} });
}

// Whether the page is from the cache and has a pad.
export const isOldPad = () => Boolean(pad() && isOld());

// Take the last waiting entry back. A round opens on the pad under the same key, since the server may have
// it already.
export async function takeBack(here, entries, last) {
  if (last.round) {
    await begin(here, await foreseen(here, entries.slice(0, -1)), last.key, last.title);
    load(last.round);
  }
  await outbox.drop(person(), last.key);
}

// The address that opens this refused round; the hash is its key.
/** @param {Fact} fact */
export const addressOf = ({ game, key }) => `/g/${game}/round/#open=${encodeURIComponent(key)}`;

// Open it on the pad of this page; returns whether the page is the one with that pad.
/** @param {Fact} fact */
export function opened({ game, key, shown }) {
  const here = place();
  const form = pad();
  if (here?.dataset.game !== game || !form) return false;
  box
    .numbers(game)
    .then((known) => begin(here, known ?? JSON.parse(here.dataset.numbers)))
    .then(() => {
      savingOf(form).replaces = key;
      load(shown.round);
    });
  return true;
}

/** @param {string} key */
export async function open(key) {
  const fact = (await unsent()).find((one) => one.key === key && one.refused);
  if (fact) opened(fact);
}
