// The panel of waiting entries: the provisional totals, the re-entry question, and the next step.

import { wordsOf } from "../base/page.js";
import { fill, piece } from "../base/pieces.js";
import { begin, lead, takeBack, turn } from "./onpad.js";
import { main, nameOf, outbox, pad, savingOf } from "./place.js";
import { stateOf, totalOf } from "./totals.js";

export function drawPanel(view) {
  const { here, one, entries, numbers, isStopped, pendingSeat } = view;
  const last = entries.at(-1);
  const seats = numbers.seats.filter((seat) => seat.seat !== "left");
  one("standing").replaceChildren(...seats.map((seat) => seatBox(view, seat)));
  one("provisional").hidden = isStopped || !last;
  const { unsure, ends } = wordsOf(here);
  one("end").textContent = numbers.seats.some(({ total }) => total === null) ? unsure : ends;
  one("end").hidden = !numbers.unsure;
  one("ask").hidden = !pendingSeat;
  if (pendingSeat) ask(view);
  one("items").hidden ||= Boolean(pendingSeat);
  drawDock(view, last);
  turn(here, true);
}

function seatBox({ here, numbers, pendingSeat }, seat) {
  const name = nameOf(here, seat.id);
  const box = piece(
    "div",
    "seat",
    piece("span", "name", name),
    piece("b", seat.seat === "out" ? "soft" : "", totalOf(numbers, seat)),
    piece("span", "state", stateOf(here, numbers, seat)),
  );
  box.title = name;
  if (seat.seat === "pending") box.dataset.tone = "red";
  if (seat === pendingSeat) box.ariaCurrent = "true";
  return box;
}

function ask({ here, one, numbers: { after }, pendingSeat: { id } }) {
  one("question").textContent = fill(wordsOf(here).question, { name: nameOf(here, id) });
  const { elements } = one("ask");
  if (elements.player.value === id && Number(elements.after.value) === after) return;
  for (const [name, value] of Object.entries({ player: id, after, key: outbox.newKey() }))
    elements[name].value = value;
}

// Take back or the sheet; then the next round on this page or on its own. On the page of a re-entry the
// question comes before refused entries.
function drawDock(view, last) {
  const { here, one, entries, numbers, isStopped, isOpen, pendingSeat } = view;
  const leads = isOpen && !pendingSeat;
  const isHere = Boolean(pad() || isStopped);
  one("back").hidden = !last || last.held || Boolean(last.round && !pad());
  one("back").onclick = () => takeBack(here, entries, last);
  one("sheet").hidden = !one("back").hidden;
  one("next").hidden = !leads || !isHere || Boolean(pad() && isStopped);
  one("next").onclick = () => goOn(view);
  one("on").hidden = !leads || isHere;
  one("on").onclick = () => lead(true);
  const text = isStopped ? wordsOf(here).goon : fill(wordsOf(here).record, { number: numbers.round });
  for (const button of [one("next"), one("on")]) button.firstChild.textContent = text;
}

function goOn({ here, numbers, isStopped }) {
  for (const form of main().querySelectorAll("form")) savingOf(form).isPast = isStopped;
  if (pad() && !numbers.seats.some(({ seat }) => seat === "pending")) return begin(here, numbers);
  return turn(here, false);
}
