// The open run of Loba de Más, large above the keys: a tap on one of its cards makes it a wild.

import { fill, patch, say, setText } from "../base/dom.js";

/** @import { Melds } from "./melds.js" */

const WILDS = ["", "2", "*"];

/** @type {(hands: Melds) => void} */
export function draw(hands) {
  const { pad, openRun: run } = hands;
  if (!run) return;
  const [cards, worth, wrong] = hands.turns.children;
  const row = hands.laidOut(run).map((card, place) => ({
    key: `${card} ${place}`,
    make: () => turned(hands, card, place),
  }));
  patch(cards, row, pad.one("[data-erase]"));
  const reading = hands.priced(run);
  const [value, name] = worth.children;
  setText(value, hands.worth(reading));
  value.classList.toggle("red", Boolean(reading?.wrong));
  setText(name, reading?.name || pad.words.name_run);
  say(wrong, reading?.wrong || "");
}

function turned(hands, card, place) {
  const made = hands.card(card, "button");
  made.dataset.turn = place;
  made.ariaLabel = fill(hands.pad.words.turn, { card: hands.spoken(card) });
  return made;
}

// Turns a card of the open run: natural, replaced by a two, replaced by a joker.
/** @type {(hands: Melds, place: number) => void} */
export function turnCard(hands, place) {
  const run = hands.laidOut(hands.openRun);
  const [card, stands] = run[place].split("=");
  const { card: natural } = hands.keys.of(card);
  const rank = stands || natural;
  const next =
    WILDS.slice(WILDS.indexOf(stands || card === "*" ? natural : "") + 1).find((one) => one !== rank) || "";
  run[place] = next ? `${next}=${rank}` : rank;
  hands.edit((hand) => {
    hand.melds[hands.state.meld] = run;
  });
}
