// The state of a game in words: amounts, margins, the winners.

import { wordsOf } from "../base/page.js";
import { counted, fill, grouped, minus } from "../base/pieces.js";
import { nameOf } from "./place.js";

function money(here, amount) {
  const { money: pattern, decimals } = here.dataset;
  const figure = grouped(Math.abs(amount) / 10 ** decimals, Number(decimals));
  return minus(fill(pattern, { amount: figure }));
}

// A pot in words: none where nobody pays.
export const potIn = (here, pot) => (pot === null ? "" : money(here, pot));

export function stateOf(here, numbers, seat) {
  const words = wordsOf(here);
  if (seat.total === null) return words.later;
  if (seat.seat === "out") return words.out;
  return seat.seat === "pending" ? words.bust : marginOf(words, numbers, seat.total);
}

export function marginOf(words, { limit, target, lowest, down }, total) {
  if (down || (limit === null && (!target || lowest))) return "";
  const margin = limit === null ? Math.max(target - total, 0) : limit - total;
  return counted(words, "margin", margin, { points: minus(grouped(margin)) });
}

export function endingOf(here, { unsure, winners }) {
  const words = wordsOf(here);
  if (unsure) return words.unsure;
  if (!winners?.length) return words.over;
  return fill(words.won, { names: winners.map((id) => nameOf(here, id)).join(", ") });
}
