// A save, where it cannot go out at once: behind what waits already, from a page of a while ago, or without a
// network it joins the queue (keeping.js). Else it is tried, and joins if it gets lost. A phone that took the
// app along tries first, for it has it recorded there and then.

import { stored } from "../base/memory.js";
import { warn } from "../base/page.js";
import { isMine } from "./person.js";
import { isOld, place, savingOf, words } from "./place.js";
import { canKeep, FAILURES, refusalOf } from "./sending.js";

/** @type {WeakSet<EventTarget>} */
const heard = new WeakSet();
let isQueueing = false; // whether anything of this page's game waits

// What its person entered in the game of this page and is not recorded.
export function ofHere(entries) {
  const game = place()?.dataset.game;
  const ours = entries.filter((entry) => isMine(entry) && entry.game === game);
  isQueueing = Boolean(ours.length);
  return ours;
}

export function intercept(form) {
  if (!form || heard.has(form)) return;
  heard.add(form);
  for (const name of FAILURES) form.addEventListener(name, hearFailure);
}

// Has the form listened to last: the pad checks first whether the round is whole.
export function listenLast({ target }) {
  if (!heard.has(target)) return;
  target.removeEventListener("submit", save, true);
  target.addEventListener("submit", save, true);
}

// Nothing is recorded past what waits, or past what was refused before somebody looked at it.
async function save(event) {
  const { target: form, submitter } = event;
  const saving = savingOf(form);
  const isBehind = isQueueing && !saving.replaces && !saving.isPast;
  const isCut = !stored("carried") && (!navigator.onLine || isOld());
  if (!canKeep() || saving.isUnkept || !(isBehind || isCut)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const posted = new FormData(form, submitter);
  try {
    const { keep } = await import("./keeping.js");
    await keep(form, posted);
  } catch {
    // There is no room on this phone, so that it can only go out at once, unless something has to go before
    // it.
    await new Promise((resolve) => setTimeout(resolve)); // until this event is over, there is no other
    warn(words().unkept);
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
    await keep(form, formData, refused);
  } catch {
    warn(words().unkept);
  }
}

// A round that was recorded already with other hands may have been corrected.
export async function hearCorrection({ detail }) {
  const { verb, path } = detail.requestConfig;
  if (verb !== "post" || !path.endsWith("/changes/")) return;
  const answer = { ...detail }; // htmx goes on with its own
  const { settle } = await import("./keeping.js");
  await settle(answer).catch(() => {});
}
