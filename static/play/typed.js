// Hands of any other game: points counted at the table, below zero too. Rounds have no closer, hands no
// cards.

import { drawSum } from "./frame.js";
import { CountedHands, know } from "./pad.js";

class Typed extends CountedHands {
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

  draw(seat) {
    drawSum(this.pad, seat);
  }
}

know("typed", Typed);
