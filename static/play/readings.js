// Results that only the server can compute: the points of a meld, the leftover of seven cards. They are
// cached by the text of the hand, so that nothing flickers while the next response is loading. The points in
// a round depend on all hands and the closing, so they are cached by the whole round.

export class Readings {
  hands = new Map();
  melds = new Map();
  rounds = new Map();
  isLost = false; // the last request failed

  // Stores the readings in the region, which belong to the round that was sent.
  take(region, round) {
    this.isLost = false;
    for (const { value, dataset } of region.querySelectorAll("data.reading")) {
      const reading = JSON.parse(value);
      this.hands.set(`${dataset.hand} ${reading.text}`, reading);
      this.rounds.set(`${dataset.hand} ${round}`, reading.round);
      for (const meld of reading.melds) this.melds.set(meld.text, meld);
    }
  }

  // Clears the results: another round has other totals and perhaps another contract.
  renew = () => this.rounds.clear();

  round = (id, round) => this.rounds.get(`${id} ${round}`);
  hand = (id, text) => this.hands.get(`${id} ${text}`);
  meld = (text) => this.melds.get(text);
}
