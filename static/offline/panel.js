// The panel of waiting entries: the provisional totals, the re-entry question, and the next step.

import { wordsOf } from "../base/page.js";
import { fill, minus, piece } from "../base/pieces.js";
import { shown } from "../play/arithmetic.js";
import { dealer, feeOf, pending, potWith } from "../play/course.js";
import { begin, lead, takeBack, turn } from "./onpad.js";
import { main, nameOf, outbox, pad, savingOf } from "./place.js";
import { endingOf, marginOf, potIn, stateOf } from "./standing.js";

export function drawPanel(view) {
  const { here, one, entries, numbers, isStopped, isOpen, pendingSeat } = view;
  const last = entries.at(-1);
  const deals = isOpen && dealer(numbers);
  const seats = numbers.seats.filter((seat) => seat.seat !== "left");
  one("standing").replaceChildren(...seats.map((seat) => seatBox(view, seat)));
  label(one("pot"), numbers.over ? "" : potIn(here, numbers.pot));
  label(one("deals"), deals ? nameOf(here, deals) : "");
  one("provisional").hidden = isStopped || !last;
  one("end").textContent = endingOf(here, numbers);
  one("end").hidden = isOpen;
  one("ask").hidden = !pendingSeat;
  if (pendingSeat) ask(view);
  one("items").hidden ||= Boolean(pendingSeat);
  one("deals").closest(".strip").hidden = Boolean(pendingSeat); // the question shows the pot
  drawDock(view, last);
  turn(here, true);
}

// Show a figure with its label; hide both without a figure.
function label(element, text) {
  element.textContent = text;
  element.parentElement.hidden = !text;
}

function seatBox({ here, numbers, pendingSeat }, seat) {
  const name = nameOf(here, seat.id);
  const total = seat.total === null ? "?" : minus(shown(numbers, seat.total));
  const box = piece(
    "div",
    "seat",
    piece("span", "name", name),
    piece("b", seat.seat === "out" ? "soft" : "", total),
    piece("span", "state", stateOf(here, numbers, seat)),
  );
  box.title = name;
  if (seat.seat === "pending") box.dataset.tone = "red";
  if (seat === pendingSeat) box.ariaCurrent = "true";
  return box;
}

function ask({ here, one, numbers, pendingSeat: { id, back } }) {
  const words = wordsOf(here);
  const fee = feeOf(numbers, id);
  const price = numbers.pot === null ? "" : potIn(here, fee ?? 0);
  const yes = one("ask").querySelector("[value=reenter]");
  one("question").textContent = fill(words.question, { name: nameOf(here, id) });
  one("comes").textContent = back === null ? words.later : minus(shown(numbers, back));
  label(one("margin"), back === null ? words.later : marginOf(words, numbers, back));
  label(one("pots"), price && `${potIn(here, numbers.pot)} → ${potIn(here, potWith(numbers, id))}`);
  yes.querySelector("small").textContent = price;
  yes.disabled = fee === null;
  const { elements } = one("ask").querySelector("form");
  if (elements.player.value === id && Number(elements.after.value) === numbers.after) return;
  for (const [name, value] of Object.entries({ player: id, after: numbers.after, key: outbox.newKey() }))
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
  if (pad() && !pending(numbers).length) return begin(here, numbers);
  return turn(here, false);
}
