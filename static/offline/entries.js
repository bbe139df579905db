// The entries of forms that wait, as pages show them: those in the outbox, and those in conflicts.

import { warnings } from "../base/page.js";
import { person } from "./person.js";

/** @import { Fact, Shown, Unsent } from "./box.js" */

/**
 * @typedef {object} State
 * @property {Fact} fact
 * @property {string} key
 * @property {string} game the code of the game on whose pages it is shown; empty for payments and ticks
 * @property {number} after
 * @property {string} [held] the id of its conflict, which a person has to decide first
 * @property {string[]} [refused] the reasons of a refusal
 *
 * @typedef {Shown & State} Entry
 */

// The reasons of a refusal. A server that broke down gave none.
export const reasonsOf = ({ sentences }) => (sentences.length ? sentences : [warnings().broken]);

// The reasons of a refusal, and what others recorded meanwhile without the last line, which has the totals.
const reasonsWithNews = (held) => [...reasonsOf(held), ...(held.here ?? []).slice(0, -1)];

/** @type {(fact: Fact, state?: Partial<State>) => Entry} */
const entryOf = (fact, state) => ({
  ...fact.shown,
  ...state,
  fact,
  key: fact.key,
  game: ["round", "reentry"].includes(fact.form) ? fact.game : "",
  after: fact.after,
});

/** @type {(unsent: Unsent) => Entry[]} */
export const entriesIn = ({ queued, held }) =>
  [
    ...held.flatMap((one) =>
      one.facts.map((fact, place) =>
        entryOf(fact, { held: one.id, refused: place ? undefined : reasonsWithNews(one) }),
      ),
    ),
    ...queued.map((fact) => entryOf(fact)),
  ].filter(({ fact }) => fact.shown);

// The unsent facts of this phone's person; none without a storage.
export const unsent = () => self.box.unsent(person());

export const entries = async () => entriesIn(await unsent());
