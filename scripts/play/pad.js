// The round entry by taps: who closed the round, then every hand. Each tap writes the fields of the plain
// form, shows the sum, saves a draft and requests the consequences. A kind of hand has its own cards and
// keys: held.js, melds.js, leftover.js, typed.js.

import { FAILURES, messages } from "../base/page.js";
import { fill } from "../base/dom.js";
import { Entry, Readings, draftAt, keepDraft, keepView, parted, sweep, viewAt } from "./entry.js";
import { drawFrame, drawTools } from "./frame.js";
import { Held } from "./held.js";
import { Leftover } from "./leftover.js";
import { Melds } from "./melds.js";
import { sayConsequences, sayTyped } from "./spoken.js";
import { Typed } from "./typed.js";

/** @import { Seat } from "./entry.js" */
/** @import { Hands } from "./hands.js" */

const KINDS = { held: Held, leftover: Leftover, melds: Melds, typed: Typed };
const LONG_PRESS = 550;
let pad = null;
/** @type {HTMLFormElement | null} */
let tried = null; // the form that a pad was made for last

class Pad {
  readings = new Readings();
  isSending = false; // the round is being posted
  wasLong = false; // the eraser was pressed long, so the click that follows is ignored
  warning = ""; // why the round cannot be saved yet

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
    if (!window.htmx) return false;
    window.htmx.process(region); // htmx may not have processed it yet
    const printed = this.fields("defaultValue", "defaultChecked");
    // A page with hands from phones begins like one without: they may also come later.
    const base = filled === undefined ? printed : { closer: filled, closing: "", hands: {}, bought: {} };
    if (!this.begin(base, draftAt(draft), printed, this.fields("value", "checked"))) return false;
    this.listen(region);
    this.form.dataset.ready = "";
    this.form.removeAttribute("data-unscripted");
    for (const chosen of this.all("[data-chosen]")) chosen.removeAttribute("data-chosen");
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
      sayConsequences(region);
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

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = event.key.toUpperCase();
    const button = event.target.closest?.("a, button, input, summary");
    if (this.entry.state.step !== "hands" || !this.type(key, button)) return;
    event.preventDefault();
    if (key === "ENTER") return;
    const [points, total] = this.one("[data-sum]").children;
    const bust = points.textContent && !total.matches(".red") ? "" : total.textContent;
    sayTyped(key, points.textContent, bust);
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

// Creates the page's pad. The plain form takes its place without htmx, or while something is typed into it
// that the pad cannot go on from.
function start() {
  sweep();
  const form = document.querySelector("form[data-pad]");
  const Kind = KINDS[form?.dataset.kind];
  if (!Kind || tried === form) return;
  tried = form;
  const made = new Pad(form, Kind);
  form.toggleAttribute("data-unscripted", !made.takeOver());
  if (form.matches("[data-unscripted]")) return;
  pad = made;
  pad.ask(); // a restored or printed hand already has consequences
}

export const livePad = () => pad;

document.addEventListener("keydown", (event) => {
  if (pad?.form.isConnected) pad.press(event);
});
document.addEventListener("htmx:load", start);
start();
window.addEventListener("pageshow", () => pad?.ready());
window.addEventListener("online", () => pad?.ask());
