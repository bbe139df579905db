// Refused entries: the reasons, and the user's decisions, to delete an entry or to replace it.

import { messages } from "../base/page.js";
import { box, outbox } from "./place.js";

/** @import { Fact, Refusal } from "./queue.js" */

// A server that failed gave no reason.
/** @type {(refusal: Refusal | undefined) => string[]} */
export const refusals = (refusal) =>
  refusal ? [...(refusal.sentences ?? [messages().broken]), ...(refusal.meanwhile ?? [])] : [];

// An entry that is being sent is not removed before the answer.
/** @type {(person: string, key: string) => Promise<boolean>} */
export const drop = (person, key) => outbox.alone(() => decide(person, key));

// The entries of a game behind a refused one that was dropped or replaced. They now follow the last event
// that the user saw, or the replacement. If others recorded more than one entry since, one of their events
// may be a queued entry: then these keep their numbers, and the site compares.
/** @type {(behind: Fact[], seen: number, last: number) => Fact[]} */
function followed(behind, seen, last) {
  const by = behind[0]?.after >= seen ? last - behind[0].after : 0;
  return behind.map((fact) => ({ ...fact, after: fact.after + by }));
}

// Replace a refused entry, or remove it. Resolves to whether it was still there.
/** @type {(person: string, key: string, instead?: Fact) => Promise<boolean>} */
export async function decide(person, key, instead) {
  const { queueName } = box;
  const { game, after } = (await box.unsent(person)).find((fact) => fact.key === key) ?? {};
  const numbers = game && (await box.numbers(game));
  const seen = instead?.after ?? numbers?.after ?? after;
  return outbox.change(person, (facts) => {
    const place = facts.findIndex((fact) => fact.key === key);
    if (place < 0) return null;
    const line = queueName(facts[place]);
    const isBehind = (fact, number) => number > place && queueName(fact) === line;
    const behind = followed(facts.filter(isBehind), seen, instead ? seen + 1 : seen);
    const others = facts.filter((fact, number) => number !== place && !isBehind(fact, number));
    return [...others, ...(instead ? [instead] : []), ...behind];
  });
}
