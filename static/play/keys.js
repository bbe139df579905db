// The keys of the cards: their values, and how many of each are left in the pack in this round.

import { counted, face, fill, icon, patch, piece, say } from "../base/dom.js";
import { Hands } from "./pad.js";

const SUIT = /[SHDCoceb]$/;

// Returns the cards of a hand, those of its melds first; none for a hand in points.
export function cardsIn(text) {
  return /[[{]/.test(text)
    ? text
        .replace(/[[\]{}]/g, " ")
        .split(/\s+/)
        .filter(Boolean)
    : [];
}

export const written = (cards) => (cards.length ? `[${cards.join(" ")}]` : "");

// Draws the chosen suit on a key, or its value.
export function drawSuit(button, suit) {
  const { of = "", value } = button.dataset;
  if (of === suit) return;
  if (suit) button.dataset.of = suit;
  else delete button.dataset.of;
  button.querySelector("small").replaceChildren(suit ? icon(suit) : value);
}

export class Keys {
  constructor(pad) {
    this.pad = pad;
    this.list = pad.all("[data-card]").map((button) => ({
      button,
      card: button.dataset.card,
      label: button.dataset.label,
      value: Number(button.dataset.value),
      copies: Number(button.dataset.copies),
    }));
    this.byCard = new Map(this.list.map((key) => [key.card, key]));
    this.last = null; // the key tapped last, which shows its remaining count
  }

  // Returns the key of a card, ignoring its suit and the card a wild replaces.
  of(card) {
    const [rank] = card.split("=");
    return this.byCard.get(rank) || this.byCard.get(rank.replace(SUIT, ""));
  }

  // Counts each key's cards in the hands of this round.
  used() {
    const { entry } = this.pad;
    const used = new Map();
    for (const card of entry.places().flatMap((seat) => cardsIn(entry.state.hands[seat.id] || ""))) {
      const key = this.of(card);
      used.set(key, (used.get(key) || 0) + 1);
    }
    return used;
  }

  left(card) {
    const key = this.of(card);
    return key.copies - (this.used().get(key) || 0);
  }

  draw() {
    const used = this.used();
    for (const key of this.list) {
      key.button.ariaDisabled = String((used.get(key) || 0) >= key.copies);
    }
    const { one, words } = this.pad;
    const rest =
      this.last && this.pad.entry.state.view === "cards"
        ? this.last.copies - (used.get(this.last) || 0)
        : Infinity;
    const card = this.last?.label;
    const sentence = rest > 0 ? counted(words, "left", rest, { card }) : fill(words.none_left, { card });
    say(one("[data-left]"), rest > 3 ? "" : sentence);
    one("[data-left]").classList.toggle("red", rest <= 0);
  }

  drawCount(many) {
    const count = this.pad.one("[data-count]");
    const dealt = this.pad.entry.numbers.cards;
    const sentence = fill(this.pad.words.count, { count: many, dealt });
    say(count, this.pad.entry.state.view === "cards" ? sentence : "");
    if (many > dealt && !count.classList.contains("red")) this.pad.tell("text", sentence);
    count.classList.toggle("red", many > dealt);
  }

  // Returns a card that a tap takes out of the hand.
  piece(card, place) {
    const { words } = this.pad;
    const key = this.of(card);
    const shown = key?.card === card ? face(key.label === "★" ? "*" : key.label) : card;
    const made = piece("button", "c", shown);
    made.dataset.held = place;
    made.ariaLabel = fill(words.take, { card: key ? key.button.getAttribute("aria-label") : card });
    return made;
  }

  // Draws the cards of a hand, or a text if there are none.
  drawHand(pieces, empty) {
    const note = { key: empty, make: () => piece("span", "", empty) };
    patch(this.pad.one("[data-cards]"), pieces.length ? pieces : [note], this.pad.one("[data-erase]"));
  }
}

// A kind of hand that is a list of cards.
export class CardHands extends Hands {
  constructor(pad) {
    super(pad);
    this.keys = new Keys(pad);
  }

  opened() {
    this.keys.last = null;
  }

  // The pack has no more of the card tapped last.
  refuseCard() {
    this.pad.draw();
    this.pad.tell("text", this.pad.one("[data-left]").textContent);
  }

  takeOut(place) {
    this.keys.last = null;
    this.write(written(cardsIn(this.entry.hand).filter((_, index) => index !== place)));
  }

  write(text) {
    this.pad.change(() => {
      this.entry.hand = text;
    });
  }

  erase() {
    this.keys.last = null;
    this.entry.hand = written(cardsIn(this.entry.hand).slice(0, -1));
  }

  // Returns the cards of the open hand for `drawHand`.
  pieces(make) {
    return cardsIn(this.entry.hand).map((card, place) => ({
      key: `${place} ${card}`,
      make: () => make(card, place),
    }));
  }
}
