// The waiting entries on the sheet of their game: the bar above it, its figures, and the dock. The dock
// leads to the next step as the phone knows it, not as the server printed it.

import { wordsOf } from "../base/page.js";
import { counted, fill } from "../base/pieces.js";
import { playing } from "../play/arithmetic.js";
import { lead } from "./onpad.js";
import { nameOf } from "./place.js";
import { drawSheet } from "./totals.js";

/** @type {WeakMap<Element, string>} */
const printed = new WeakMap(); // the printed labels of links that lead elsewhere now

export function drawBar(view, isShown) {
  const { here, one, entries, numbers } = view;
  one("bar").hidden = !isShown;
  one("bar").open ||= view.isStopped;
  here.hidden = !isShown;
  one("provisional").hidden = !numbers.waits;
  if (numbers.waits) one("count").textContent = counted(wordsOf(here), "unsent", entries.length);
  drawSheet(here, numbers);
  const dock = document.querySelector("main > .dock");
  const go = dock?.querySelector("a.go");
  if (go && (isShown || printed.has(go))) drawDock(view, dock, go, isShown);
}

function drawDock({ here, numbers, pendingSeat, isFree }, dock, go, isShown) {
  const label = go.firstElementChild;
  if (!printed.has(go)) printed.set(go, label.textContent);
  label.textContent = isShown ? labelOf(here, numbers, { pendingSeat, isFree }) : printed.get(go);
  go.onclick = () => lead(isShown && isFree);
  // Where there are faces they lead to the next round, unless a re-entry has to be answered first.
  const faces = dock.querySelector(".closers");
  if (!faces) return;
  faces.hidden = !isFree;
  go.hidden = isFree;
  const ready = new Set(["nobody", ...playing(numbers).map((seat) => seat.id)]);
  for (const face of faces.querySelectorAll("[data-closer]")) {
    face.onclick = go.onclick;
    face.hidden = !ready.has(face.dataset.closer);
  }
}

function labelOf(here, { round }, { pendingSeat, isFree }) {
  const { record, question, here: whole } = wordsOf(here);
  if (isFree) return fill(record, { number: round });
  return pendingSeat ? fill(question, { name: nameOf(here, pendingSeat.id) }) : whole;
}
