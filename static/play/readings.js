// What only the server can say of a hand: the price of a meld, what is left of seven cards. Kept by the text
// of the hand, so that nothing flickers while the next answer is on its way; what it gives in a round, which
// is for everybody's hands and the way it was closed to say, by the whole round.

export class Readings {
  constructor() {
    this.hands = new Map();
    this.melds = new Map();
    this.rounds = new Map();
    this.isLost = false; // the last question got no answer
  }

  // The readings that stand in the region, of the round that was sent for them.
  take(region, round) {
    this.isLost = false;
    for (const found of region.querySelectorAll("data.reading")) {
      const reading = JSON.parse(found.value);
      this.hands.set(`${found.dataset.hand} ${reading.text}`, reading);
      this.rounds.set(`${found.dataset.hand} ${round}`, reading.round);
      for (const meld of reading.melds) this.melds.set(meld.text, meld);
    }
  }

  // Another round begins, with other totals and perhaps another contract.
  renew() {
    this.rounds.clear();
  }

  round(id, round) {
    return this.rounds.get(`${id} ${round}`);
  }
  hand(id, text) {
    return this.hands.get(`${id} ${text}`);
  }
  meld(text) {
    return this.melds.get(text);
  }
}
