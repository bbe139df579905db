// Hands of Chinchón: the leftover cards by rank, their points, or all seven cards with suits, which the
// server arranges. The player who cut is first asked for the points left over.

import { viewAt } from "./entry.js";
import { CardHands, cardsIn, drawSuit, written } from "./keys.js";
import { counted, face, fill, icon, isNumber, piece } from "../base/dom.js";

const SUIT = /[oceb]$/;
const NOTHING = "[]";
const MOST_POINT_KEYS = 11;
const ACROSS = [1, 2, 3, 4, 5, 3, 4, 4, 5, 5, 6, 6]; // keys in a row, by the most points of a cut
const LETTERS = { J: "10", S: "10", Q: "11", C: "11", K: "12", R: "12", 0: "10" };

export class Leftover extends CardHands {
  constructor(pad) {
    super(pad);
    this.suits = new Map(pad.all("[data-suit]").map((button) => [button.dataset.suit, button]));
    this.choices = pad.all("[data-rest]");
    this.cuts = this.pointKeys(Number(pad.facts.cutMax));
    // copies of a card of one suit
    this.copies = Math.max(...this.keys.list.map(({ copies }) => copies)) / this.suits.size;
  }

  // Draws a key for each number of points allowed in a cut, in even rows; higher numbers are typed.
  pointKeys(cutMax) {
    const box = this.pad.one("[data-rests]");
    const most = Math.min(cutMax, MOST_POINT_KEYS);
    const keys = Array.from({ length: most }, (_, index) => piece("button", "k", String(index + 1)));
    for (const key of keys) key.dataset.points = key.textContent;
    box.prepend(...keys);
    box.style.setProperty("--across", String(ACROSS[most]));
    return keys;
  }

  // `seven` is the mode of empty hands, and `whole` the mode of each hand already begun. `aside` keeps what
  // was entered in the other mode.
  blank() {
    return { seven: false, whole: {}, aside: {}, suit: "o" };
  }
  hasClosings() {
    return false;
  }
  closerState() {
    return this.entry.rule?.hand === "nothing" ? this.entry.closing.short : "";
  }
  get dealt() {
    return this.entry.numbers.cards;
  }
  get cutKey() {
    return this.entry.closedWith("rest");
  }
  isCutter(seat) {
    return Boolean(seat) && this.entry.isCloser(seat);
  }

  // Seven cards with suits are the whole hand; anything else is the leftover.
  isWhole(id) {
    const text = this.state.hands[id] || "";
    if (text === NOTHING || isNumber(text)) return false;
    const cards = cardsIn(text);
    return this.state.whole[id] ?? (cards.length ? this.isDealt(cards) : this.state.seven);
  }

  isDealt(cards) {
    return cards.length === this.dealt && cards.every((card) => card === "*" || SUIT.test(card));
  }

  seatView(text, seat, was) {
    const isCards = cardsIn(text).length > 0 || text === NOTHING;
    if (this.isCutter(seat)) return isCards ? "cards" : Number(text) > this.cuts.length ? "digits" : "rest";
    if (!text && this.isCutter(was)) return viewAt(this.pad.facts.table);
    if (!text) return this.state.view === "digits" ? "digits" : "cards";
    return isNumber(text) ? "digits" : "cards";
  }

  way(seat) {
    if (this.state.view !== "cards") return "digits";
    return this.isWhole(seat.id) ? "seven" : "left";
  }

  title(seat) {
    const { words } = this.pad;
    if (this.state.view === "rest") return words.rest;
    return this.state.view === "cards" && this.isWhole(seat.id) ? words.seven : words.hand;
  }

  // A whole hand counts only once it has seven cards. A player with nothing left may only show all seven.
  posted(text, seat) {
    const isDealt = this.isDealt(cardsIn(text));
    if (this.isCutter(seat) && this.entry.rule?.hand === "nothing") return isDealt ? text : "";
    return this.isWhole(seat.id) && !isDealt ? "" : text;
  }

  // --- points ----------------------------------------------------------------------------------------------

  points(seat) {
    return this.reading(seat)?.points ?? null;
  }
  round(seat) {
    return this.pad.readings.round(seat.id, this.entry.written()) ?? null;
  }

  // Returns whether cards of this hand may still be placed on others' melds.
  mayFall(seat) {
    return this.round(seat) === null && Boolean(this.reading(seat)?.may_fall);
  }

