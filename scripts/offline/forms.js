// Forms whose entries can be queued. An entry joins the outbox without a network, on a cached page, while its
// game has queued entries, or in place of a refused entry. Otherwise it is sent, and joins if that fails.
// `data-waits` is the kind of entry, `data-title` its title in the list.

import { FAILURES, warn, messages } from "../base/page.js";
import { person } from "./identity.js";
import { box, isOld, outbox, place, site, stateAt } from "./place.js";
import { keep } from "./queueing.js";

/** @import { Refusal } from "./queue.js" */

const LOST = [408, 429, 502, 503, 504];

let isAble = false; // whether this browser has storage
let isQueueing = false; // whether this page's game has queued entries
let isUnkept = false; // whether a form is being sent because storage is full

// The state of a game's page, if the form makes an entry of that game.
const ofGame = (form) => (["round", "reentry"].includes(form.dataset.waits) ? stateAt(place()) : null);

// Whether a payment is complete. Only the site can say what is missing, and it cannot be reached.
function isWhole(form, posted) {
  const { payer, payee, amount } = Object.fromEntries(posted);
  return form.dataset.waits !== "payment" || (payer && payee && payer !== payee && /[1-9]/.test(amount));
}

// Do not record past queued entries, nor past refused ones that the user has not seen.
async function save(event) {
  const { target: form, submitter } = event;
  const game = ofGame(form);
  const isBehind = Boolean(game?.replaces || (game && isQueueing && !game.isPast));
  const posted = new FormData(form, submitter);
  if (!isAble || isUnkept || !(isBehind || !navigator.onLine || isOld())) return;
  if (!isWhole(form, posted)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  try {
    await keep(form, posted, game, null);
  } catch {
    // The storage is full: send the form now, unless other entries have to be sent first.
    await new Promise((resolve) => setTimeout(resolve)); // htmx ignores a second submit during this event
    warn(messages().unkept);
    form.dispatchEvent(new CustomEvent("pad:free"));
    isUnkept = !isBehind;
    if (isUnkept) form.requestSubmit(submitter);
    isUnkept = false;
  }
}

// How a failed save is queued: to be sent again, or as refused if the server failed. Null if the answer is a
// page that shows the error.
/** @returns {{ why?: Refusal, status: number, isForeign?: boolean } | null} */
function lossKind(xhr) {
  const { status } = xhr;
  if (site.isForeign(xhr)) return { status, isForeign: true };
  if (!status || LOST.includes(status)) return { status };
  return status < 500 ? null : { status, why: {} };
}

async function onFailure(event) {
  const { target: form, detail } = event;
  const lost = lossKind(detail.xhr);
  const { formData } = detail.requestConfig;
  if (!isAble || form !== event.currentTarget || !lost || !isWhole(form, formData)) return;
  event.stopPropagation();
  await keep(form, formData, ofGame(form), lost).catch(() => warn(messages().unkept));
}

// Add this listener last: the pad checks first whether the round is complete.
function listenLast({ target: form }) {
  if (!form.matches("[data-waits]")) return;
  form.removeEventListener("submit", save, true);
  form.addEventListener("submit", save, true);
  for (const name of FAILURES) form.addEventListener(name, onFailure);
}

async function look() {
  const facts = await box.unsent(person()).catch(() => null);
  isAble = Boolean(facts);
  const game = place()?.dataset.game;
  isQueueing = Boolean(game) && facts?.some((fact) => box.queueName(fact) === game);
}

document.addEventListener("submit", listenLast, true);
document.addEventListener("htmx:load", look);
outbox.heard(look);
look();
