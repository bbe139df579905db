// Totals with the queued entries added, on the sheet and for the pad. A sign marks those that are not
// recorded. The phone adds up and sees who reached the limit; the price of a re-entry, the dealer and the
// winner come from the site.

import { messages } from "../base/page.js";
import { memory } from "../base/state.js";
import { counted, fill, grouped, minus, piece } from "../base/dom.js";
import { closerId, findClosing, playing, readHand, roundPoints, shown } from "../play/arithmetic.js";
import { box, nameFor } from "./place.js";

/** @import { Numbers, Round, Seat } from "../play/arithmetic.js" */
/** @import { Entry } from "./list.js" */

const SIGN = "≈";
const UNKNOWN = "?";
const MOST_DIGITS = 6; // of the longest total that the styles have a size for
const WORDS_FIT = 5; // columns at most

/** @type {(seat: Seat) => number} */
const topTotal = ({ total, most }) => total ?? most;

// The numbers after this round.
/** @type {(numbers: Numbers, round: Round) => Numbers} */
export function played(numbers, round) {
  const points = roundPoints(numbers, round);
  const seats = numbers.seats.map((seat) => {
    if (seat.seat !== "in") return seat;
    const more = points[seat.id] ?? readHand(numbers, round.hands[seat.id]).most ?? Infinity;
    const isKnown = seat.total !== null && points[seat.id] !== null;
    return { ...seat, total: isKnown ? seat.total + more : null, most: topTotal(seat) + more };
  });
  const next = { ...numbers, after: numbers.after + 1, round: numbers.round + 1, deals: null, seats };
  if (numbers.contracts) {
    next.contracts = numbers.contracts.slice(1);
    next.cards = next.contracts[0]?.[1] ?? numbers.cards;
  }
  const wins = findClosing(numbers, round).wins && closerId(round);
  return wins || mayEnd(next) ? { ...next, unsure: true } : asking(next);
}

// Whether these totals may end the game.
/** @type {(numbers: Numbers) => boolean} */
function mayEnd(numbers) {
  const { ending, limit, target, rounds, round, contracts, wins_at, play_off } = numbers;
  const here = playing(numbers);
  const left = here.filter((seat) => topTotal(seat) < limit);
  const isOpen = (seat) => seat.total === null;
  if (play_off) return true;
  if (wins_at !== null && here.some((seat) => isOpen(seat) || seat.total <= wins_at)) return true;
  if (ending === "last_in")
    return left.length < 2 || here.some((seat) => isOpen(seat) && !left.includes(seat));
  if (ending === "first_out") return left.length < here.length;
  if (ending === "first_to") return here.some((seat) => !isOpen(seat) && seat.total >= target);
  return ending === "rounds" ? round > rounds : ending === "contracts" && !contracts.length;
}

// Players who reached the limit may re-enter with the highest total, if they have a re-entry left and it is
// not too late.
function asking(numbers) {
  const left =
    numbers.ending === "last_in" ? playing(numbers).filter((seat) => topTotal(seat) < numbers.limit) : [];
  if (!left.length || left.length === playing(numbers).length) return numbers;
  const top = Math.max(...left.map(topTotal));
  const isKnown = left.some(({ total }) => total === top);
  const isLate = top > numbers.open_to;
  if (isLate && !left.some(({ total }) => total > numbers.open_to)) return { ...numbers, unsure: true };
  const back = top + numbers.above;
  const seats = numbers.seats.map((seat) => {
    if (seat.seat !== "in" || left.includes(seat)) return seat;
    if (isLate || (numbers.cap !== null && seat.reentries >= numbers.cap)) return { ...seat, seat: "out" };
    return { ...seat, seat: "pending", back: isKnown ? back : null, most: back };
  });
  return { ...numbers, seats };
}

// The numbers after a bust player's answer: "reenter" or "stay_out".
/** @type {(numbers: Numbers, id: string, answer: string) => Numbers} */
export function answered(numbers, id, answer) {
  const comes = answer === "reenter";
  /** @type {Seat[]} */
  const seats = numbers.seats.map((seat) => {
    if (seat.id !== id) return seat;
    const { reentries, back } = seat;
    return comes
      ? { ...seat, seat: "in", total: back, reentries: reentries + 1, back: null }
      : { ...seat, seat: "out", back: null };
  });
  const pot = comes && numbers.pot !== null ? undefined : numbers.pot;
  return { ...numbers, after: numbers.after + 1, deals: null, pot, seats };
}

// The numbers with the queued entries; `waits` has the entries that they include.
/** @type {(here: HTMLElement, entries: Entry[]) => Promise<Numbers>} */
export async function foreseen(here, entries) {
  const known = await box.numbers(here.dataset.game).catch(() => null);
  const printed = JSON.parse(here.dataset.numbers);
  /** @type {Numbers} */
  let numbers = known?.after > printed.after ? known : printed;
  for (const entry of entries.filter(({ held }) => !held)) {
    const { fact, round, answer } = entry;
    if (fact.after !== numbers.after) continue;
    const points = round && roundPoints(numbers, round);
    const waits = [...(numbers.waits ?? []), { entry, number: numbers.round, points }];
    numbers = { ...(round ? played(numbers, round) : answered(numbers, answer[0], answer[1])), waits };
  }
  return numbers;
}

