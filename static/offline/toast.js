// The notes of every page: about waiting and refused entries at its edge, and about its age at the heading of
// a cached one. The pages of their game list the entries: waiting.js.

import { wordsOf } from "../base/page.js";
import { counted, fill, piece } from "../base/pieces.js";
import { entriesIn, others, unsent } from "./entries.js";
import { isAway } from "./person.js";
import { isOld, loginFrom, main, place, placeOf } from "./place.js";

const TODAY = 12 * 3600 * 1000; // so recent that the time of day is enough

let shown = Promise.resolve();

// Show the waiting entries; calls run one after the other.
export function show() {
  shown = shown.finally(showWhatWaits);
  return shown;
}

async function showWhatWaits() {
  const entries = entriesIn(await unsent());
  const here = place();
  const ours = entries.filter(({ game }) => game && game === here?.dataset.game);
  const list = document.getElementById("kept");
  const left = list ? await others() : [];
  const toast = document.getElementById("unsent");
  drawToast(toast, { here, list, entries, ours });
  if (list && (entries.length || left.length || !list.hidden)) {
    const rows = await import("./list.js").catch(() => null);
    rows?.presentAll(list, entries, left);
  }
  if (!here || !(ours.length || placeOf(here).isAwake || isOld())) return;
  const waiting = await import(here.dataset.script).catch(() => null);
  if (waiting) await waiting.present(here, ours);
  // The network was lost before that script was loaded: show the note instead.
  else toast.hidden = !entries.length;
}

// A list shows its entries itself, and so do the pages of a game, except while the pad is open, where a note
// about other games would be in the way. The note leads to the page that lists the entry, or after the
// session ended under this page to the one to sign in.
function drawToast(toast, { here, list, entries, ours }) {
  const { by } = entries[0] ?? {};
  if (isAway() && by) {
    toast.hidden = false;
    toast.href = by.isGuest ? "/" : loginFrom();
    toast.textContent = counted(wordsOf(), by.isGuest ? "many" : "away", entries.length, { name: by.name });
    return;
  }
  const isListed = here && !placeOf(here).isPad && ours.some(({ held }) => held);
  const ofSheet = here?.querySelector("[data-bar]");
  const isOfPage = ({ game }) => (here ? (game ? game === here.dataset.game : ofSheet) : !list);
  const refused = isListed ? undefined : entries.find((entry) => entry.refused.length && isOfPage(entry));
  const { length } = here ? entries.filter(({ game }) => ofSheet && !game) : entries;
  const [first] = entries.filter(({ game }) => game && !location.pathname.startsWith(`/g/${game}/`));
  toast.hidden = !(refused || (length && !list));
  const shown = refused ?? (here ? undefined : first);
  toast.href = shown?.game ? `/g/${shown.game}/` : "/";
  toast.textContent = refused ? wordsOf().refused : counted(wordsOf(), "many", length);
}

// Say at the heading of a cached page when it was fetched.
export function say() {
  if (!isOld()) return; // a newer one has arrived
  const note = piece("small", "seen", fill(wordsOf().seen, { time: timeOf(main().dataset.seen) }));
  main().querySelector("h1").append(note);
}

// A time as the page's region writes it, with the day unless it is recent.
function timeOf(text) {
  const at = new Date(text);
  const clock = at.toTimeString().slice(0, 5);
  if (Date.now() - at.getTime() <= TODAY) return clock;
  const { day = "j/n" } = main().dataset;
  return `${day.replace("j", at.getDate()).replace("n", at.getMonth() + 1)}, ${clock}`;
}
