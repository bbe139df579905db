// The round entry: who went out, then every hand on the pad. The plain form's fields stay the truth that is posted;
// each tap writes them, shows the sum, keeps a draft on this phone and asks the server for the consequences.

const STORE = "draft:";
let pad = null;

const minus = (number) => String(number).replace("-", "−");
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function stored(key, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(STORE + key));
    localStorage.setItem(STORE + key, JSON.stringify(value));
  } catch {
    // A private window without storage still keeps the score.
  }
  return null;
}

function sweep() {
  const page = document.querySelector("[data-draft-sweep]");
  if (!page) return;
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(STORE + page.dataset.draftSweep) && key !== STORE + page.dataset.draftKeep) localStorage.removeItem(key);
    }
  } catch {
    // Nothing is stored, so nothing is old.
  }
}

class Pad {
  constructor(form) {
    this.form = form;
    this.text = form.dataset;
    this.one = (selector) => form.querySelector(selector);
    this.all = (selector) => [...form.querySelectorAll(selector)];
    this.limit = form.dataset.limit === "" ? null : Number(form.dataset.limit);
    this.cards = new Map(this.all("[data-card]").map((key) => [key.dataset.card, {
      key, value: Number(key.dataset.value), copies: Number(key.dataset.copies), label: key.dataset.label,
    }]));
    this.seats = this.all("[data-field]").map((button) => ({
      button, id: button.dataset.seat, name: button.title, total: Number(button.dataset.total), field: form.elements[button.dataset.field],
    }));
    this.nobody = this.one(".nobody");
    this.closings = this.all("[data-closing]").map((button) => ({
      button, key: button.dataset.closing, byPlayer: button.dataset.byPlayer === "yes", points: button.dataset.points, short: button.dataset.short,
    }));
    const printed = {
      closer: this.all("[name=closer]").find((radio) => radio.defaultChecked)?.value || "",
      closing: this.all("[name=closing]").find((radio) => radio.defaultChecked)?.value || "",
      hands: Object.fromEntries(this.seats.map((seat) => [seat.id, seat.field.defaultValue.trim()])),
    };
    const isBlank = !printed.closer && Object.values(printed.hands).every((text) => !text);
    this.base = JSON.stringify(printed);
    this.state = { ...printed, seat: form.dataset.seat, step: printed.closer ? "hands" : "closer", typed: false };
    const draft = stored(this.text.draft);
    if (draft && (isBlank || draft.base === this.base)) this.adopt(draft.state);
    if (!this.closings.some((closing) => closing.key === this.state.closing)) this.state.closing = this.usual(true);
    const wrong = this.seats.find((seat) => seat.button.classList.contains("error"));
    if (wrong) this.state.seat = wrong.id;
    if (!this.hand(this.state.seat)) this.state.seat = (this.nextMissing() || this.playing()[0])?.id || "";
    if (!this.state.typed) this.matchPad();
    this.listen();
    form.dataset.ready = "";
    // What a refused page brings back stands nowhere else yet.
    if (isBlank) this.render();
    else this.keep();
  }

  adopt(draft) {
    const hands = Object.fromEntries(this.seats.map((seat) => [seat.id, draft.hands[seat.id] || ""]));
    const isKnown = draft.closer === "nobody" ? this.nobody : this.seats.some((seat) => seat.id === draft.closer);
    this.state = { ...draft, hands, closer: isKnown ? draft.closer : "", step: isKnown ? draft.step : "closer" };
  }

  // What stands in a hand: null while missing, else its points, and its cards if it was tapped.
  read(text) {
    if (!text) return null;
    if (/^-?\d+$/.test(text)) return { points: Number(text), cards: null };
    const cards = /^\[(.*)\]$/.exec(text)?.[1].split(/\s+/).filter(Boolean).map((card) => (
      { card, kind: this.cards.get(card) || this.cards.get(card.replace(/[SHDC]$/, "")) }));
    if (!cards || cards.some(({ kind }) => !kind)) return { points: null, cards: null, raw: text };
    return { points: cards.reduce((sum, { kind }) => sum + kind.value, 0), cards };
  }

  playing() { return this.seats.filter((seat) => seat.id !== this.state.closer); }
  hand(id) { return this.playing().find((seat) => seat.id === id); }
  usual(byPlayer) { return (this.closings.find((closing) => closing.byPlayer === byPlayer) || this.closings[0])?.key || ""; }

