// A game as this phone sees it: the numbers once the waiting entries are recorded, and the next step.

import { roundPoints } from "../play/arithmetic.js";
import { answered, pending, played } from "../play/course.js";
import { box } from "./place.js";

/** @import { Numbers } from "../play/arithmetic.js" */
/** @import { Entry } from "./entries.js" */

/**
 * The numbers once the entries are recorded; `waits` has the entries that are counted in them.
 * @param {HTMLElement} here
 * @param {Entry[]} entries
 * @returns {Promise<Numbers>}
 */
export async function foreseen(here, entries) {
  const known = await box.numbers(here.dataset.game).catch(() => null);
  const printed = JSON.parse(here.dataset.numbers);
  /** @type {Numbers} */
  let numbers = known?.after >= printed.after ? known : printed;
  for (const entry of entries.filter(({ held }) => !held)) {
    const { after, round, answer } = entry;
    if (after !== numbers.after) continue;
    const points = round && roundPoints(numbers, round);
    const waits = [...(numbers.waits ?? []), { entry, number: numbers.round, points }];
    numbers = { ...(round ? played(numbers, round) : answered(numbers, ...answer)), waits };
  }
  return numbers;
}

// The next step: whose re-entry to ask about, whether a round can be entered, or whether an entry was
// refused.
export function outlook(numbers, entries) {
  const isStopped = entries.some(({ held }) => held);
  const isOpen = !numbers.unsure && !numbers.over;
  const pendingSeat = isOpen && !isStopped ? pending(numbers)[0] : undefined;
  return { isStopped, isOpen, pendingSeat, isFree: isOpen && !isStopped && !pendingSeat };
}
