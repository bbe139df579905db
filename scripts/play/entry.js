// The state of the round being entered: its closer and closing, a hand for each player, and the open hand.
// `kind.posted` decides how a hand is posted.

import { isNumber } from "../base/dom.js";
import { nameDrafts, stored, unstore } from "../base/state.js";
import { mayBeLeftOut, playing, readHand, roundPoints, seatFor, shown } from "./arithmetic.js";

/** @import { Numbers } from "./arithmetic.js" */
/** @import { Hands } from "./hands.js" */

const BLANK = {
  closer: "",
  closing: "",
  hands: {},
  bought: {},
  seat: "",
  step: "closer",
  view: "cards",
  isMinus: false,
  isBegun: false,
};
const LONGEST = 5;

/**
 * Splits a posted hand into its text and the number of bought cards.
 * @param {string} hand
 */
export function parted(hand) {
  const [, text, bought] = /^(.*?)(?:\+(\d+))?$/.exec(hand.trim());
  return { text, bought: Number(bought || 0) };
}

/**
 * A player's seat on the pad.
 * @typedef {{ id: string, name: string, isKnown: boolean, button: HTMLElement,
 *   field: HTMLInputElement }} Seat
 */

/**
 * A way to close the round.
 * @typedef {{ key: string, short: string, button: HTMLElement }} Closing
 */

/**
 * The state of the pad, saved as a draft; each kind of hand adds its own fields.
 * @typedef {typeof BLANK & Record<string, any>} State
 */

export class Entry {
  /** @type {Hands} */
  kind;
  /** @type {State} */
  state = { ...BLANK };
  /** @type {Record<string, number | null>} */
  scores = {};
  /** @type {Map<Seat, string> | null} */
  drawn = null; // the hands' posted texts, cached while drawing
  base = ""; // the printed round, as JSON

  /**
   * @param {Seat[]} seats
   * @param {Closing[]} closings
   * @param {Numbers} numbers
   */
  constructor(seats, closings, numbers) {
    this.seats = seats;
    this.closings = closings;
    this.numbers = numbers;
  }

  // Restores the round, each field as it is in the form now, if that differs from what was printed, otherwise
  // as in the draft, otherwise as printed. A refused round is printed as it was posted, which counts more
  // than a draft of another base. After a tap on a face of the sheet, only the closer is printed: it replaces
  // the draft's closer, and the draft's hands stay.
  restore(base, draft, seat, printed, now) {
    const start = { seat, step: base.closer ? "hands" : "closer", isBegun: false };
    const [hands, bought] = [{ ...base.hands }, { ...base.bought }];
    this.base = JSON.stringify(base);
    this.state = { ...BLANK, ...this.kind.blank(), ...base, hands, bought, ...start };
    const isBlank = !Object.values(hands).some(Boolean);
    if (draft?.state?.hands) {
      this.adopt(draft.state);
      if (!isBlank && draft.base !== this.base) Object.assign(this.put(printed, BLANK), start);
    }
    if (!this.asksCloser)
      Object.assign(this.state, { closer: "nobody", step: "hands", seat: seat || this.state.seat });
    else if (isBlank && base.closer && !this.isOwn) this.closedAsPrinted(base);
    this.put(now, printed);
    if (!this.allows(this.closing)) this.state.closing = this.usual();
  }

  adopt(draft) {
    const isKnown = this.isOwn || draft.closer === "nobody" || this.seat(draft.closer);
    const hands = Object.fromEntries(this.seats.map(({ id }) => [id, draft.hands[id] || ""]));
    Object.assign(this.state, draft, { hands }, isKnown ? {} : { closer: "", step: "closer" });
  }

  // Puts in the fields that have changed, and returns the state.
  put({ closer, closing, hands, bought }, was) {
    const { state } = this;
    for (const id in hands) {
      if (hands[id] === (was.hands[id] ?? "") && bought[id] === was.bought[id]) continue;
      state.hands[id] = hands[id];
      state.bought[id] = bought[id];
    }
    if (closing !== was.closing) state.closing = closing;
    if (closer !== was.closer) Object.assign(state, { closer, step: "hands", seat: "" });
    return state;
  }

  // Puts in the hands that are blank.
  fill({ hands, bought }) {
    const { state } = this;
    for (const id in hands)
      if (!state.hands[id]) [state.hands[id], state.bought[id]] = [hands[id], bought[id]];
  }

  // Returns whether the pad can read what it took from the fields, and would post the same.
  isAsTyped() {
    const isSame = (one, other) => one.replace(/\s/g, "") === other.replace(/\s/g, "");
    return this.seats.every((seat) => {
      const text = seat.field.value.trim();
      if (!text || parted(text).text !== this.state.hands[seat.id]) return true; // it comes from the draft
      const { points, most = points } = readHand(this.numbers, text);
      const posted = this.posted(seat);
      return most !== null && (posted ? isSame(posted, text) : points === 0 && !this.needs(seat));
    });
  }