  nextMissing() {
    const places = this.playing();
    const here = places.findIndex((seat) => seat.id === this.state.seat);
    return [...places.slice(here + 1), ...places.slice(0, Math.max(here, 0))].find((seat) => !this.state.hands[seat.id]);
  }

  used(kind) {
    return this.playing().reduce((sum, seat) => (
      sum + (this.read(this.state.hands[seat.id])?.cards || []).filter((held) => held.kind === kind).length), 0);
  }

  listen() {
    this.form.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const { seat, closing, card, held, digit } = button.dataset;
      if (seat) this.tapSeat(seat);
      else if (closing) this.change(() => { this.state.closing = closing; });
      else if (card) this.addCard(card);
      else if (held) this.takeOut(Number(held));
      else if (digit) this.addDigit(digit);
      else if ("erase" in button.dataset) this.erase();
      else if ("typed" in button.dataset) { this.state.typed = !this.state.typed; this.keep(); }
      else if ("previous" in button.dataset) this.previous();
      else if ("go" in button.dataset) this.go(event);
    });
    // A tapped button leaves the focus where it was, so Enter still means "next".
    this.form.addEventListener("mousedown", (event) => { if (event.target.closest("button")) event.preventDefault(); });
    for (const button of this.all("[data-erase]")) {
      let timer;
      const stop = () => clearTimeout(timer);
      button.addEventListener("pointerdown", () => {
        this.held = false;
        timer = setTimeout(() => { this.held = true; this.write(""); }, 550);
      });
      for (const name of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(name, stop);
      button.addEventListener("contextmenu", (event) => event.preventDefault());
    }
    this.form.addEventListener("submit", (event) => {
      if (!this.sending && this.isWhole()) {
        this.sending = true;
        this.one("[data-go]").setAttribute("aria-busy", "true");
        return;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
    }, true);
    const again = () => { this.sending = false; this.one("[data-go]").removeAttribute("aria-busy"); };
    this.form.addEventListener("htmx:afterRequest", (event) => { if (event.detail.elt === this.form) again(); });
    window.addEventListener("pageshow", again);
  }

  tapSeat(id) {
    if (this.state.step === "hands" && id !== this.state.closer) this.open(id);
    else if (this.state.step === "hands") { this.state.step = "closer"; this.keep(); }
    else {
      this.change(() => {
        this.state.closer = id;
        if (this.closings.find((closing) => closing.key === this.state.closing)?.byPlayer !== (id !== "nobody")) this.state.closing = this.usual(id !== "nobody");
      });
      this.state.seat = "";
      this.open((this.nextMissing() || this.playing()[0])?.id);
    }
  }

  open(id) {
    this.state.seat = id;
    this.state.step = "hands";
    this.last = null;
    this.warning = "";
    this.matchPad();
    this.keep();
  }

  // A hand that stands in points opens on the digits, one in cards on the cards; an empty one keeps the last pad.
  matchPad() {
    const hand = this.read(this.state.hands[this.state.seat]);
    if (hand) this.state.typed = !hand.cards && !hand.raw;
  }

  previous() {
    const places = this.playing();
    const here = places.findIndex((seat) => seat.id === this.state.seat);
    if (here > 0) this.open(places[here - 1].id);
    else { this.state.step = "closer"; this.keep(); }
  }

  go(event) {
    const next = this.state.step === "closer" ? this.hand(this.state.seat) : this.nextMissing();
    if (!next) return;
    event.preventDefault();
    this.open(next.id);
  }

  isWhole() {
    const missing = this.playing().find((seat) => !this.state.hands[seat.id]);
    if (this.state.closer && !missing) return true;
    if (!this.state.closer) this.state.step = "closer";
    else this.open(missing.id);
    this.warning = missing && this.state.closer ? fill(this.text.textNeed, { name: missing.name }) : this.text.textNeedCloser;
    this.render();
    return false;
  }

  write(text) {
    if (this.state.step !== "hands" || !this.state.seat) return;
    this.change(() => { this.state.hands[this.state.seat] = text; });
  }

  addCard(card) {
    const kind = this.cards.get(card);
    this.last = kind;
    if (this.used(kind) >= kind.copies) { this.render(); return; }
    const held = this.read(this.state.hands[this.state.seat])?.cards || [];
    this.state.typed = false;
    this.writeCards([...held.map((one) => one.card), card]);
  }

  takeOut(place) {
    const held = this.read(this.state.hands[this.state.seat]).cards;
    this.last = null;
    this.writeCards(held.map((one) => one.card).filter((_, index) => index !== place));
  }

  writeCards(cards) { this.write(cards.length ? `[${cards.join(" ")}]` : ""); }

  addDigit(digit) {
    const hand = this.read(this.state.hands[this.state.seat]);
    const text = hand && !hand.cards && !hand.raw ? String(hand.points) : "";
    this.state.typed = true;
    if (text.length < 5) this.write(String(Number(text + digit)));
  }

  erase() {
    if (this.held) { this.held = false; return; }
    const text = this.state.hands[this.state.seat] || "";
    const hand = this.read(text);
    this.last = null;
    if (hand?.cards) this.writeCards(hand.cards.slice(0, -1).map((one) => one.card));
    else if (hand && !hand.cards && !hand.raw && Math.abs(hand.points) > 9) this.write(text.slice(0, -1));
    else this.write("");
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.state.step !== "hands") return;
    const key = event.key.toUpperCase();
    const onButton = event.target.closest?.("a, button, input, summary");
    if (key === "ENTER" && !onButton) this.one("[data-go]").click();
    else if (key === "BACKSPACE" || key === "DELETE") { if (key === "DELETE") this.write(""); else this.erase(); }
    else if (this.state.typed && /^\d$/.test(key)) this.addDigit(key);
    else if (!this.state.typed && this.cards.has(key)) this.addCard(key);
    else if (!this.state.typed && key === "0" && this.cards.has("10")) this.addCard("10");
    else return;
    event.preventDefault();
  }

  change(act) {
    act();
    this.warning = "";
    this.keep();
    this.ask();
  }

  keep() {
    stored(this.text.draft, { base: this.base, state: this.state });
    this.render();
  }

  ask() {
    if (this.state.closer) this.one("#consequences").dispatchEvent(new CustomEvent("hands-changed"));
  }

  render() {
    const { closer, closing, hands, seat: open, step, typed } = this.state;
    const how = this.closings.find((one) => one.key === closing);
    const isHands = step === "hands";
    this.form.dataset.step = step;
    for (const radio of this.all("[name=closer]")) radio.checked = radio.value === closer;
    for (const radio of this.all("[name=closing]")) radio.checked = radio.value === closing;
    for (const seat of this.seats) this.renderSeat(seat, how, isHands && seat.id === open);
    this.nobody?.toggleAttribute("aria-current", closer === "nobody" && isHands);
    const offered = this.closings.filter((one) => one.byPlayer === (closer !== "nobody"));
    for (const one of this.closings) {
      one.button.hidden = !offered.includes(one);
      one.button.setAttribute("aria-pressed", String(one === how));
    }
    this.one("[data-closings]").hidden = offered.length < 2;

    const seat = this.hand(open);
    const hand = this.read(hands[open]);
    const title = document.getElementById("step");
    title.textContent = "";
    if (isHands && seat) {
      const [before, after] = (typed ? this.text.textPoints : this.text.textHand).split("{name}");
      const name = document.createElement("b");
      name.textContent = seat.name;
      title.append(before, name, after || "");
      this.renderHand(seat, hand);
    } else title.textContent = this.warning || this.text.textCloser;

    const next = isHands ? this.nextMissing() : seat;
    const places = this.playing();
    const before = places[places.indexOf(seat) - 1];
    this.one("[data-dock]").hidden = !isHands && !closer;
    this.one("[data-previous]").hidden = !isHands;
    this.label("[data-previous] span", before, this.text.textBack);
    this.label("[data-go] span", next, this.text.save);
    this.one("[data-go] i").hidden = !next;
  }

  // A name is cut to the button, words never are.
  label(selector, seat, words) {
    const label = this.one(selector);
    label.textContent = seat ? seat.name : words;
    label.classList.toggle("name", Boolean(seat));
    label.title = seat?.name || "";
  }

  renderSeat(seat, how, isOpen) {
    const isCloser = seat.id === this.state.closer;
    const hand = isCloser ? null : this.read(this.state.hands[seat.id]);
    const after = hand?.points == null ? null : seat.total + hand.points;
    const isBust = after !== null && this.limit !== null && after >= this.limit;
    seat.field.value = isCloser ? "" : this.state.hands[seat.id];
    seat.button.dataset.state = isCloser ? "closer" : !hand ? "missing" : hand.points === 0 ? "zero" : "counted";
    seat.button.toggleAttribute("data-bust", isBust && this.state.step === "hands");
    if (isOpen) seat.button.setAttribute("aria-current", "true");
    else seat.button.removeAttribute("aria-current");
    const figure = isCloser ? how?.points || "0" : !hand ? "·" : hand.raw || minus(hand.points);
    const state = isCloser ? how?.short || "" : !hand ? this.text.textMissing : after === null ? "" : `→ ${minus(after)}`;
    seat.button.querySelector("b").textContent = figure;
    seat.button.querySelector(".state").textContent = this.state.step === "closer" ? minus(seat.total) : state;
  }

  renderHand(seat, hand) {
    const { typed } = this.state;
    const shown = this.one("[data-cards]");
    const focused = [...shown.children].indexOf(document.activeElement);
    shown.textContent = "";
    (hand?.cards || []).forEach(({ card, kind }, place) => {
      const piece = document.createElement("button");
      piece.type = "button";
      piece.className = "c";
      piece.dataset.held = place;
      piece.setAttribute("aria-label", fill(this.text.textTake, { card: kind.key.getAttribute("aria-label") }));
      if (card === "*") piece.innerHTML = '<i class="i i-star"></i>';
      else piece.textContent = this.cards.has(card) ? kind.label : card;
      shown.append(piece);
    });
    if (focused >= 0) (shown.children[focused] || shown.lastElementChild || this.one("[data-erase]")).focus();
    if (!hand?.cards) shown.textContent = hand?.raw || (typed ? this.text.textTyped : this.text.textCards);
    const [sum, to] = this.one("[data-sum]").children;
    const after = hand?.points == null ? null : seat.total + hand.points;
    const isBust = after !== null && this.limit !== null && after >= this.limit;
    sum.textContent = hand ? minus(hand.points ?? "?") : "·";
    to.textContent = after === null ? minus(seat.total) : `${minus(seat.total)} → ${minus(after)}${isBust ? ` ${this.text.textBust}` : ""}`;
    to.classList.toggle("red", isBust);
    const wrong = this.one("[data-wrong]");
    const printed = document.getElementById(`${seat.button.dataset.field}-error`);
    const sentence = this.warning || (seat.field.value === seat.field.defaultValue && printed?.textContent) || "";
    if (wrong.textContent !== sentence) wrong.textContent = sentence;
    wrong.hidden = !sentence;

    const count = this.one("[data-count]");
    const dealt = Number(this.text.dealt);
    const many = hand?.cards?.length || 0;
    count.hidden = typed || !dealt;
    count.textContent = fill(this.text.textCount, { count: many, dealt });
    count.classList.toggle("red", many > dealt);
    for (const kind of this.cards.values()) kind.key.setAttribute("aria-disabled", String(this.used(kind) >= kind.copies));
    const left = this.one("[data-left]");
    const rest = this.last ? this.last.copies - this.used(this.last) : Infinity;
    left.hidden = typed || rest > 3;
    left.classList.toggle("red", rest === 0);
    if (rest <= 3) left.textContent = fill([this.text.textNoneLeft, this.text.textOneLeft][rest] || this.text.textLeft, { count: rest, card: this.last.label });
    this.one("[data-typed]").setAttribute("aria-pressed", String(typed));
    this.one("[data-keys]").hidden = typed;
    this.one("[data-digits]").hidden = !typed;
  }
}

function start() {
  sweep();
  const form = document.querySelector("form[data-pad]");
  if (pad?.form !== form) pad = form && new Pad(form);
}

document.addEventListener("keydown", (event) => { if (pad?.form.isConnected) pad.press(event); });
document.addEventListener("htmx:load", () => {
  const before = pad;
  start();
  // htmx listens to the region only now; a restored or printed hand has consequences at once.
  if (pad && (pad !== before || !pad.asked)) { pad.asked = true; pad.ask(); }
});
start();
