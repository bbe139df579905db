// The round entry by taps: who closed the round, then every hand. Each tap writes the fields of the plain
// form, shows the sum, saves a draft and requests the consequences. A kind of hand has its own cards and
// keys: held.js, melds.js, leftover.js, typed.js.

import { FAILURES, messages } from "../base/page.js";
import { fill, isNumber } from "../base/dom.js";
import { Entry, Readings, draftAt, keepDraft, keepView, parted, sweep, viewAt } from "./entry.js";
import { drawFrame, drawSum, drawTools } from "./frame.js";

/** @import { Seat } from "./entry.js" */

const kinds = {};
const LONG_PRESS = 550;
let pad = null;
/** @type {HTMLFormElement | null} */
let tried = null; // the form that a pad was made for last

class Pad {
  readings = new Readings();
  isSending = false; // the round is being posted
  wasLong = false; // the eraser was pressed long, so the click that follows is ignored
  warning = ""; // why the round cannot be saved yet
  /** @type {Promise<any> | undefined} */
  spoken;

  /**
   * @param {HTMLFormElement} form
   * @param {new (pad: Pad) => Hands} Kind
   */
  constructor(form, Kind) {
    this.form = form;
    this.one = (selector) => form.querySelector(selector);
    this.all = (selector) => [...form.querySelectorAll(selector)];
    this.facts = { ...form.dataset, ...this.one("[data-box]").dataset };
    this.words = messages(form);
    /** @type {Seat[]} */
    const seats = this.all("[data-field]").map((button) => ({
      button,
      id: button.dataset.seat,
      name: button.title,
      isKnown: button.hasAttribute("disabled"),
      field: /** @type {HTMLInputElement} */ (form.elements[button.dataset.field]),
    }));
    const closings = this.all("[data-closing]").map((button) => ({
      button,
      key: button.dataset.closing,
      short: button.dataset.short,
    }));
    this.entry = new Entry(seats, closings, JSON.parse(this.facts.numbers));
    this.kind = new Kind(this);
    this.entry.kind = this.kind;
  }

  // --- the start -------------------------------------------------------------------------------------------

  // Takes the place of the plain form, and goes on from what that holds now. Returns false if it cannot: the
  // plain form stays, and nothing listens to it.
  takeOver() {
    const { filled, draft } = this.facts;
    const region = this.one("#consequences");
    window.htmx.process(region); // htmx may not have processed it yet
    const printed = this.fields("defaultValue", "defaultChecked");
    // A page with hands from phones begins like one without: they may also come later.
    const base = filled === undefined ? printed : { closer: filled, closing: "", hands: {}, bought: {} };
    if (!this.begin(base, draftAt(draft), printed, this.fields("value", "checked"))) return false;
    this.listen(region);
    this.form.dataset.ready = "";
    if (document.activeElement.closest(".plain")) this.focusTitle();
    return true;
  }

  // Returns the round in the fields of the plain form, as it was printed or as it is now.
  fields(value, checked) {
    const chosen = (name) => this.all(`[name=${name}]`).find((radio) => radio[checked])?.value || "";
    const hands = {};
    const bought = {};
    for (const { id, field } of this.entry.seats) {
      const part = parted(field[value]);
      hands[id] = part.text;
      if (part.bought) bought[id] = part.bought;
    }
    return { closer: chosen("closer"), closing: chosen("closing"), hands, bought };
  }

  begin(base, draft, printed = base, now = printed) {
    const { entry, facts } = this;
    const typed = entry.seats.find(({ field }) => field === document.activeElement);
    entry.restore(base, draft, facts.seat, printed, now);
    if (!entry.isAsTyped() || (typed && !entry.typeOn(typed))) return false;
    if (!draft && entry.state.view === "cards") entry.state.view = viewAt(facts.table);
    // A reload restores the draft, not the face that was tapped.
    if (location.search.includes("closer=")) history.replaceState(history.state, "", location.pathname);
    const wrong = !typed && entry.seats.find((seat) => seat.button.classList.contains("error"));
    if (wrong) entry.state.seat = wrong.id;
    if (entry.places().includes(entry.open)) this.matchView();
    else if (entry.state.closer) this.openFirst();
    if (base !== printed) entry.fill(printed);
    if (typed && !/\D$/.test(entry.hand)) entry.state.view = "digits";
    // What was refused, or entered in the plain form, is not stored anywhere else yet.
    const isPrinted = entry.asksCloser ? base.closer : Object.values(base.hands).some(Boolean);
    if (isPrinted || JSON.stringify(now) !== JSON.stringify(printed)) this.keep();
    else this.draw();
    return true;
  }

