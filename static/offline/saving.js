// Saving a form: without a network, from a cached page, while entries of its game wait, or instead of a
// refused entry, the save joins the outbox (keeping.js). Otherwise it is sent, and joins the outbox if it
// gets lost.

import { FAILURES, warn, wordsOf } from "../base/page.js";
import { isOld, place, savingOf } from "./place.js";
import { canKeep, refusalOf } from "./sending.js";

/** @type {WeakSet<EventTarget>} */
const heard = new WeakSet();
let isQueueing = false; // whether entries of this page's game wait

// The waiting entries of this page's game.
export function ofHere(entries) {
  const game = place()?.dataset.game;
  const ours = entries.filter((entry) => entry.game === game);
  isQueueing = Boolean(ours.length);
  return ours;
}

export function intercept(form) {
  if (!form || heard.has(form)) return;
  heard.add(form);
  for (const name of FAILURES) form.addEventListener(name, hearFailure);
}

// Listen to the form last: the pad checks first whether the round is complete.
export function listenLast({ target }) {
  if (!heard.has(target)) return;
  target.removeEventListener("submit", save, true);
  target.addEventListener("submit", save, true);
}

// Nothing is recorded past waiting entries, or past refused ones that the person has not seen.
async function save(event) {
  const { target: form, submitter } = event;
  const saving = savingOf(form);
  const isBehind = saving.replaces || (isQueueing && !saving.isPast);
  const isCut = !navigator.onLine || isOld();
  if (!canKeep() || saving.isUnkept || !(isBehind || isCut)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const posted = new FormData(form, submitter);
  try {
    const { keep } = await import("./keeping.js");
    await keep(form, posted);
  } catch {
    // The storage is full, so the form can only be sent at once, unless entries have to be sent before it.
    await new Promise((resolve) => setTimeout(resolve)); // htmx takes no second submit during this event
    warn(wordsOf().unkept);
    form.dispatchEvent(new CustomEvent("pad:free"));
    saving.isUnkept = !isBehind;
    if (saving.isUnkept) form.requestSubmit(submitter);
    saving.isUnkept = false;
  }
}

async function hearFailure(event) {
  const refused = refusalOf(event);
  if (!canKeep() || event.target !== event.currentTarget || !refused) return;
  event.stopPropagation();
  const { target: form, detail } = event;
  const { formData } = detail.requestConfig;
  try {
    const { keep } = await import("./keeping.js");
    await keep(form, formData, refused.why);
  } catch {
    warn(wordsOf().unkept);
  }
}
