// Adds the entry of a form to the outbox. Loaded soon after the form's page, with all that shows queued
// entries: nothing is queued that could not be shown.

import { sayKept } from "../base/failures.js";
import { warn, messages } from "../base/page.js";
import { stored } from "../base/state.js";
import { decide } from "./decisions.js";
import { owner, person } from "./identity.js";
import { formText } from "./list.js";
import { isOld, outbox } from "./place.js";

/** @import { Fact } from "./queue.js" */

/** @type {WeakMap<HTMLFormElement, Omit<Fact, "shown">>} */
const offered = new WeakMap(); // the queued hand of a form of an offered hand

// The game or the table that a form posts to.
function placeIn(form) {
  const address = form.getAttribute("action") ?? location.pathname;
  const [, place, code] = /^\/([gt])\/([\w-]+)\//.exec(address);
  return place === "g" ? { table: "", game: code } : { table: code, game: "" };
}

/** @type {(form: HTMLFormElement, posted: FormData, game: any, wasSent: boolean) => Omit<Fact, "shown">} */
function factFor(form, posted, game, wasSent) {
  /** @type {Record<string, any>} */
  const { csrfmiddlewaretoken, after = 0, key: printed, ...fields } = Object.fromEntries(posted);
  // The key of a cached page may be used already, but a form that was just sent keeps its key. A tick has
  // none: it names the debt that it saw.
  const isUsed = isOld() && !wasSent && !game;
  const kind = /** @type {Fact["form"]} */ (form.dataset.waits);
  return {
    ...{ form: kind, ...placeIn(form), fields, after: Number(after) },
    ...{ key: printed && !isUsed ? printed : outbox.newKey(), at: new Date().toISOString() },
  };
}

// Add the entry to the outbox, or replace the refused one that is open in the form.
export async function keep(form, posted, game, lost) {
  const entry = factFor(form, posted, game, Boolean(lost));
  const fact = { ...entry, shown: { ...formText(form, entry.fields), by: owner() } };
  const isReplaced = game?.replaces && (await decide(person(), game.replaces, fact));
  if (!isReplaced) await outbox.add(person(), fact, lost?.why);
  if (game) {
    Object.assign(game, { replaces: "", isPad: false });
    stored(`draft:${person()}:${fact.game}:${fact.after}`, null);
    return;
  }
  sayKept(lost);
  if (fact.form === "hand") {
    offered.set(form, fact);
    form.dispatchEvent(new CustomEvent("pad:free"));
  }
  if (fact.form !== "payment") return;
  form.reset(); // ready for another payment, with its own key
  form.elements.key.value = outbox.newKey();
  for (const field of form.querySelectorAll("[name=amount], [name=note], [name=day]")) field.value = "";
}

// An offered hand that was queued here has arrived: go to the sheet, unless the hand was changed meanwhile.
function onNews({ done = [] }) {
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector("[data-waits=hand]");
  const fact = form && offered.get(form);
  if (!fact || !done.includes(fact.key)) return;
  offered.delete(form);
  const say = () => warn(messages().arrived);
  const now = factFor(form, new FormData(form), null, true).fields;
  if (Object.entries(now).some(([name, value]) => fact.fields[name] !== value)) return say();
  document.addEventListener("htmx:afterSettle", say, { once: true });
  document.querySelector(".bar a").click();
}

outbox.heard(onNews);
