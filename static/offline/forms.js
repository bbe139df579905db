// Forms whose entries can be queued. An entry joins the outbox without a network, on a cached page, while its
// game has queued entries, or in place of a refused entry. Otherwise it is sent, and joins if that fails.
// `data-waits` is the kind of entry, `data-title` its title in the list.

import { FAILURES, warn, messages } from "../base/page.js";
import { stored } from "../base/state.js";
import { owner, person } from "./identity.js";
import { box, isOld, outbox, place, stateAt } from "./place.js";

/** @import { Fact, Refusal } from "./queue.js" */

const LOST = [408, 429, 502, 503, 504];

let isAble = false; // whether this browser has storage
let isQueueing = false; // whether this page's game has queued entries
let isUnkept = false; // whether a form is being sent because storage is full

// The state of a game's page, if the form makes an entry of that game.
const ofGame = (form) => (["round", "reentry"].includes(form.dataset.waits) ? stateAt(place()) : null);

// The game or the table that a form posts to.
function placeIn(form) {
  const address = form.getAttribute("action") ?? location.pathname;
  const [, place, code] = /^\/([gt])\/([\w-]+)\//.exec(address);
  return place === "g" ? { table: "", game: code } : { table: code, game: "" };
}

/** @type {(form: HTMLFormElement, posted: FormData, wasSent: boolean) => Omit<Fact, "shown">} */
function factFor(form, posted, wasSent) {
  /** @type {Record<string, any>} */
  const { csrfmiddlewaretoken, after = 0, key: printed, ...fields } = Object.fromEntries(posted);
  // The key of a cached page may be used already, but a form that was just sent keeps its key. A tick has
  // none: it names the debt that it saw.
  const isUsed = isOld() && !wasSent && !ofGame(form);
  const kind = /** @type {Fact["form"]} */ (form.dataset.waits);
  return {
    ...{ form: kind, ...placeIn(form), fields, after: Number(after) },
    ...{ key: printed && !isUsed ? printed : outbox.newKey(), at: new Date().toISOString() },
  };
}

// Whether a payment is complete. Only the site can say what is missing, and it cannot be reached.
function isWhole(form, posted) {
  const { payer, payee, amount } = Object.fromEntries(posted);
  return form.dataset.waits !== "payment" || (payer && payee && payer !== payee && /[1-9]/.test(amount));
}

// Loaded before the network is lost: nothing is queued that could not be shown.
const list = () => import("./list.js");

// Add the entry to the outbox, or replace the refused one that is open in the form.
async function keep(form, posted, lost = null) {
  const { formText, onKept } = await list();
  const entry = factFor(form, posted, Boolean(lost));
  const fact = { ...entry, shown: { ...formText(form, entry.fields), by: owner() } };
  const game = ofGame(form);
  const isReplaced = game?.replaces && (await outbox.decide(person(), game.replaces, fact));
  if (!isReplaced) await outbox.add(person(), fact, lost?.why);
  if (game) {
    Object.assign(game, { replaces: "", isPad: false });
    stored(`draft:${person()}:${fact.game}:${fact.after}`, null);
    return;
  }
  onKept(form, fact, lost);
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
    await keep(form, posted);
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
/** @returns {{ why?: Refusal, status: number } | null} */
function lossKind({ status }) {
  if (!status || LOST.includes(status)) return { status };
  return status < 500 ? null : { status, why: {} };
}

async function onFailure(event) {
  const { target: form, detail } = event;
  const lost = lossKind(detail.xhr);
  const { formData } = detail.requestConfig;
  if (!isAble || form !== event.currentTarget || !lost || !isWhole(form, formData)) return;
  event.stopPropagation();
  await keep(form, formData, lost).catch(() => warn(messages().unkept));
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
list().catch(() => {});
