// Drafts of unfinished rounds on this phone, by person, game and the last event seen; and whether hands
// were last entered as cards or as points.

import { nameDrafts, stored, unstore } from "../base/state.js";

const personHere = () => document.getElementById("main").dataset.person;
const draftKey = (place) => `draft:${personHere()}:${place}`;

/** @type {string | null} */
let ours = null; // the draft that this page has read or stored last

export function draftAt(place) {
  nameDrafts();
  ours = stored(draftKey(place));
  return JSON.parse(ours);
}

const handCount = (draft) => Object.values(draft?.state?.hands ?? {}).filter(Boolean).length;

// Stores a draft, or removes it. One that another tab has stored stays if it has as many hands.
export function keepDraft(place, draft) {
  const key = draftKey(place);
  const there = stored(key);
  if (draft && there !== ours && handCount(JSON.parse(there)) >= handCount(draft)) return;
  ours = draft && JSON.stringify(draft);
  stored(key, ours);
}

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
