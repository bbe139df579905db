// The course of a game once the waiting entries are recorded, as far as a phone can know it: who is bust,
// the total and the price of a re-entry, who deals, who won. The functions change none of their arguments.

import { closerOf, closingOf, playing, readHand, roundPoints, seatOf } from "./arithmetic.js";

/** @import { Numbers, Round, Seat } from "./arithmetic.js" */

const DEAREST = 1e15;

const known = (total) => total !== null;

/** @type {(numbers: Numbers) => Seat[]} */
export const pending = (numbers) => numbers.seats.filter((one) => one.seat === "pending");

/**
 * The numbers once this round is played: the totals, the pending re-entries with their totals, whether the
 * game is over. `unsure` if a total that only the server counts decides who plays on.
 * @param {Numbers} numbers
 * @param {Round} entry
 * @returns {Numbers}
 */
export function played(numbers, entry) {
  const points = roundPoints(numbers, entry);
  const how = closingOf(numbers, entry);
  const closer = closerOf(entry);
  const seats = numbers.seats.map((one) => {
    if (one.seat === "pending") return { ...one, seat: "out", back: null };
    if (one.seat !== "in") return one;
    const total = known(one.total) && points[one.id] !== null ? one.total + points[one.id] : null;
    const seat = { ...one, total, won: one.won + Number(one.id === closer) };
    if (total === null) {
      seat.most = mostOf(one) + (points[one.id] ?? readHand(numbers, entry.hands[one.id]).most ?? Infinity);
    }
    return seat;
  });
  const next = {
    ...numbers,
    after: numbers.after + 1,
    round: numbers.round + 1,
    dealt: dealer(numbers),
    due: null,
    seats,
  };
  if (numbers.contracts) {
    next.contracts = numbers.contracts.slice(1);
    next.cards = next.contracts[0]?.[1] ?? numbers.cards;
  }
  return how.wins && closer ? over(next, "instant_win", [closer]) : judged(next);
}

// --- the next step -----------------------------------------------------------------------------------------

const mostOf = (one) => one.total ?? one.most;

function judged(numbers) {
  const here = playing(numbers);
  const { limit, ending } = numbers;
  const bust = here.filter((one) => known(one.total) && one.total >= limit);
  const maybe = here.filter((one) => !known(one.total) && one.most >= limit);
  if (numbers.wins_at !== null) {
    if (here.some((one) => !known(one.total))) return { ...numbers, unsure: true };
    if (here.some((one) => one.total <= numbers.wins_at))
      return over(numbers, "target", best(numbers, here), bust);
  }
  if (ending === "last_in") {
    if (maybe.length) return { ...numbers, unsure: true };
    const alive = here.filter((one) => !bust.includes(one));
    if (!alive.length) return over(numbers, "everybody_bust", best(numbers, here), bust);
    if (alive.length === 1) return over(numbers, "last_in", [alive[0].id], bust);
    return asking(numbers, bust, alive);
  }
  if (ending === "first_out") {
    if (bust.length) return over(numbers, "first_out", best(numbers, here), bust);
    return maybe.length ? { ...numbers, unsure: true } : numbers;
  }
  const winners = best(numbers, here);
  const isDecided = !(numbers.play_on && winners?.length !== 1);
  if (ending === "first_to") {
    const reached = here.some((one) => known(one.total) && one.total >= numbers.target);
    return reached && isDecided ? over(numbers, "target", winners) : numbers;
  }
  if (ending === "rounds") {
    return numbers.round > numbers.rounds && isDecided ? over(numbers, "rounds_done", winners) : numbers;
  }
  if (ending === "open" || numbers.contracts?.length) return numbers;
  return over(
    numbers,
    "contracts_done",
    winners && numbers.by_rounds_won ? mostWon(numbers, winners) : winners,
  );
}

