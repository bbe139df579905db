// The keys of the cards: their values, and how many of each are left in the pack in this round.

import { counted, face, fill, icon, patch, piece, setText } from "../base/dom.js";
import { say } from "../base/voice.js";
import { Hands } from "./hands.js";

const SUIT = /[SHDCoceb]$/;
const FEW = 3; // so many of a card left in the pack are told

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
      label: button.dataset.card.replace("*", "★"),
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

  // Draws which cards have run out, and how many of each the open hand has.
  draw() {
    const used = this.used();
    const open = cardsIn(this.pad.entry.hand).map((card) => this.of(card)?.card);
    for (const { button, card, copies } of this.list) {
      button.ariaDisabled = String((used.get(this.of(card)) || 0) >= copies);
      const many = open.filter((one) => one === card).length;
      setText(button.querySelector("em"), String(many || ""));
    }
  }

  // Returns how many of the card tapped last the pack has left, in words; "" while there are enough.
  rest() {
    const { last } = this;
    const rest = last ? this.left(last.card) : FEW + 1;
    const words = { card: last?.label };
    if (rest > FEW) return "";
    return rest > 0 ? counted(this.pad.words, "left", rest, words) : fill(this.pad.words.none_left, words);
  }

  // Returns a card that a tap takes out of the hand.
  piece(card, place) {
    const { words } = this.pad;
    const key = this.of(card);
    const shown = key?.card === card ? face(card) : card;
    const made = piece("button", "c", shown);
    made.dataset.held = place;
    if (key) Object.assign(made.dataset, { value: String(key.value), key: key.card });
    made.ariaLabel = fill(words.take, { card: key ? key.button.getAttribute("aria-label") : card });
    return made;
  }

  // Draws the cards of a hand as a fan, each turned by its distance from the middle.
  drawFan(pieces) {
    const box = this.pad.one("[data-cards]");
    patch(box, pieces, this.pad.one("[data-erase]"));
    const middle = (pieces.length - 1) / 2;
    box.style.setProperty("--many", String(pieces.length));
    for (const [place, card] of [...box.children].entries())
      card.style.setProperty("--from-middle", String(place - middle));
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
    say(this.keys.rest());
  }

  note(seat) {
    if (this.state.view === "digits") return super.note(seat);
    const count = cardsIn(this.entry.hand).length;
    return (!this.isOver && this.keys.rest()) || (count ? this.counted : this.pad.words.cards);
  }

  get counted() {
    const dealt = this.entry.numbers.cards;
    return fill(this.pad.words.count, { count: cardsIn(this.entry.hand).length, dealt });
  }
  get isOver() {
    return cardsIn(this.entry.hand).length > this.entry.numbers.cards;
  }

  draw(seat) {
    const note = this.pad.one("[data-note]");
    if (this.isOver && !note.matches("[data-over]")) say(this.counted);
    note.toggleAttribute("data-over", this.isOver);
    super.draw(seat);
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
