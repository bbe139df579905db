// Adds the entry of a form to the outbox.

import { stored } from "../base/state.js";
import { decide } from "./decisions.js";
import { owner, person } from "./identity.js";
import { formText } from "./list.js";
import { isOld, outbox } from "./place.js";
import { onQueued } from "./queued_form.js";

/** @import { Fact } from "./queue.js" */

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

// Add the entry to the outbox, or replace the refused one that is open in the form. Fails if the storage is
// full.
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
  onQueued(form, fact, lost, () => factFor(form, new FormData(form), null, true).fields);
}