  // Goes on with a hand in which somebody types. Returns false unless the caret is at the end of its points
  // or cards, or all of its points are selected.
  typeOn(seat) {
    const { value, selectionStart, selectionEnd } = seat.field;
    const isBegun = selectionStart === selectionEnd; // otherwise the next digit replaces the points
    Object.assign(this.state, { seat: seat.id, step: "hands", isBegun });
    const isAtEnd = selectionEnd === value.length && (isBegun || !selectionStart);
    return isAtEnd && this.places().includes(seat) && (isBegun ? /^$|^-?\d+$|[\]}]$/ : /^-?\d+$/).test(value);
  }

  closedAsPrinted({ closer, closing }) {
    if (closer !== this.state.closer) Object.assign(this.state, { closer, closing, seat: "" });
    this.state.step = "hands";
  }

  draft() {
    return { base: this.base, state: this.state };
  }

  // --- closer and closing ----------------------------------------------------------------------------------

  // True if rounds have a closer, who must be entered.
  get asksCloser() {
    return this.closings.some(({ key }) => this.numbers.closings[key].by);
  }
  // True in the form for a player's own hand: its closer is that player or "other".
  get isOwn() {
    return this.seats.length === 1;
  }
  // True if the round is recorded and only some hands are missing: the known ones and the closer stay.
  get isFixed() {
    return this.seats.some(({ isKnown }) => isKnown);
  }
  get isByPlayer() {
    return this.state.closer !== "nobody";
  }
  get closing() {
    return this.closings.find((one) => one.key === this.state.closing);
  }
  get rule() {
    return this.numbers.closings[this.state.closing];
  }

  seat(id) {
    return this.seats.find((seat) => seat.id === id);
  }
  isCloser(seat) {
    return Boolean(seat) && seat.id === this.state.closer;
  }
  allows(closing) {
    return Boolean(closing) && this.numbers.closings[closing.key].by === this.isByPlayer;
  }
  offered() {
    return this.closings.filter((one) => this.allows(one));
  }
  closedWith(hand) {
    return this.closings.find(({ key }) => this.numbers.closings[key].hand === hand)?.key;
  }
  usual() {
    return this.offered()[0]?.key || "";
  }

  closedBy(id) {
    this.state.closer = id;
    if (!this.allows(this.closing)) this.state.closing = this.usual();
  }

  // A second tap on the chosen closing returns to the usual one.
  closedHow(closing) {
    this.state.closing = closing === this.state.closing ? this.usual() : closing;
  }

  // --- hands -----------------------------------------------------------------------------------------------

  // Returns the seats with a hand to enter. The closer's is first if it is required, and last if it is
  // optional. In a round that wins the game no other hand counts.
  places() {
    const here = new Set(playing(this.numbers).map((one) => one.id));
    const asked = this.isOwn || this.rule?.hand !== "nothing" || this.kind.asksCloser();
    const seats = this.seats.filter(
      (seat) => here.has(seat.id) && !seat.isKnown && (this.isCloser(seat) ? asked : !this.rule?.wins),
    );
    const last = this.rule?.hand === "any" ? -1 : 1;
    return seats.sort((one, other) => last * (Number(this.isCloser(other)) - Number(this.isCloser(one))));
  }

  // Returns whether the round needs this hand to be saved.
  needs(seat) {
    return !this.rule?.wins && !(this.isCloser(seat) && mayBeLeftOut(this.rule));
  }
  isMissing(seat) {
    return this.needs(seat) && !this.posted(seat);
  }
  missing() {
    return this.places().find((seat) => this.isMissing(seat));
  }

  nextMissing() {
    const places = this.places();
    const here = places.findIndex((seat) => seat.id === this.state.seat);
    return [...places.slice(here + 1), ...places.slice(0, Math.max(here, 0))].find((seat) =>
      this.isMissing(seat),
    );
  }

  before() {
    const places = this.places();
    return places[places.findIndex((seat) => seat.id === this.state.seat) - 1];
  }

  first() {
    const [first] = this.places();
    return first && this.isCloser(first) && !this.posted(first) ? first : this.nextMissing() || first;
  }

  // Returns the text of a hand as the server reads it; "" for an empty hand. Cached while drawing, since
  // nothing changes then.
  posted(seat) {
    if (!this.drawn) return this.read(seat);
    if (!this.drawn.has(seat)) this.drawn.set(seat, this.read(seat));
    return this.drawn.get(seat);
  }

  read(seat) {
    const text = this.kind.posted(this.state.hands[seat.id] || "", seat);
    const bought = this.state.bought[seat.id] ? `+${this.state.bought[seat.id]}` : "";
    return text ? text + bought : bought && this.isCloser(seat) ? `0${bought}` : "";
  }

  whole() {
    const hands = Object.fromEntries(this.seats.map((seat) => [seat.id, this.posted(seat)]));
    return { closer: this.state.closer, closing: this.state.closing, hands };
  }

  // Returns the whole round as text, which is the cache key of the server's responses.
  written() {
    const { closer, closing, hands } = this.whole();
    return [closer, closing, ...this.seats.map(({ id }) => hands[id])].join(" ");
  }

  // Returns the same text for a round that was sent.
  sent(posted) {
    return ["closer", "closing", ...this.seats.map(({ field }) => field.name)]
      .map((name) => posted.get(name) ?? "")
      .join(" ");
  }

  // --- the open hand ---------------------------------------------------------------------------------------

  get open() {
    return this.seat(this.state.seat);
  }
  get hand() {
    return this.state.hands[this.state.seat] || "";
  }

  // Setting a hand clears a pending minus sign.
  set hand(text) {
    this.state.hands[this.state.seat] = text;
    this.state.isMinus = false;
  }

  // Returns whether the open hand is in points, or would be with the next digit.
  isCounted() {
    return this.hand ? isNumber(this.hand) : this.state.view === "digits";
  }

  // Returns whether the points are unchanged since the hand was opened, so that the next digit replaces them.
  isSelected() {
    return this.state.view === "digits" && isNumber(this.hand) && !this.state.isBegun;
  }

  addDigit(digit) {
    const { isBegun, isMinus } = this.state;
    const number = isBegun && isNumber(this.hand) && this.hand !== "0" ? this.hand : isMinus ? "-" : "";
    if (number.replace("-", "").length >= LONGEST) return;
    this.hand = String(Number(number + digit) + 0);
    Object.assign(this.state, { view: "digits", isBegun: true, isMinus: isMinus && this.hand === "0" });
  }

  // Points about to be replaced keep their sign for the digit that replaces them.
  turnSign() {
    let { isMinus } = this.state;
    if (isNumber(this.hand) && this.hand !== "0") {
      isMinus = this.hand.startsWith("-");
      this.hand = String(-this.hand);
    }
    this.state.isMinus = !isMinus;
  }

  eraseDigit() {
    this.hand = Math.abs(this.hand) > 9 ? this.hand.slice(0, -1) : "";
    this.state.isBegun = true;
  }

  // --- points ----------------------------------------------------------------------------------------------

  // A hand that only the server can count is replaced by the points in the server's response.
  count() {
    const whole = this.whole();
    for (const seat of this.seats) {
      whole.hands[seat.id] = String(this.kind.points(seat) ?? whole.hands[seat.id]);
    }
    this.scores = roundPoints(this.numbers, whole);
  }

  total(seat) {
    return seatFor(this.numbers, seat.id).total;
  }

  // Returns a total as shown.
  shown(total) {
    return shown(this.numbers, total);
  }

  // Returns a player's score in the round, bonus included; null while this phone does not know it.
  score(seat) {
    return this.kind.round(seat) ?? this.scores[seat.id];
  }

  after(seat) {
    const score = this.score(seat);
    const total = this.total(seat);
    return score === null || total === null ? null : total + score;
  }

  tone(seat) {
    const { limit, target } = this.numbers;
    const after = this.isMissing(seat) ? null : this.after(seat);
    if (after === null || this.kind.mayFall(seat)) return "";
    if (limit !== null && after >= limit) return "red";
    return target && after >= target && !this.numbers.lowest ? "green" : "";
  }
}

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

