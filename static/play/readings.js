// Results that only the server can compute: the price of a meld, the leftover of seven cards. They are
// cached by the text of the hand, so that nothing flickers while the next response is loading. The points in
// a round depend on all hands and the closing, so they are cached by the whole round.

export class Readings {
  constructor() {
    this.hands = new Map();
    this.melds = new Map();
    this.rounds = new Map();
    this.isLost = false; // the last request failed
  }

  // Takes the readings in the region, for the round that was sent.
  take(region, round) {
    this.isLost = false;
    for (const found of region.querySelectorAll("data.reading")) {
      const reading = JSON.parse(found.value);
      this.hands.set(`${found.dataset.hand} ${reading.text}`, reading);
      this.rounds.set(`${found.dataset.hand} ${round}`, reading.round);
      for (const meld of reading.melds) this.melds.set(meld.text, meld);
    }
  }

  // Forgets everything: another round has other totals and perhaps another contract.
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
