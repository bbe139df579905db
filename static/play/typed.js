// Points as they were counted at the table, below zero too: any other game. Nobody closes its rounds, and
// there are no cards.

import { drawSum } from "./frame.js";
import { know } from "./pad.js";

class Typed {
  constructor(pad) {
    this.pad = pad;
  }

  blank() {
    return { view: "digits" };
  }
  opened() {}
  asksCloser() {
    return false;
  }
  hasClosings() {
    return false;
  }
  closerState() {
    return "";
  }
  viewOf() {
    return "digits";
  }
  otherView() {
    return "digits";
  }
  points() {
    return null;
  }
  round() {
    return null;
  }
  isWrong() {
    return true;
  }
  wrong(seat) {
    return this.pad.readings.hand(seat.id, this.pad.entry.posted(seat))?.wrong;
  }
  posted(text) {
    return text;
  }
  title() {
    return this.pad.text.textHand;
  }
  tap() {}
  press() {
    return false;
  }

  erase() {
    this.clear();
  }

  clear() {
    this.pad.entry.hand = "";
  }

  draw(seat) {
    drawSum(this.pad, seat);
  }
}

know("typed", Typed);