// The next step: the re-entry to ask about, whether a round can be entered, or whether an entry was refused.
export function outlook(numbers, entries) {
  const isStopped = entries.some(({ held }) => held);
  const isOpen = !numbers.unsure && !numbers.over;
  const isAsking = isOpen && !isStopped;
  const pendingSeat = isAsking ? numbers.seats.find(({ seat }) => seat === "pending") : undefined;
  return { isStopped, isOpen, pendingSeat, isFree: isAsking && !pendingSeat };
}

export const totalText = (numbers, { total }) => (total === null ? UNKNOWN : minus(shown(numbers, total)));

// The state of a seat: the points left to its player.
export function seatState(here, { limit, target, lowest, down }, { seat, total }) {
  const { later, out, bust, ...words } = messages(here);
  if (seat !== "in") return seat === "out" ? out : bust;
  if (total === null) return later;
  if (down || (limit === null && (!target || lowest))) return "";
  const margin = limit === null ? Math.max(target - total, 0) : limit - total;
  return counted(words, "margin", margin, { points: minus(grouped(margin)) });
}

// The heading of the round with these numbers.
export function titleFor(here, { round, contracts }) {
  const heading = fill(messages(here).record, { number: round });
  return contracts?.[0]?.[0] ? `${heading} · ${contracts[0][0]}` : heading;
}

// --- on the sheet -----------------------------------------------------------------------------------------

const wasPrinted = memory((place) => [...place.childNodes]);

/** @type {(table: HTMLTableElement) => { foot: HTMLTableSectionElement, digits: string }} */
const asDrawn = memory((table) => ({ foot: table.tFoot, digits: table.dataset.digits }));

// Draw the sheet with these numbers, or as printed if they are not newer.
export function drawSheet(here, numbers) {
  /** @type {HTMLTableElement} */
  const table = document.querySelector("#sheet table");
  const printed = JSON.parse(here.dataset.numbers);
  const isNewer = numbers.after > printed.after;
  const { foot, digits } = asDrawn(table);
  table.tFoot.replaceWith(foot.cloneNode(true));
  table.dataset.digits = digits;
  if (isNewer) drawTotals(here, table, numbers, printed);
  drawRows(table.querySelector("[data-scroll-end]"), numbers);
  const { deals, over, pot, round } = numbers;
  const words = messages(here);
  const facts = {
    pot: pot === printed.pot ? "" : UNKNOWN,
    dealer: deals ? nameFor(here, deals) : UNKNOWN,
    round: over ? words.ended : fill(words.round, { number: round }),
    record: fill(words.record, { number: round }),
  };
  for (const place of document.querySelectorAll("main [data-now]")) {
    const printedNodes = wasPrinted(place);
    const fact = isNewer && facts[place.dataset.now];
    place.replaceChildren(...(fact ? [fact] : printedNodes));
  }
}

function drawRows(body, { seats, waits = [] }) {
  for (const row of body.querySelectorAll("[data-unsent]")) row.remove();
  for (const { entry, number, points } of waits) {
    const row = points ? roundRow(seats, points, number, entry.round.closer) : answerRow(entry);
    row.dataset.unsent = "";
    row.role = "row";
    body.append(row);
  }
  if (waits.length) body.scrollTop = body.scrollHeight;
}

function roundRow(seats, points, number, closer) {
  const cells = seats.map(({ id }) => {
    const figure = id in points ? minus(points[id] ?? UNKNOWN) : "";
    return cell("td", closer === id ? "cut" : "", figure);
  });
  return piece("tr", "", cell("th", "", `${SIGN}${number}`), ...cells);
}

const answerRow = ({ title, detail }) =>
  piece("tr", "re", cell("td", "", ""), cell("td", "line", `${SIGN} ${title}: ${detail}`));

function cell(tag, className, text) {
  const made = piece(tag, className, text);
  made.role = tag === "th" ? "rowheader" : "cell";
  return made;
}

function drawTotals(here, table, numbers, printed) {
  const cells = [...table.tFoot.rows[0].cells].slice(1);
  const lengths = numbers.seats.map((seat, place) => {
    const isGone = ["out", "left", "sits_out"].includes(seat.seat);
    if (isGone && seat.seat === printed.seats[place].seat) return 0; // as printed
    const isRed = seat.seat === "pending";
    const figure = `${numbers.waits && seat.total !== null ? SIGN : ""}${totalText(numbers, seat)}`;
    const total = cells[place].querySelector(".total");
    total.className = `total ${isGone ? "soft" : isRed ? "red" : ""}`;
    total.textContent = figure;
    drawMargin(cells[place].querySelector(".margin"), seatState(here, numbers, seat), isRed);
    return figure.length;
  });
  table.dataset.digits = Math.min(Math.max(Number(asDrawn(table).digits), ...lengths), MOST_DIGITS);
}

// Show only the number where the label does not fit.
function drawMargin(margin, state, isRed) {
  margin.classList.toggle("red", isRed);
  if (margin.closest("table").dataset.players <= WORDS_FIT) return margin.replaceChildren(state);
  const [figure = ""] = /[−\d][\d.,]*/.exec(state) ?? [];
  const seen = piece("span", "", figure);
  seen.ariaHidden = "true";
  return margin.replaceChildren(seen, piece("span", "vh", state));
}