  // --- taps and keys ---------------------------------------------------------------------------------------

  listen(region) {
    const { form } = this;
    form.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.tap(button.dataset, event);
    });
    // A tapped button leaves the focus where it was, so Enter still means "next".
    form.addEventListener("mousedown", (event) => {
      if (event.target.closest("button")) event.preventDefault();
    });
    this.listenLong(this.one("[data-erase]"));
    form.addEventListener("submit", (event) => this.submit(event), true);
    form.addEventListener("htmx:afterRequest", (event) => {
      if (event.detail.elt === form) this.ready();
    });
    form.addEventListener("pad:change", ({ detail: change }) => change(this)); // see queued_round.js
    form.addEventListener("pad:free", () => this.ready());
    // When leaving a round that somebody else has recorded: its hands do not belong to the next round.
    const again = this.one(".dock a.go")?.getAttribute("href");
    for (const link of again ? document.querySelectorAll(`a[href="${again}"]`) : []) {
      link.addEventListener("click", () => keepDraft(this.facts.draft, null));
    }
    region.addEventListener("htmx:beforeSwap", (event) => {
      if (this.isSending) event.preventDefault(); // the answer to the round says what follows
    });
    region.addEventListener("htmx:afterSwap", (event) => {
      if (!region.isConnected) return; // the response belongs to a page that was left
      this.readings.take(region, this.entry.sent(event.detail.requestConfig.formData));
      this.draw();
      this.tell("consequences", region);
    });
    for (const name of FAILURES) {
      region.addEventListener(name, () => {
        this.readings.isLost = true;
        if (region.isConnected) this.draw();
      });
    }
  }

  // A long press on the eraser clears the hand; the click that follows is ignored.
  listenLong(button) {
    let timer;
    button.addEventListener("pointerdown", () => {
      this.wasLong = false;
      timer = setTimeout(() => {
        this.wasLong = true;
        this.change(() => this.kind.clear());
      }, LONG_PRESS);
    });
    for (const name of ["pointerup", "pointerleave", "pointercancel"]) {
      button.addEventListener(name, () => clearTimeout(timer));
    }
    button.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  tap(what, event) {
    if (what.seat) this.tapSeat(what.seat);
    else if (what.closing) this.closeHow(what.closing);
    else if (what.digit) this.change(() => this.entry.addDigit(what.digit));
    else if ("minus" in what) this.change(() => this.entry.turnSign());
    else if ("erase" in what) this.erase();
    else if (what.way) {
      this.kind.turnTo(what.way);
      keepView(this.facts.table, this.entry.state.view);
    } else if ("previous" in what) this.previous();
    else if ("go" in what) this.go(event);
    else this.kind.tap(what);
    if (document.activeElement.closest("[hidden]")) this.focusTitle();
  }

  // The heading says which hand is open.
  focusTitle() {
    document.getElementById("title").focus({ preventScroll: true });
  }

  // Tells users who do not see the pad something (spoken.js).
  tell(what, ...about) {
    this.spoken ??= import("./spoken.js"); // one promise, so that the sentences keep their order
    this.spoken.then(
      (spoken) => spoken[what](this, ...about),
      () => {},
    );
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toUpperCase();
    const button = event.target.closest?.("a, button, input, summary");
    if (this.entry.state.step !== "hands" || !this.type(key, button)) return;
    event.preventDefault();
    if (key === "ENTER") return;
    const [points, total] = this.one("[data-sum]").children;
    this.tell(
      "typed",
      key,
      points.textContent,
      points.textContent && !total.matches(".red") ? "" : total.textContent,
    );
  }

  // Applies a key to the open hand; returns false if it has no meaning there.
  type(key, button) {
    const isDigits = this.entry.state.view === "digits";
    if (key === "ENTER" && !button) this.one("[data-go]").click();
    else if (key === "BACKSPACE") this.erase();
    else if (key === "DELETE") this.change(() => this.kind.clear());
    else if (isDigits && /^\d$/.test(key)) this.change(() => this.entry.addDigit(key));
    else if (isDigits && key === "-" && this.one("[data-minus]")) this.change(() => this.entry.turnSign());
    else return !isDigits && this.kind.press(key);
    return true;
  }

  tapSeat(id) {
    const { entry } = this;
    if (entry.state.step === "closer") {
      entry.closedBy(id);
      this.openFirst();
      this.ask();
      return;
    }
    const places = entry.places();
    const first = id === entry.state.closer && places[0] !== entry.open && places[0];
    const seat = places.find((one) => one.id === id) || first; // the closings are shown with the first hand
    if (seat) this.turnTo(seat.id);
    else this.askCloser();
  }

  // The closing may be offered beside a hand that does not count with it.
  closeHow(closing) {
    this.change(() => this.entry.closedHow(closing));
    if (!this.entry.places().includes(this.entry.open)) this.openFirst();
  }

  askCloser() {
    if (this.facts.own) return this.turnOwn();
    if (!this.entry.isFixed) this.set({ step: "closer" });
  }

  // In a form of one hand: this player closed the round, or did not.
  turnOwn() {
    this.entry.closedBy(this.entry.isCloser(this.entry.seats[0]) ? "other" : this.facts.own);
    this.openFirst();
    this.ask();
  }

  openFirst() {
    this.entry.state.seat = "";
    this.open(this.entry.first()?.id || "");
  }

  open(id) {
    this.keep(() => {
      const was = this.entry.open;
      Object.assign(this.entry.state, { seat: id, step: "hands", isMinus: false, isBegun: false });
      this.matchView(was);
      this.kind.opened();
    });
  }

  // Opens a hand because of a tap.
  turnTo(id) {
    this.open(id);
    this.focusTitle();
  }

  // A hand in points opens on the digits, one in cards on the cards; an empty one keeps the last view.
  matchView(was) {
    const { state, open, hand } = this.entry;
    if (open) state.view = this.kind.seatView(hand, open, was) || state.view;
  }

  previous() {
    const before = this.entry.before();
    if (before) this.turnTo(before.id);
    else this.askCloser();
  }

  go(event) {
    const next = this.entry.state.step === "closer" ? this.entry.open : this.entry.nextMissing();
    if (!next) return;
    event.preventDefault();
    this.turnTo(next.id);
  }

  erase() {
    if (this.wasLong) this.wasLong = false;
    else this.change(() => (this.entry.isCounted() ? this.entry.eraseDigit() : this.kind.erase()));
  }

  submit(event) {
    if (!this.isSending && this.isWhole()) {
      this.isSending = true;
      this.set({ isBegun: false });
      this.one("[data-go]").ariaBusy = "true";
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  isWhole() {
    const { state } = this.entry;
    const missing = this.entry.missing();
    if (state.closer && !missing) return true;
    if (state.closer) this.turnTo(missing.id);
    else state.step = "closer";
    this.refuse(state.closer ? fill(this.words.need, { name: missing.name }) : this.words.need_closer);
    return false;
  }

  // The request failed or was refused: the round may be sent again.
  ready() {
    this.isSending = false;
    this.one("[data-go]").removeAttribute("aria-busy");
  }

  // --- after a tap -----------------------------------------------------------------------------------------

  // Applies a change to the round: saves the draft, draws, and requests the consequences.
  change(act) {
    if (this.entry.state.step !== "hands" || !this.entry.open) return;
    this.keep(act);
    this.ask();
  }

  set(changes) {
    this.keep(() => Object.assign(this.entry.state, changes));
  }

  // Says why a key has no effect now.
  refuse(sentence) {
    this.warning = sentence;
    this.draw();
  }

  keep(act = () => {}) {
    act();
    this.warning = "";
    this.draw();
    keepDraft(this.facts.draft, this.entry.draft());
  }

  // Requests the consequences after a pause, or at once for a hand that only the server can count.
  ask() {
    const { entry } = this;
    if (!entry.state.closer) return;
    const isUnread = entry.open && !entry.isMissing(entry.open) && entry.score(entry.open) === null;
    this.one("#consequences").dispatchEvent(new CustomEvent(isUnread ? "hand-unread" : "hands-changed"));
  }

  draw() {
    const { entry } = this;
    entry.drawn = new Map();
    entry.count();
    drawFrame(this);
    if (entry.state.step === "hands" && entry.open) {
      drawTools(this, entry.open);
      this.kind.draw(entry.open);
    }
    entry.drawn = null;
  }
}

// Creates the page's pad once its kind of hand is loaded. Without htmx the plain form stays.
function start() {
  sweep();
  const form = document.querySelector("form[data-pad]");
  const Kind = kinds[form?.dataset.kind];
  if (!Kind || tried === form || !window.htmx) return;
  tried = form;
  const made = new Pad(form, Kind);
  if (!made.takeOver()) return;
  pad = made;
  pad.ask(); // a restored or printed hand already has consequences
}

// A kind of hand: the differences between held.js, melds.js, leftover.js and typed.js. By default the phone
// counts the hand itself, and the server only reports errors.
export class Hands {
  constructor(pad) {
    this.pad = pad;
    this.entry = pad.entry;
  }
  get state() {
    return this.entry.state;
  }

  // Returns the initial values of its own fields of the state.
  blank() {
    return {};
  }
  // Returns the hand as the server reads it.
  posted(text, _seat) {
    return text;
  }
  // Returns whether the player who went out has anything to enter.
  asksCloser() {
    return true;
  }
  hasClosings() {
    return true;
  }
  // Returns the text below the closer.
  closerState() {
    return "";
  }

  reading(seat) {
    return this.pad.readings.hand(seat.id, this.entry.posted(seat));
  }
  // Returns the points of a hand that the phone alone cannot count.
  points(_seat) {
    return null;
  }
  // Returns the score of such a hand in the round, bonus included.
  round(_seat) {
    return null;
  }
  // Returns whether its points may still decrease.
  mayFall(_seat) {
    return false;
  }
  // Returns how many cards are missing, in words, if the hand is entered card by card.
  lacking(_seat) {
    return "";
  }
  isWrong(_seat) {
    return true;
  }
  wrong(seat) {
    return this.reading(seat)?.wrong;
  }

  // Returns the keys that a hand opens with.
  /** @returns {string} */
  seatView(text, _seat, _was) {
    return isNumber(text) ? "digits" : "cards";
  }
  // Returns the chosen way to enter the open hand.
  way(_seat) {
    return this.state.view;
  }
  turnTo(way) {
    this.pad.set({ view: way });
  }
  // Returns the sentence above the keys.
  note(_seat) {
    return this.pad.words.typed;
  }
  title(_seat) {
    return this.pad.words.hand;
  }

  tap(_what) {}
  // Handles a key; returns whether it means anything.
  press(_key) {
    return false;
  }
  opened() {}
  erase() {
    this.clear();
  }
  clear() {
    this.entry.hand = "";
  }
  draw(seat) {
    drawSum(this.pad, seat);
  }
}

export const livePad = () => pad;

// Registers a kind of hand when its script is loaded. Later errors do not count as a failure to load it.
export function know(name, Kind) {
  kinds[name] = Kind;
  queueMicrotask(start);
}

document.addEventListener("keydown", (event) => {
  if (pad?.form.isConnected) pad.press(event);
});
document.addEventListener("htmx:load", start);
window.addEventListener("pageshow", () => pad?.ready());
window.addEventListener("online", () => pad?.ask());