// Each bust player may re-enter with the same total, or is out if no re-entry is left or the totals are
// too high.
function asking(numbers, bust, alive) {
  const highest = Math.max(...alive.map((one) => one.total ?? -Infinity));
  const most = Math.max(...alive.map(mostOf));
  if (bust.length && isClosed(numbers, highest) !== isClosed(numbers, most)) {
    return { ...numbers, unsure: true };
  }
  const total = most + numbers.above;
  const back = highest === most ? { back: total } : { back: null, most: total };
  const isOut = (one) => isClosed(numbers, highest) || (numbers.cap !== null && one.reentries >= numbers.cap);
  return withSeats(numbers, bust, (one) => (isOut(one) ? { seat: "out" } : { seat: "pending", ...back }));
}

// Whether nobody may come in while this is the highest total of those in.
const isClosed = (numbers, highest) =>
  highest > (numbers.entry_limit ?? Infinity) || highest + numbers.above >= numbers.limit;

function over(numbers, reason, winners, bust = []) {
  const gone = numbers.seats.filter(
    (one) => one.seat === "pending" || (bust.includes(one) && winners && !winners.includes(one.id)),
  );
  const pot = winners && numbers.pot !== null ? { pot: 0 } : {};
  return { ...withSeats(numbers, gone, () => ({ seat: "out", back: null })), ...pot, over: reason, winners };
}

// The ids of the players with the best total; null while only the server can count one that decides it.
function best(numbers, among) {
  if (among.some((one) => !known(one.total))) return null;
  const totals = among.map((one) => one.total);
  const total = numbers.lowest ? Math.min(...totals) : Math.max(...totals);
  return among.filter((one) => one.total === total).map((one) => one.id);
}

function mostWon(numbers, tied) {
  const most = Math.max(...tied.map((id) => seatOf(numbers, id).won));
  return tied.filter((id) => seatOf(numbers, id).won === most);
}

function withSeats(numbers, some, change) {
  return {
    ...numbers,
    seats: numbers.seats.map((one) => (some.includes(one) ? { ...one, ...change(one) } : one)),
  };
}

// --- dealing and re-entries --------------------------------------------------------------------------------

/**
 * The id of the player who deals the next round.
 * @param {Numbers} numbers
 * @returns {string | null}
 */
export function dealer(numbers) {
  const around = numbers.direction === "left" ? numbers.seats : [...numbers.seats].reverse();
  const from =
    around.findIndex((one) => one.id === (numbers.due ?? numbers.dealt)) + (numbers.due === null ? 1 : 0);
  return [...around.slice(from), ...around.slice(0, from)].find((one) => one.seat === "in")?.id ?? null;
}

/**
 * The price of this player's next re-entry, on their own ladder; null if it is higher than the server counts.
 * @param {Numbers} numbers
 * @param {string} id
 * @returns {number | null}
 */
export function feeOf(numbers, id) {
  const count = seatOf(numbers, id).reentries + 1;
  const fee = numbers.fee * { flat: 1, linear: count, double: 2 ** (count - 1) }[numbers.price];
  return fee > DEAREST ? null : fee;
}

/**
 * The pot once this player re-entered: null where nobody pays.
 * @param {Numbers} numbers
 * @param {string} id
 * @returns {number | null}
 */
export const potWith = (numbers, id) => (numbers.pot === null ? null : numbers.pot + feeOf(numbers, id));

/**
 * The numbers once a bust player answered: "reenter" or "stay_out".
 * @param {Numbers} numbers
 * @param {string} id
 * @param {string} answer
 * @returns {Numbers}
 */
export function answered(numbers, id, answer) {
  const seat = seatOf(numbers, id);
  const comes = answer === "reenter";
  const { back, ...rest } = seat;
  /** @type {Seat} */
  const change = comes
    ? { ...rest, seat: "in", total: back, reentries: seat.reentries + 1, back: null }
    : { ...rest, seat: "out", back: null };
  return {
    ...numbers,
    after: numbers.after + 1,
    pot: comes ? potWith(numbers, id) : numbers.pot,
    seats: numbers.seats.map((one) => (one === seat ? change : one)),
  };
}
