// Opening a refused round on the pad, with the newest numbers of this phone.

import { unsent } from "./entries.js";
import { begin, load } from "./onpad.js";
import { box, pad, place, savingOf } from "./place.js";

/** @import { Fact } from "./box.js" */

// The address that opens this round; the hash is its key.
/** @param {Fact} fact */
export const addressOf = ({ game, key }) => `/g/${game}/round/#open=${encodeURIComponent(key)}`;

// Open it on the pad of this page; returns whether the page is the one with that pad.
/** @param {Fact} fact */
export function opened(fact) {
  const here = place();
  const form = pad();
  if (!here || !form || here.dataset.game !== fact.game) return false;
  openOn(form, here, fact);
  return true;
}

async function openOn(form, here, { game, key, shown }) {
  await begin(here, (await box.numbers(game)) ?? JSON.parse(here.dataset.numbers));
  savingOf(form).replaces = key;
  load(shown.round);
}

/** @param {string} key */
export async function open(key) {
  const fact = (await unsent()).find((one) => one.key === key && one.refused);
  if (fact) opened(fact);
}
