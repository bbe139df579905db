// Hands of cards that count against their player: Loba de Menos and the contract games, where bought cards
// may count too.

import { readHand } from "./arithmetic.js";
import { CardHands, cardsIn, written } from "./keys.js";
import { isNumber, setText } from "../base/dom.js";

export class Held extends CardHands {
  constructor(pad) {
    super(pad);
    this.stepper = pad.one("[data-bought]");
  }

  asksCloser() {
    return Boolean(this.stepper);
  }
  closerState() {
    return this.entry.closing?.short;
  }
  seatView(text) {
    return isNumber(text) ? "digits" : text && "cards";
  }

  // The player who went out has nothing left.
  posted(text, seat) {
    return this.entry.isCloser(seat) ? "" : text;
  }

  title(seat) {
    const { words } = this.pad;
    return (this.entry.isCloser(seat) && words.bought) || words.hand;
  }

  tap({ card, held, buy }) {
    if (card) this.add(card);
    else if (held) this.takeOut(Number(held));
    else if (buy) this.buy(Number(buy));
  }

  press(key) {
    const card = key === "0" ? "10" : key;
    if (!this.keys.of(card) || this.entry.isCloser(this.entry.open)) return false;
    this.add(card);
    return true;
  }

  add(card) {
    this.keys.last = this.keys.of(card);
    if (this.keys.left(card) < 1) this.refuseCard();
    else this.write(written([...cardsIn(this.entry.hand), card]));
  }

  buy(more) {
    const { bought, seat } = this.state;
    this.pad.change(() => {
      bought[seat] = Math.max((bought[seat] || 0) + more, 0);
    });
  }

  note(seat) {
    const { raw } = readHand(this.entry.numbers, this.entry.hand);
    return this.entry.isCloser(seat) ? this.pad.words.nothing : raw || super.note(seat);
  }

  draw(seat) {
    const isCloser = this.entry.isCloser(seat);
    this.keys.draw();
    this.keys.drawFan(isCloser ? [] : this.pieces((card, place) => this.keys.piece(card, place)));
    if (this.stepper) setText(this.stepper, String(this.state.bought[seat.id] || 0));
    this.pad.one("[data-box]").toggleAttribute("data-closer", isCloser);
    super.draw(seat);
  }
}
