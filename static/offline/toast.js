// The note about waiting entries and conflicts at the edge of every page. The pages of their game list the
// entries: waiting.js.

import { warn } from "../base/page.js";
import { counted } from "../base/pieces.js";
import { entriesIn, unsent } from "./entries.js";
import { keep } from "./keeping.js";
import { CONFLICTS, isOld, place, placeOf, words } from "./place.js";
import { ofHere } from "./saving.js";

export { say } from "./seen.js"; // loaded together: without a network it could not be loaded later

let shown = Promise.resolve();

const tryToKeep = (form, posted) => keep(form, posted).catch(() => warn(words().unkept));

// Show the waiting entries; calls run one after the other.
export function show() {
  shown = shown.finally(showWhatWaits);
  return shown;
}

async function showWhatWaits() {
  const known = await unsent();
  const entries = entriesIn(known);
  const ours = ofHere(entries);
  const here = place();
  const list = document.getElementById("kept");
  const toast = document.getElementById("unsent");
  drawToast(toast, { here, list, entries, ours, held: known.held });
  if (list && (entries.length || !list.hidden)) {
    const rows = await import("./list.js").catch(() => null);
    rows?.presentAll(list, entries);
  }
  if (!here || !(ours.length || placeOf(here).isAwake || isOld())) return;
  const waiting = await import(here.dataset.script).catch(() => null);
  if (waiting) await waiting.present(here, ours, tryToKeep);
  // The network was lost before that script was loaded: show the note instead.
  else toast.hidden = !entries.length;
}

function drawToast(toast, { here, list, entries, ours, held }) {
  // A list shows the entries of forms, and the pages of a game its own, except while its pad is open, where
  // a note about other games would be in the way.
  const isShown = here && !placeOf(here).isPad && ours.some((entry) => entry.held);
  const ofSheet = here?.querySelector("[data-bar]");
  const isOfPage = ({ game, shown }) =>
    here ? (game ? game === here.dataset.game : ofSheet) : !(list && shown);
  const isHeld = !isShown && held.some(({ facts: [first] }) => isOfPage(first));
  const count = (here ? entries.filter(({ game }) => ofSheet && !game) : entries).length;
  const [first] = entries.filter(({ game }) => game && !location.pathname.startsWith(`/g/${game}/`));
  toast.hidden = Boolean(document.getElementById("conflicts")) || !(isHeld || (count && !list));
  toast.href = isHeld ? CONFLICTS : first && !here ? `/g/${first.game}/` : "/";
  toast.textContent = isHeld ? words().refused : counted(words(), "many", count);
}
