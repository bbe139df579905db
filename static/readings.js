// What only the server can say of a hand: the price of a meld, what is left of seven cards. Kept by the text of the
// hand, so that nothing flickers while the next answer is on its way.

export class Readings {
  constructor() {
    this.hands = new Map();
    this.melds = new Map();
    this.isLost = false; // the last question got no answer
  }

  take(region) {
    this.isLost = false;
    for (const found of region.querySelectorAll("data.reading")) {
      const reading = JSON.parse(found.value);
      this.hands.set(`${found.dataset.hand} ${reading.text}`, reading);
      for (const meld of reading.melds) this.melds.set(meld.text, meld);
    }
  }

  hand(id, text) { return this.hands.get(`${id} ${text}`); }
  meld(text) { return this.melds.get(text); }
}