  isWrong(seat) {
    return Boolean(this.wrong(seat));
  }

  // Returns how many of the seven cards are still missing, in words.
  lacking(seat) {
    const { words } = this.pad;
    const count = this.dealt - cardsIn(this.state.hands[seat.id] || "").length;
    if (this.state.view !== "cards" || !this.isWhole(seat.id) || count < 1) return "";
    return counted(words, "lacks", count);
  }

  // --- taps ------------------------------------------------------------------------------------------------

  /** @param {DOMStringMap} what */
  tap({ card, held, suit, rest, points, nothing }) {
    if (card) this.add(card);
    else if (held) this.takeOut(Number(held));
    else if (suit) this.pad.set({ suit });
    else if (points) this.cutWith(points);
    else if (rest) this.choose(rest);
    else if (nothing !== undefined) this.write(NOTHING);
  }

  press(key) {
    const { view, seat } = this.state;
    if (view === "rest") return this.pressRest(key);
    const letter = key.toLowerCase();
    const card = LETTERS[key] || key;
    if (this.isWhole(seat) && this.suits.has(letter)) this.tap({ suit: letter });
    else if (this.keys.of(card)) this.add(card);
    else return false;
    return true;
  }

  pressRest(key) {
    const isChoice = this.cuts.some((choice) => choice.dataset.points === key);
    if (isChoice) this.cutWith(key);
    return isChoice;
  }

  add(card) {
    const { seat, suit } = this.state;
    const isWhole = this.isWhole(seat);
    const added = isWhole && !this.isWild(card) ? card + suit : card;
    this.keys.last = isWhole ? null : this.keys.of(card);
    if (this.isFull) this.pad.refuse(fill(this.pad.words.full, { dealt: this.dealt }));
    else if (isWhole && this.isUsedUp(added, this.played()))
      this.pad.refuse(fill(this.pad.words.none_left, { card: this.named(added) }));
    else if (!isWhole && this.keys.left(card) < 1) this.refuseCard();
    else {
      this.state.whole[seat] = isWhole;
      this.write(written([...cardsIn(this.entry.hand), added]));
    }
  }

  isWild(card) {
    return card === "*" || SUIT.test(card);
  }

  // A hand has at most seven cards.
  get isFull() {
    return cardsIn(this.entry.hand).length >= this.dealt;
  }

  // Returns whether the pack has no more of this card.
  isUsedUp(card, played) {
    const there = card === "*" ? this.keys.of("*").copies : this.copies;
    return played.filter((one) => one === card).length >= there;
  }

  played() {
    return this.entry.places().flatMap((seat) => cardsIn(this.state.hands[seat.id] || ""));
  }

  // Returns the cards to keep when the entry switches between the leftover cards and all seven. Wild cards
  // need no suit; from seven cards, only the leftover ones are kept.
  kept(isWhole) {
    const cards = cardsIn(this.entry.hand);
    if (isWhole) return written(cards.filter((card) => this.isWild(card)));
    const left = this.isDealt(cards) ? this.reading(this.entry.open)?.left : cards;
    return (
      written((left || []).map((card) => this.keys.of(card).card)) || (cards.length && left ? NOTHING : "")
    );
  }

  // Switches between all seven cards, the leftover and points; the other cards are kept for switching back.
  turnTo(way) {
    const { seat, aside, whole } = this.state;
    if (way === "digits") return super.turnTo(this.isCutter(this.entry.open) ? "rest" : way);
    const isWhole = way === "seven";
    this.pad.change(() => {
      this.state.view = "cards";
      if (isWhole === this.isWhole(seat)) return;
      [this.entry.hand, aside[seat]] = [aside[seat] || this.kept(isWhole), this.entry.hand];
      whole[seat] = this.state.seven = isWhole;
    });
  }

  // --- the player who cut ----------------------------------------------------------------------------------

  cutWith(points) {
    this.pad.change(() => {
      this.state.closing = this.cutKey;
      delete this.state.whole[this.state.seat];
      this.entry.hand = points;
    });
    this.goOn();
  }

  choose(choice) {
    const { seat, whole } = this.state;
    if (choice === "digits") this.pad.set({ view: "digits", closing: this.cutKey });
    else if (choice === "cards") this.pad.keep(() => this.showSeven(seat));
    else {
      this.pad.change(() => {
        this.state.closing = choice;
        if (!this.isDealt(cardsIn(this.entry.hand))) this.entry.hand = "";
        delete whole[seat];
      });
      if (!this.entry.rule.wins) this.goOn();
    }
  }

