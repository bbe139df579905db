// Saving on this phone: an entry of the pad joins the outbox, or replaces a refused one. It has a title and
// a detail for lists.

import { wordsOf } from "../base/page.js";
import { stored } from "../base/memory.js";
import { owner, person } from "./person.js";
import { nameOf, outbox, place, placeOf, savingOf } from "./place.js";
import { sendSoon } from "./sending.js";

/** @import { Fact, Shown } from "./box.js" */

/**
 * The fact of a posted form of this page, or of an answer given here.
 * @returns {Fact}
 */
function factOf(here, form, posted) {
  const fact = outbox.factOf(`/g/${here.dataset.game}/`, posted);
  const { fields } = fact;
  const shown = fields.answer ? shownAnswer(here, fields) : shownRound(here, form, fields);
  return { ...fact, shown: { ...shown, by: owner() } };
}

/** @type {(here: HTMLElement, fields: Record<string, any>) => Shown} */
function shownAnswer(here, { player, answer }) {
  const { reenters, stays } = wordsOf(here);
  return {
    answer: [player, answer],
    title: nameOf(here, player),
    detail: answer === "reenter" ? reenters : stays,
  };
}

/** @returns {Shown} */
function shownRound(here, form, fields) {
  const { closer, closing } = fields;
  const name = (id) => nameOf(here, id);
  const given = Object.entries(fields).filter(([field]) => field.startsWith("hand-"));
  const hands = Object.fromEntries(given.map(([field, text]) => [field.slice("hand-".length), text]));
  const how = form.querySelector(`[data-closing="${closing}"]`)?.dataset.short;
  const entered = Object.entries(hands).filter(([, text]) => text);
  const parts = [
    closer === "nobody" ? how : `${name(closer)} ${how}`,
    ...entered.map(([id, text]) => `${name(id)} ${text.replace("-", "−")}`),
  ];
  const title = document.querySelector("h1").firstChild.data.trim();
  return { round: { closer, closing, hands }, title, detail: parts.join(" · ") };
}

// Add the entry to the outbox, instead of the refused one that is open on the form.
export async function keep(form, posted, why) {
  const here = place();
  const fact = factOf(here, form, posted);
  const replaces = form && savingOf(form).replaces;
  const known = placeOf(here);
  const wasPad = known.isPad;
  known.isPad = false;
  try {
    const isReplaced = replaces && (await outbox.decide(person(), replaces, fact));
    if (!isReplaced) await outbox.add(person(), fact, why);
  } catch (trouble) {
    known.isPad = wasPad;
    throw trouble;
  }
  if (form) savingOf(form).replaces = "";
  if (form?.dataset.pad !== undefined) stored(`draft:${person()}:${fact.game}:${fact.after}`, null);
  sendSoon();
}
