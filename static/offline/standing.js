// The state of a game in words: amounts, margins, the winners.

import { counted, fill, grouped, minus } from "../base/pieces.js";
import { nameOf } from "./place.js";

function money(here, amount) {
  const { money: pattern, decimals } = here.dataset;
  const figure = grouped(Math.abs(amount) / 10 ** decimals, Number(decimals));
  return minus(fill(pattern, { amount: figure }));
}

// A pot in words: none where nobody pays.
export const potIn = (here, pot) => (pot === null ? "" : money(here, pot));

export function stateOf({ dataset }, numbers, seat) {
  if (seat.total === null) return dataset.later;
  if (seat.seat === "out") return dataset.out;
  return seat.seat === "pending" ? dataset.bust : marginOf(dataset, numbers, seat.total);
}

export function marginOf(words, { limit, target, lowest, down }, total) {
  if (down || (limit === null && (!target || lowest))) return "";
  const margin = limit === null ? Math.max(target - total, 0) : limit - total;
  const word = limit === null ? "togo" : "left";
  return counted(words, word, margin, { points: minus(grouped(margin)) });
}

export function endingOf(here, { unsure, winners }) {
  const { dataset } = here;
  if (unsure) return dataset.unsure;
  if (!winners?.length) return dataset.over;
  return fill(dataset.won, { names: winners.map((id) => nameOf(here, id)).join(", ") });
}
