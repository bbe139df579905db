// Both versions of a game in conflict, as the site compares them when the page is opened, and what each
// choice leads to.

import { DECISIONS } from "./deciding.js";
import { outbox } from "./place.js";

/** @import { Fact, Held } from "./box.js" */

/**
 * @typedef {object} Compared
 * @property {number} now the number of the site's last event, which the person sees when deciding
 * @property {number} same how many facts, from the first one, are probably recorded already
 * @property {string} why the sentence above both versions
 * @property {Element} page
 */

// The correction of a round that was recorded before with other hands.
/** @type {(held: Held) => Fact} */
const correctionOf = ({ facts: [first], recorded, now }) => ({
  ...first,
  corrects: recorded,
  after: now,
  key: outbox.newKey(),
});

/** @type {(held: Held) => Record<string, Fact[]>} */
function waysOf(held) {
  if (held.recorded) return { open: [correctionOf(held)], drop: [] };
  return { behind: DECISIONS.behind(held), instead: DECISIONS.instead(held), drop: [] };
}

const bare = (facts) => facts.map(({ shown, ...fact }) => fact);

// Null without a connection, or if the site cannot compare them. If others recorded more since the refusal,
// the choices are about that too.
/** @type {(held: Held) => Promise<Compared | null>} */
export async function compare(held) {
  const ways = Object.entries(waysOf(held)).map(([name, facts]) => [name, bare(facts)]);
  const { facts, recorded } = held;
  const sent = { facts: bare(facts), ways: Object.fromEntries(ways), ...(recorded ? { recorded } : {}) };
  const { token } = await (await fetch("/token/")).json();
  const answer = await fetch(`/g/${facts[0].game}/versions/`, {
    method: "POST",
    body: JSON.stringify(sent),
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
  });
  const text = answer.ok ? await answer.text() : "";
  /** @type {HTMLElement | null} */
  const page = new DOMParser().parseFromString(text, "text/html").querySelector("[data-now]");
  if (!page) return null;
  const { now, same, why } = page.dataset;
  if (Number(now) !== held.now) return compare({ ...held, now: Number(now) });
  return { now: held.now, same: Number(same), why, page };
}