  showSeven(seat) {
    this.state.view = "cards";
    if (this.entry.rule?.hand !== "nothing") this.state.closing = this.cutKey;
    if (!cardsIn(this.entry.hand).length) {
      this.state.whole[seat] = true;
      this.entry.hand = "";
    }
  }

  goOn() {
    const next = this.entry.nextMissing();
    if (next) this.pad.turnTo(next.id);
  }

  // --- drawing ---------------------------------------------------------------------------------------------

  draw(seat) {
    const { one } = this.pad;
    const isWhole = this.isWhole(seat.id);
    const cards = cardsIn(this.entry.hand);
    one("[data-box]").toggleAttribute("data-suited", isWhole);
    one("[data-box]").toggleAttribute("data-full", this.isFull);
    one("[data-ways]").hidden = this.state.view !== "rest";
    this.keys.draw();
    if (this.isFull) for (const { button } of this.keys.list) button.ariaDisabled = "true";
    else if (isWhole) this.drawSuited();
    this.drawSuits(isWhole ? this.state.suit : "");
    this.drawChoices();
    for (const [letter, button] of this.suits) {
      button.ariaPressed = String(letter === this.state.suit);
    }
    this.drawHand(seat, cards);
    super.draw(seat);
  }

  // Draws the chosen suit on the keys, or their values.
  drawSuits(suit) {
    for (const { card, button } of this.keys.list) if (!this.isWild(card)) drawSuit(button, suit);
  }

  drawSuited() {
    const played = this.played();
    for (const { card, button } of this.keys.list) {
      button.ariaDisabled = String(this.isUsedUp(card === "*" ? card : card + this.state.suit, played));
    }
  }

  drawChoices() {
    const { closing } = this.state;
    for (const choice of this.choices) {
      choice.ariaPressed = String(choice.dataset.rest === closing);
    }
    for (const key of this.cuts)
      key.ariaPressed = String(closing === this.cutKey && key.dataset.points === this.entry.hand);
  }

  drawHand(seat, cards) {
    const reading = this.isDealt(cards) ? this.reading(seat) : null;
    const isLaidOut = reading?.groups.length || reading?.left.length;
    const pieces = this.pieces((card, place) => this.card(card, place));
    this.keys.drawFan(isLaidOut ? this.groups(reading, cards) : pieces);
  }

  note(seat) {
    const { words } = this.pad;
    if (this.state.view === "rest") return words.cut;
    return this.state.view === "cards" && this.entry.hand === NOTHING ? words.nothing : super.note(seat);
  }

  card(card, place) {
    const made = this.keys.piece(card, place);
    const suit = SUIT.test(card) && card.at(-1);
    if (!suit) return made;
    made.replaceChildren(face(card.slice(0, -1)), icon(suit));
    made.dataset.of = suit;
    made.ariaLabel = fill(this.pad.words.take, { card: this.named(card) });
    return made;
  }

  // Returns the name of a card, with its suit if it has one.
  named(card) {
    const suit = this.suits.get(card.at(-1));
    const rank = suit ? card.slice(0, -1) : card;
    const { name = rank } = this.keys.of(rank).button.dataset;
    return suit ? fill(this.pad.words.of, { rank: name, suit: suit.textContent.trim() }) : name;
  }

  // Returns the seven cards as the server arranged them, the leftover ones last.
  groups({ groups, left }, cards) {
    const waiting = cards.map((card, place) => ({ card, place }));
    const take = (card) =>
      waiting.splice(
        waiting.findIndex((one) => one.card === card),
        1,
      )[0].place;
    const shown = groups.map((group) => this.group(group.cards, group.name, take));
    return left.length ? [...shown, this.group(left, this.pad.words.left_over, take, "left")] : shown;
  }

  group(cards, name, take, kind = "") {
    const placed = cards.map((card) => [card, take(card)]);
    const laid = () => piece("span", "cards", ...placed.map(([card, place]) => this.card(card, place)));
    return {
      key: JSON.stringify([name, placed]),
      make: () => piece("span", `group ${kind}`, laid(), piece("small", "", name)),
    };
  }
}
