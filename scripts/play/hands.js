// What all kinds of hands have in common (held.js, melds.js, leftover.js, typed.js).

import { isNumber } from "../base/dom.js";
import { drawSum } from "./frame.js";

// A kind of hand: the differences between held.js, melds.js, leftover.js and typed.js. By default the phone
// counts the hand itself, and the server only reports errors.
export class Hands {
  constructor(pad) {
    this.pad = pad;
    this.entry = pad.entry;
  }
  get state() {
    return this.entry.state;
  }

  // Returns the initial values of its own fields of the state.
  blank() {
    return {};
  }
  // Returns the hand as the server reads it.
  posted(text, _seat) {
    return text;
  }
  // Returns whether the player who went out has anything to enter.
  asksCloser() {
    return true;
  }
  hasClosings() {
    return true;
  }
  // Returns the text below the closer.
  closerState() {
    return "";
  }

  reading(seat) {
    return this.pad.readings.hand(seat.id, this.entry.posted(seat));
  }
  // Returns the points of a hand that the phone alone cannot count.
  points(_seat) {
    return null;
  }
  // Returns the score of such a hand in the round, bonus included.
  round(_seat) {
    return null;
  }
  // Returns whether its points may still decrease.
  mayFall(_seat) {
    return false;
  }
  // Returns how many cards are missing, in words, if the hand is entered card by card.
  lacking(_seat) {
    return "";
  }
  isWrong(_seat) {
    return true;
  }
  wrong(seat) {
    return this.reading(seat)?.wrong;
  }

  // Returns the keys that a hand opens with.
  /** @returns {string} */
  seatView(text, _seat, _was) {
    return isNumber(text) ? "digits" : "cards";
  }
  // Returns the chosen way to enter the open hand.
  way(_seat) {
    return this.state.view;
  }
  turnTo(way) {
    this.pad.set({ view: way });
  }
  // Returns the sentence above the keys.
  note(_seat) {
    return this.pad.words.typed;
  }
  title(_seat) {
    return this.pad.words.hand;
  }

  tap(_what) {}
  // Handles a key; returns whether it means anything.
  press(_key) {
    return false;
  }
  opened() {}
  erase() {
    this.clear();
  }
  clear() {
    this.entry.hand = "";
  }
  draw(seat) {
    drawSum(this.pad, seat);
  }
}