// Drafts of unfinished rounds on this phone, by person, game and the last event seen; and whether hands
// were last entered as cards or as points.
const personHere = () => document.getElementById("main").dataset.person;
const draftKey = (place) => `draft:${personHere()}:${place}`;

/** @type {string | null} */
let ours = null; // the draft that this page has read or stored last

export function draftAt(place) {
  nameDrafts();
  ours = stored(draftKey(place));
  return JSON.parse(ours);
}

const handCount = (draft) => Object.values(draft?.state?.hands ?? {}).filter(Boolean).length;

// Stores a draft, or removes it. One that another tab has stored stays if it has as many hands.
export function keepDraft(place, draft) {
  const key = draftKey(place);
  const there = stored(key);
  if (draft && there !== ours && handCount(JSON.parse(there)) >= handCount(draft)) return;
  ours = draft && JSON.stringify(draft);
  stored(key, ours);
}

// Cards or points, whichever was last chosen at this table on this phone.
export const viewAt = (table) => stored(`view:${table}`) || "cards";

export const keepView = (table, view) => stored(`view:${table}`, view === "digits" ? view : null);

// Removes the drafts of a game that are older than its sheet. Drafts after queued rounds have higher numbers
// and stay.
export function sweep() {
  /** @type {HTMLElement | null} */
  const page = document.querySelector("[data-draft-sweep]");
  if (!page) return;
  const game = draftKey(page.dataset.draftSweep);
  const kept = draftKey(page.dataset.draftKeep);
  const roundNo = (key) => parseInt(key.slice(game.length), 10);
  unstore((key) => key.startsWith(game) && key !== kept && roundNo(key) <= roundNo(kept));
}
