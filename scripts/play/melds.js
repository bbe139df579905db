// Hands of Loba de Más: sets and runs on the table, then the cards in hand. A set takes one tap, a run two.
// The run is then shown large within reach of the thumb, and a tap on one of its cards makes it a wild. Only
// the server computes the points of melds.

import { playing } from "./arithmetic.js";
import { Keys } from "./keys.js";
import { Hands } from "./hands.js";
import { draw, turnCard } from "./run.js";
import { face, fill, minus, patch, piece, setText, signed } from "../base/dom.js";

const LOW = 0;
const HIGH = 13; // places of a run, from the low ace to the high one
const SMALLEST = 3;
const LARGEST_RUN = 13;

const cardRank = (card) => card.replace(/[SHDC]?(=.*)?$/, "") || card;
const standing = (card) => card.split("=")[1] || cardRank(card);
const isRunSize = (one, other) =>
  Math.abs(one - other) + 1 >= SMALLEST && Math.abs(one - other) < LARGEST_RUN;
const isSet = (meld) => meld.every((card) => cardRank(card) === cardRank(meld[0]) && !card.includes("="));

// Splits `{9 9 9}{10 2=J Q}[4 A]` into melds and the cards in hand.
function read(text) {
  const split = (cards) => cards.slice(1, -1).split(/\s+/).filter(Boolean);
  return {
    melds: (text.match(/\{[^}]*\}/g) || []).map(split),
    held: split(/\[.*\]/.exec(text)?.[0] || "[]"),
  };
}

const written = (cards) => `{${cards.join(" ")}}`;
const write = ({ melds, held }) =>
  melds.length || held.length ? `${melds.map(written).join("")}[${held.join(" ")}]` : "";

export class Melds extends Hands {
  constructor(pad) {
    super(pad);
    this.keys = new Keys(pad);
    // The places of a run in order; the joker's key, which has none, shares the last cell with the high ace.
    this.places = this.keys.list
      .filter(({ button }) => "place" in button.dataset)
      .map(({ button, ...key }) => ({
        ...key,
        button,
        set: Number(button.dataset.set),
        run: Number(button.dataset.run),
        sub: button.querySelector("small"),
      }));
    this.lowAce = this.places[LOW].button.ariaLabel;
    this.joker = this.keys.of("*");
    this.inHand = pad.one("[data-way=hand]");
    this.turns = pad.one("[data-turns]");
  }

  // `meld` is the open meld, `begun` the place of a run's first card until its last is tapped.
  blank() {
    return { mode: "set", meld: null, begun: null };
  }
  title(seat) {
    return this.pad.words[this.entry.isCloser(seat) ? "melds" : "hand"];
  }
  get largestSet() {
    return this.entry.numbers.set;
  }
  get hand() {
    return read(this.entry.hand);
  }

  closerState() {
    return `${this.entry.closing.short} ${signed(this.bonus())}`;
  }

  opened() {
    const isCloser = this.entry.isCloser(this.entry.open);
    Object.assign(this.state, {
      meld: null,
      begun: null,
      mode: this.hand.held.length && !isCloser ? "hand" : "set",
    });
  }

