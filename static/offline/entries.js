// The entries that wait, as pages show them.

import { wordsOf } from "../base/page.js";
import { person } from "./person.js";

/** @import { Fact, Refusal, Shown } from "./box.js" */

/**
 * @typedef {object} State
 * @property {Fact} fact
 * @property {string} [other] the mark of its person, if that is not who uses the phone
 * @property {string} key
 * @property {string} game the code of the game on whose pages it is shown; empty for payments and ticks
 * @property {number} after
 * @property {boolean} held whether a person has to decide about it or about one before it
 * @property {string[]} refused the reasons of a refusal, and what others recorded meanwhile
 *
 * @typedef {Shown & State} Entry
 */

// A server that broke down gave no reason.
/** @type {(refusal: Refusal | undefined) => string[]} */
const reasonsOf = (refusal) =>
  refusal ? [...(refusal.sentences ?? [wordsOf().broken]), ...(refusal.meanwhile ?? [])] : [];

/** @type {(facts: Fact[], other?: string) => Entry[]} */
export function entriesIn(facts, other) {
  const free = self.box.free(facts);
  return facts.map((fact) => ({
    ...fact.shown,
    fact,
    other,
    key: fact.key,
    game: ["round", "reentry"].includes(fact.form) ? fact.game : "",
    after: fact.after,
    held: !free.includes(fact),
    refused: reasonsOf(fact.refused),
  }));
}

// What waits of others who used this phone; fails without a storage.
/** @returns {Promise<Entry[]>} */
export async function others() {
  const { [person()]: _ours, ...kept } = await self.box.everybody();
  const all = Object.entries(kept).map(([other, facts]) => entriesIn(facts, other));
  return all.flat();
}

// What waits of this phone's person; fails without a storage.
export const unsent = () => self.box.unsent(person());

export const entries = async () => entriesIn(await unsent());
