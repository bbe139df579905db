// Drafts of unfinished rounds on this phone, by person, game and the last event seen; and whether hands
// were last entered as cards or as points.

import { nameDrafts, stored, unstore } from "../base/state.js";

const personHere = () => document.getElementById("main").dataset.person;
const draftKey = (place) => `draft:${personHere()}:${place}`;

export function draftAt(place) {
  nameDrafts();
  return JSON.parse(stored(draftKey(place)));
}

export const keepDraft = (place, draft) => stored(draftKey(place), draft && JSON.stringify(draft));

// Cards or points, whichever was last chosen at this table on this phone.
export const viewAt = (table) => stored(`view:${table}`) || "cards";

export const keepView = (table, view) => stored(`view:${table}`, view === "digits" ? view : null);

// Removes the drafts of a game that are older than its sheet. Drafts after queued rounds have higher numbers
// and stay.
export function sweep() {
  /** @type {HTMLElement | null} */
  const page = document.querySelector("[data-draft-sweep]");
  if (!page) return;
  const game = draftKey(page.dataset.draftSweep);
  const kept = draftKey(page.dataset.draftKeep);
  const roundNo = (key) => parseInt(key.slice(game.length), 10);
  unstore((key) => key.startsWith(game) && key !== kept && roundNo(key) <= roundNo(kept));
}