  // The player who went out holds nothing; everybody else holds the cards entered, even if there are none.
  posted(text, seat) {
    if (!/[[{]/.test(text)) return text;
    return this.entry.isCloser(seat) ? read(text).melds.map(written).join("") : write(read(text));
  }

  // --- points ----------------------------------------------------------------------------------------------

  priced(meld) {
    return this.pad.readings.meld(written(meld));
  }
  heldPoints(cards) {
    return cards.reduce((sum, card) => sum + (this.keys.of(card)?.value ?? NaN), 0);
  }

  worth(reading) {
    return reading?.wrong ? "?" : String(reading?.value ?? "…");
  }

  // Returns the points of the melds minus the cards in hand; null while those of a meld are unknown.
  points(seat) {
    const { melds, held } = read(this.entry.posted(seat));
    if (!melds.length) return null;
    const laid = melds.map((meld) => this.priced(meld)?.value ?? NaN);
    const points = laid.reduce((sum, value) => sum + value, this.heldPoints(held));
    return Number.isNaN(points) ? null : points;
  }

  isWrong(seat) {
    return read(this.entry.posted(seat)).melds.some((meld) => this.priced(meld)?.wrong);
  }

  bonus() {
    const { rule, numbers } = this.entry;
    return rule.bonus + rule.each * playing(numbers).length;
  }

  // --- taps ------------------------------------------------------------------------------------------------

  tap({ card, place, meld, turn, held }) {
    if (card) this.addKey(card, place === undefined ? HIGH : Number(place));
    else if (meld) this.openMeld(Number(meld));
    else if (turn) turnCard(this, Number(turn));
    else if (held) this.takeOut(Number(held));
  }

  press(key) {
    if (key === "A") this.addKey("A", this.state.mode === "run" && this.state.begun === null ? LOW : HIGH);
    else if (key === "*" && this.state.mode === "hand") this.addKey("*", HIGH);
    else {
      const place = this.places.findIndex(({ card }) => card === (key === "0" ? "10" : key));
      if (place < 0) return false;
      this.addKey(this.places[place].card, place);
    }
    return true;
  }

  way() {
    return this.state.view === "digits" ? "digits" : this.state.mode;
  }

  turnTo(way) {
    if (way === "digits") super.turnTo(way);
    else this.pad.set({ mode: way, meld: null, begun: null, view: "cards" });
  }

  addKey(card, place) {
    const add = {
      set: () => this.layInSet(card),
      run: () => this.layInRun(place),
      hand: () => this.addHeld(card),
    };
    add[this.state.mode]();
  }

  // Applies a change to the hand and writes it.
  edit(act) {
    this.pad.change(() => {
      const hand = this.hand;
      act(hand);
      this.entry.hand = write(hand);
      this.state.view = "cards";
    });
  }

  // Returns how many cards the next tap on this rank lays: one on the open set, or a new set.
  needed(rank) {
    const open = this.hand.melds[this.state.meld];
    return open && isSet(open) && cardRank(open[0]) === rank ? 1 : SMALLEST;
  }

  layInSet(rank) {
    const { meld } = this.state;
    const needed = this.needed(rank);
    if (this.keys.left(rank) < needed) this.pad.refuse(fill(this.pad.words.few, { card: rank }));
    else if (needed === 1 && this.hand.melds[meld].length >= this.largestSet)
      this.pad.refuse(fill(this.pad.words.largest, { cards: this.largestSet }));
    else
      this.edit((hand) => {
        if (needed === 1) hand.melds[meld].push(rank);
        else this.state.meld = hand.melds.push(Array(SMALLEST).fill(rank)) - 1;
      });
  }

  layInRun(place) {
    const { begun } = this.state;
    if (begun === null) this.pad.set({ begun: place, meld: null });
    else if (place === begun) this.pad.set({ begun: null });
    else if (!isRunSize(place, begun)) this.pad.refuse(this.pad.words.no_run);
    else
      this.edit((hand) => {
        const row = this.places.slice(Math.min(place, begun), Math.max(place, begun) + 1);
        this.state.meld = hand.melds.push(row.map(({ card }) => card)) - 1;
        this.state.begun = null;
      });
  }

  addHeld(card) {
    if (this.keys.left(card) < 1) this.pad.refuse(fill(this.pad.words.few, { card }));
    else this.edit((hand) => hand.held.push(card));
  }

  takeOut(place) {
    this.edit((hand) => hand.held.splice(place, 1));
    this.pad.set({ mode: "hand" });
  }

  openMeld(place) {
    const { meld } = this.state;
    const mode = isSet(this.hand.melds[place]) ? "set" : "run";
    this.pad.set({ mode, meld: meld === place ? null : place, begun: null });
  }

  // Returns the cards of a run in order, each wild with the card it replaces.
  laidOut(run) {
    const reading = this.priced(run);
    if (!reading?.cards.length) return run;
    return reading.cards.map((card, place) =>
      reading.wilds[place] ? `${cardRank(card)}=${reading.ranks[place]}` : card.split("=")[0],
    );
  }

  // Takes back the last tap: a card in hand, the fourth card of a set, the last or first card of a run.
  erase() {
    const { mode, meld, begun } = this.state;
    const hand = this.hand;
    if (mode === "hand") hand.held.pop();
    else if (begun !== null) this.state.begun = null;
    else this.eraseMeld(hand, meld ?? hand.melds.length - 1, mode);
    this.entry.hand = write(hand);
  }

  eraseMeld(hand, place, mode) {
    const meld = hand.melds[place];
    if (!meld) return;
    this.state.meld = null;
    if (isSet(meld) && meld.length > SMALLEST) {
      meld.pop();
      this.state.meld = place;
      return;
    }
    hand.melds.splice(place, 1);
    if (!isSet(meld) && mode === "run") this.state.begun = this.firstPlace(meld);
  }

  firstPlace(run) {
    const rank = standing(this.laidOut(run)[0]);
    return this.places.findIndex(({ card }) => card === rank);
  }

  clear() {
    super.clear();
    Object.assign(this.state, { meld: null, begun: null });
  }

  // --- drawing ---------------------------------------------------------------------------------------------

  draw(seat) {
    const isCloser = this.entry.isCloser(seat);
    this.inHand.hidden = isCloser;
    this.drawKeys(this.state.mode);
    super.draw(seat);
    this.turns.hidden = !this.openRun;
    draw(this);
    this.drawLaid(this.pad.one("[data-cards]"), isCloser);
  }

  get openRun() {
    const open = this.hand.melds[this.state.meld];
    return open && !isSet(open) ? open : null;
  }

  note() {
    const { words, entry } = this.pad;
    const { mode, begun, meld, view } = this.state;
    if (view === "digits") return words.typed;
    if (mode === "hand") return words.held;
    if (mode === "set") return meld === null ? words.set : words.more;
    if (begun !== null) return words.last;
    return meld === null || entry.hand === "" ? words.run : words.wild;
  }

  // A single ace uses the low ace's key; the cell of the high ace shows the joker for cards in hand.
  drawKeys(mode) {
    const { begun } = this.state;
    const used = this.keys.used();
    this.keys.draw();
    const isRun = mode === "run";
    for (const [place, key] of this.places.entries()) {
      const left = key.copies - (used.get(this.keys.of(key.card)) || 0);
      const isOut = isRun
        ? begun !== null && place !== begun && !isRunSize(place, begun)
        : left < (mode === "set" ? this.needed(key.card) : 1);
      key.button.ariaDisabled = String(isOut);
      key.button.ariaPressed = String(isRun && place === begun);
      setText(key.sub, this.subLine(key, place, mode));
    }
    this.places[HIGH].button.hidden = !isRun;
    this.places[LOW].button.ariaLabel = isRun ? this.lowAce : this.places[HIGH].button.ariaLabel;
    this.joker.button.hidden = mode !== "hand";
    this.joker.button.ariaDisabled = String((used.get(this.joker) || 0) >= this.joker.copies);
  }

  subLine(key, place, mode) {
    const { low, high } = this.pad.words;
    if (mode === "run")
      return fill(place === LOW ? low : place === HIGH ? high : "{points}", {
        points: minus(key.run),
      });
    return minus(mode === "set" ? (this.keys.of(key.card).set ?? key.set) : key.value);
  }

  drawLaid(box, isCloser) {
    const { melds, held } = this.hand;
    const tiles = melds.flatMap((meld, place) => {
      const { value, wrong } = this.priced(meld) || {};
      const key = [written(meld), place, place === this.state.meld, value, wrong].join();
      return place === this.state.meld && this.openRun ? [] : [{ key, make: () => this.tile(meld, place) }];
    });
    if (held.length && !isCloser) tiles.push({ key: held.join(), make: () => this.handTile(held) });
    patch(box, tiles, this.pad.one("[data-erase]"));
    // Measuring its position costs a frame, so do it only when another meld is opened or added.
    const view = [this.state.seat, this.state.meld, tiles.length].join();
    if (view !== this.view) {
      (box.querySelector(".open") || box.lastElementChild)?.scrollIntoView({ block: "nearest" });
    }
    this.view = view;
  }

  tile(meld, place) {
    const { words } = this.pad;
    const isOpen = place === this.state.meld;
    const reading = this.priced(meld);
    const cards = this.laidOut(meld).map((card) => this.card(card, "span"));
    const usual = words[isSet(meld) ? "name_set" : "name_run"];
    const name = piece("span", "soft", reading?.name || usual);
    const value = piece("b", reading?.wrong ? "red" : "", this.worth(reading));
    const made = this.laid("button", isOpen ? "meld open" : "meld", cards, value, name);
    made.ariaLabel = `${name.textContent}: ${this.laidOut(meld)
      .map((card) => this.spoken(card))
      .join(", ")}; ${value.textContent}`;
    if (reading?.wrong) made.append(piece("span", "wrong", reading.wrong));
    made.dataset.meld = place;
    made.ariaPressed = String(isOpen);
    return made;
  }

  card(card, tag) {
    const stands = card.includes("=") && standing(card);
    const made = piece(tag, stands ? "c wild" : "c", face(cardRank(card)));
    if (stands) made.append(piece("small", "", `=${stands}`));
    return made;
  }

  spoken(card) {
    const name = (rank) => this.keys.of(rank)?.button.dataset.name || rank;
    const stands = { wild: name(cardRank(card)), card: name(standing(card)) };
    return card.includes("=") ? fill(this.pad.words.stands, stands) : name(card);
  }

  handTile(held) {
    const { words } = this.pad;
    const cards = held.map((card, place) => this.keys.piece(card, place));
    const points = this.heldPoints(held);
    const value = piece("b", "red", Number.isNaN(points) ? "?" : minus(points));
    return this.laid("div", "meld", cards, value, piece("span", "soft", words.in_hand));
  }

  laid(tag, look, cards, value, name) {
    return piece(tag, look, piece("span", "cards", ...cards), piece("span", "worth", value, name));
  }
}
