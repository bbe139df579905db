// The waiting entries on the pages of their game: the entries, the provisional totals, the re-entry
// questions, and the refusals.

import { wordsOf } from "../base/page.js";
import { counted } from "../base/pieces.js";
import { drawBar } from "./bar.js";
import { rowsOf } from "./list.js";
import { isOldPad, openPad, wasLed } from "./onpad.js";
import { drawPanel } from "./panel.js";
import { placeOf } from "./place.js";
import { foreseen, outlook } from "./totals.js";

// Show the waiting entries of this game, or hide their element.
export async function present(here, entries) {
  const numbers = await foreseen(here, entries);
  if (!here.isConnected) return;
  const known = placeOf(here);
  const one = (part) => here.querySelector(`[data-${part}]`);
  const view = { here, one, entries, numbers, ...outlook(numbers, entries) };
  const isShown = entries.length > 0;
  const wasShown = known.isAwake && !here.hidden;
  const isWanted = wasLed() && view.isFree;
  known.isAwake ||= isShown;
  listEntries(view);
  if (one("bar")) drawBar(view, isShown);
  else if (known.isPad) return;
  else if (isWanted) openPad(view);
  else if (isShown) drawPanel(view);
  else if (wasShown)
    one("sheet").click(); // everything is recorded: go to the sheet
  else if (isOldPad()) openPad(view);
}

function listEntries({ here, one, entries, isStopped }) {
  const count = entries.length;
  const waits = count ? counted(wordsOf(), "many", count) : "";
  one("count").textContent = isStopped ? wordsOf(here).refused : waits;
  one("items").replaceChildren(...rowsOf(entries));
  one("items").hidden = !count;
}
