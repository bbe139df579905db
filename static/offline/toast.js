// The note about waiting entries at the edge of every page. The pages of their game list them: waiting.js.

import { warn } from "../base/page.js";
import { keep } from "./keeping.js";
import { isMine } from "./person.js";
import { isOld, main, place, placeOf, queue, words } from "./place.js";
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
  const entries = await queue.all();
  const mine = entries.filter(isMine);
  const ours = ofHere(entries);
  const here = place();
  const list = document.getElementById("kept");
  const toast = document.getElementById("unsent");
  drawToast(toast, { here, list, mine, ours });
  offerToDrop(toast, mine);
  if (list && (mine.length || !list.hidden)) {
    const rows = await import("./list.js").catch(() => null);
    rows?.presentAll(list, mine);
  }
  if (!here || !(ours.length || placeOf(here).isAwake || isOld())) return;
  const waiting = await import(here.dataset.script).catch(() => null);
  if (waiting) await waiting.present(here, ours, tryToKeep);
  // The network was lost before that script was loaded: show the note instead.
  else toast.hidden = !mine.length;
}

function drawToast(toast, { here, list, mine, ours }) {
  const first = ours[0] || mine.find(({ fact }) => !fact);
  const isHeld = here && placeOf(here).isPad && ours.some((entry) => entry.stopped);
  // The sheet itself shows the rounds of its game.
  const counted = here ? (here.querySelector("[data-bar]") ? mine.filter(({ fact }) => fact) : []) : mine;
  // A game that the person only watches now has no page for them.
  const isOpen = (entry) => here || !location.pathname.startsWith(`/g/${entry.game}/`);
  const count = counted.length;
  const many = count === 1 ? words().one : words().many.replace("{count}", count);
  toast.hidden = Boolean(list) || !(isHeld || count);
  toast.href = first && (isHeld || !here) && isOpen(first) ? `/g/${first.game}/` : "/";
  toast.textContent = isHeld ? here.dataset.refused : many;
}

// Offer to drop the entries of a game that this person may not open any more.
function offerToDrop(toast, mine) {
  const isGone = main().matches(".gone");
  const lost = isGone ? mine.filter(({ game }) => location.pathname.startsWith(`/g/${game}/`)) : [];
  if (lost.length) toast.textContent = words().gone;
  toast.onclick = (event) => {
    if (lost.length) event.preventDefault();
    for (const entry of lost) queue.drop(entry);
  };
}
