// The facts to send once a person has decided about a conflict. Nothing is recorded after or instead of what
// others recorded before a person decides.

import { outbox } from "./place.js";

/** @import { Fact, Held } from "./box.js" */

// The facts renumbered to follow `by` more events, with their references to one another.
/** @type {(facts: Fact[], by: number) => Fact[]} */
function shifted(facts, by) {
  const base = facts[0]?.after;
  const moved = ({ number, ...data }) => ({ ...data, number: number > base ? number + by : number });
  const renumbered = (event) => ("number" in event.data ? { ...event, data: moved(event.data) } : event);
  return facts.map((fact) => ({
    ...fact,
    ...("after" in fact ? { after: fact.after + by } : {}),
    ...("events" in fact ? { events: fact.events.map(renumbered) } : {}),
  }));
}

// A fact that strikes what others recorded since, the last event first.
/** @type {(held: Held) => Fact} */
function strikes({ facts, now }) {
  const { table, game, at, after } = facts[0];
  const numbers = Array.from({ length: now - after }, (_, place) => now - place);
  const events = numbers.map((number) => ({ kind: "struck", data: { number } }));
  return { kind: "record", table, game, at, after: now, key: outbox.newKey(), events };
}

// The facts behind the first one, once it is dropped or replaced. `seen` is the number of events that the
// person saw when deciding, `last` the number with what replaces it. If others recorded more than the first
// fact itself, one of their events may be a fact that waits here: then the facts keep their numbers, and the
// site compares.
/** @type {(held: Held, seen?: number, last?: number) => Fact[]} */
export function othersOf({ facts: [first, ...others], now }, seen = now ?? first.after, last = seen) {
  return shifted(others, others[0]?.after >= seen ? last - others[0].after : 0);
}

// The same facts again. A payment that was cancelled since gets a new key: the same one on every page, so
// that two taps are one payment.
/** @type {(held: Held) => Fact[]} */
const again = ({ facts: [first, ...others], spent }) => [
  spent ? { ...first, key: `${first.key}+` } : first,
  ...others,
];

// A game of a season that was closed meanwhile counts from today instead.
/** @type {(held: Held) => Fact[]} */
const fromToday = ({ facts }) => facts.map((fact) => ({ ...fact, at: new Date().toISOString() }));

/** @type {Record<string, (held: Held) => Fact[]>} */
export const DECISIONS = {
  behind: ({ facts, now }) => shifted(facts, now - facts[0].after),
  instead: (held) => [strikes(held), ...shifted(held.facts, 2 * (held.now - held.facts[0].after))],
  same: ({ facts }) => facts.slice(1),
  today: fromToday,
  again,
  first: (held) => othersOf(held),
  drop: () => [],
};

// Queue the facts that a decision about a conflict gives; resolves to whether it was still undecided.
/** @type {(person: string, id: string, decision: (held: Held) => Fact[]) => Promise<boolean>} */
export const decide = (person, id, decision) =>
  outbox.change(person, ({ queued, held, facts }) => {
    const decided = held.find((one) => one.id === id);
    if (!decided) return null;
    const others = held.filter((one) => one !== decided);
    return { unsent: { facts, queued: [...decision(decided), ...queued], held: others } };
  });
