// Half-entered rounds live on this phone, each under the game and the last event its person had seen.

import { stored, unstore } from "../base/memory.js";

const STORE = "draft:";

export const draftOf = (key) => JSON.parse(stored(STORE + key));

export const keepDraft = (key, draft) => stored(STORE + key, draft && JSON.stringify(draft));

// A sheet names the drafts of its game that are of the past by now. Those behind rounds that wait here are
// ahead of it.
export function sweep() {
  /** @type {HTMLElement | null} */
  const page = document.querySelector("[data-draft-sweep]");
  if (!page) return;
  const game = STORE + page.dataset.draftSweep;
  const kept = STORE + page.dataset.draftKeep;
  const numberOf = (key) => parseInt(key.slice(game.length), 10);
  unstore((key) => key.startsWith(game) && key !== kept && numberOf(key) <= numberOf(kept));
}
