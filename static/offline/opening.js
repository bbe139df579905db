// Opening a refused round of the conflict page: on the pad, or on the page that corrects the round if it was
// recorded before with other hands.

import { decide, othersOf } from "./deciding.js";
import { unsent } from "./entries.js";
import { begin, load, ready } from "./onpad.js";
import { person } from "./person.js";
import { box, pad, place, savingOf } from "./place.js";
import { flush } from "./sending.js";

/** @import { Held } from "./box.js" */

// The address that opens this round; the hash is its conflict.
/** @param {Held} held */
export function addressOf({ id, facts: [{ game }], recorded }) {
  const page = recorded ? `correct/${recorded}` : "round";
  return `/g/${game}/${page}/#held=${encodeURIComponent(id)}`;
}

/** @param {string} id */
export async function open(id) {
  const held = (await unsent()).held.find((one) => one.id === id);
  const form = pad();
  const here = place();
  if (!held || !form || !(held.recorded || here)) return;
  const [{ game, shown }] = held.facts;
  if (held.recorded) {
    await ready(form);
    form.dispatchEvent(new CustomEvent("pad:edit", { detail: shown.round }));
  } else {
    await begin(here, await box.numbers(game));
    savingOf(form).replaces = id;
    load(shown.round);
  }
}

// After a correction of a round that this phone recorded before with other hands: the rounds behind it go on.
export async function settle({ elt, xhr, requestConfig }) {
  const { path, formData } = requestConfig;
  if (xhr.status >= 300 || xhr.responseURL.endsWith(path)) return;
  const [, game] = /^\/g\/([\w-]+)\/changes\/$/.exec(path) ?? [];
  const [, number] = /^correct (\d+) /.exec(formData.get("change")) ?? [];
  const seen = Number(formData.get("after"));
  const last = seen + Number(elt.dataset.count);
  /** @type {(held: Held) => boolean} */
  const isCorrected = ({ recorded, facts }) => facts[0].game === game && recorded === Number(number);
  for (const { id } of (await unsent()).held.filter(isCorrected)) {
    await decide(person(), id, (held) => othersOf(held, seen, last));
  }
  flush();
}
