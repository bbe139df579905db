// Hands of any other game: points counted at the table, below zero too, and no cards. In some of these games
// a player closes each round, and need not enter points.

import { Hands } from "./hands.js";

export class Typed extends Hands {
  blank() {
    return { view: "digits" };
  }
  hasClosings() {
    return this.entry.asksCloser;
  }
  closerState() {
    const { closer, hands } = this.state;
    return hands[closer] ? "" : this.entry.closing?.short;
  }
  seatView() {
    return "digits";
  }

  tap(what) {
    if ("zeros" in what) this.pad.change(() => this.fillZeros());
  }

  // The other players without points yet. A blank is not a 0, so a tap writes a 0 for each of them, except
  // for players whose own phones send their points.
  blanks() {
    const theirs = this.pad.form.dataset.phones?.split(" ") ?? [];
    return this.entry
      .places()
      .filter((seat) => seat !== this.entry.open && this.entry.isMissing(seat) && !theirs.includes(seat.id));
  }

  fillZeros() {
    for (const { id } of this.blanks()) this.state.hands[id] = "0";
  }

  draw(seat) {
    super.draw(seat);
    const zeros = this.pad.one("[data-zeros]");
    if (zeros) zeros.disabled = !this.blanks().length;
  }
}
