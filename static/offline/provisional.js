// The sheet with the waiting entries: their rounds below the recorded ones, and the totals, margins, pot and
// dealer that follow from them. Figures that are not recorded have a sign before them.

import { wordsOf } from "../base/page.js";
import { memory } from "../base/memory.js";
import { fill, minus, piece } from "../base/pieces.js";
import { playing, shown } from "../play/arithmetic.js";
import { dealer } from "../play/course.js";
import { nameOf } from "./place.js";

const SIGN = "≈";
const MOST_DIGITS = 6; // of the longest total that the styles have a size for
const CLOSE = 0.85; // the share of the limit from which a total is red, as in games/play/columns.py
const WORDS_FIT = 5; // up to so many columns

const wasPrinted = memory((place) => place.textContent);

/** @type {(table: HTMLTableElement) => { foot: HTMLTableSectionElement, digits: string }} */
const sheetOf = memory((table) => ({ foot: table.tFoot, digits: table.dataset.digits }));

// Draw the sheet from these numbers, or as printed if they are not newer. `stateOf` returns a seat's state
// in words.
export function drawSheet(here, numbers, { stateOf, pot }) {
  /** @type {HTMLTableElement} */
  const table = document.querySelector("#sheet table");
  const printed = JSON.parse(here.dataset.numbers);
  const isNewer = numbers.after > printed.after;
  const { foot, digits } = sheetOf(table);
  table.tFoot.replaceWith(foot.cloneNode(true));
  table.dataset.digits = digits;
  if (isNewer) drawTotals(here, table, { numbers, printed, stateOf });
  drawRows(table.tBodies[0], numbers);
  const deals = numbers.over ? null : dealer(numbers);
  const words = wordsOf(here);
  const facts = {
    pot,
    dealer: nameOf(here, deals),
    round: numbers.over ? words.ended : fill(words.round, { number: numbers.round }),
    record: fill(words.record, { number: numbers.round }),
  };
  for (const place of document.querySelectorAll("main [data-now]")) {
    const text = wasPrinted(place);
    place.textContent = (isNewer && facts[place.dataset.now]) || text;
    if (place.dataset.now === "pot") place.parentElement.hidden = isNewer && Boolean(numbers.over);
  }
}

function drawRows(body, { seats, waits = [] }) {
  for (const row of body.querySelectorAll("[data-waits]")) row.remove();
  for (const { entry, number, points } of waits) {
    const row = points ? roundRow(seats, points, number, entry.round.closer) : answerRow(entry);
    row.dataset.waits = "";
    row.role = "row";
    body.append(row);
  }
  if (waits.length) body.scrollTop = body.scrollHeight;
}

function roundRow(seats, points, number, closer) {
  const cells = seats.map(({ id }) => {
    const figure = id in points ? minus(points[id] ?? "?") : "";
    return cell("td", closer === id ? "cut" : "", figure);
  });
  return piece("tr", "", cell("th", "", `${SIGN}${number}`), ...cells);
}

function answerRow({ title, detail }) {
  return piece("tr", "re", cell("td", "", ""), cell("td", "line", `${SIGN} ${title}: ${detail}`));
}

function cell(tag, className, text) {
  const made = piece(tag, className, text);
  made.role = tag === "th" ? "rowheader" : "cell";
  return made;
}

function drawTotals(here, table, { numbers, printed, stateOf }) {
  const cells = [...table.tFoot.rows[0].cells].slice(1);
  const best = leading(numbers);
  const lengths = numbers.seats.map((seat, place) => {
    const isGone = ["out", "left"].includes(seat.seat);
    if (isGone && seat.seat === printed.seats[place].seat) return 0; // as it was printed
    const isRed = seat.seat === "pending" || isClose(seat, numbers);
    const isLeading = best.includes(seat);
    const figure =
      seat.total === null ? "?" : `${numbers.waits ? SIGN : ""}${minus(shown(numbers, seat.total))}`;
    const total = cells[place].querySelector(".total");
    total.className = ["total", isLeading && "lead", isGone ? "soft" : isRed && "red"]
      .filter(Boolean)
      .join(" ");
    total.replaceChildren(figure, ...(isLeading ? [piece("span", "vh", wordsOf(here).leads)] : []));
    drawMargin(cells[place].querySelector(".margin"), numbers.over && !isGone ? "" : stateOf(seat), isRed);
    return figure.length;
  });
  table.dataset.digits = Math.min(Math.max(Number(sheetOf(table).digits), ...lengths), MOST_DIGITS);
}

const isClose = ({ seat, total }, { limit, over }) =>
  seat === "in" && !over && limit !== null && total !== null && total >= CLOSE * limit;

// Show the figure alone where the words do not fit.
function drawMargin(margin, state, isRed) {
  margin.classList.toggle("red", isRed);
  if (margin.closest("table").dataset.players <= WORDS_FIT) return margin.replaceChildren(state);
  const [figure = ""] = /[−\d][\d.,]*/.exec(state) ?? [];
  const seen = piece("span", "", figure);
  seen.ariaHidden = "true";
  return margin.replaceChildren(seen, piece("span", "vh", state));
}

// The leading seats; none while a total is unknown.
function leading(numbers) {
  const seats = playing(numbers);
  if (numbers.over) return seats.filter((seat) => numbers.winners?.includes(seat.id));
  if (seats.some((seat) => seat.total === null)) return [];
  const best = Math[numbers.lowest ? "min" : "max"](...seats.map((seat) => seat.total));
  return seats.filter((seat) => seat.total === best);
}
