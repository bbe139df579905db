// The players as seats around a table, in the order of the taps; a drag swaps two, a tap removes a player.
// The selects and inputs of the plain form are posted. Until the game starts the seats are a draft on this
// phone.

import { stored } from "../base/state.js";
import { coins } from "../base/coins.js";
import { fill, grouped, piece } from "../base/dom.js";
import { say } from "../base/voice.js";
import { letters } from "./letters.js";

/** @type {Map<string, string>} */
const bases = new Map(); // the seats that each page printed first, by the key of its draft
let begun = ""; // the key of the draft whose form was sent

// Returns the names in a text, which commas separate.
const split = (text) =>
  text
    .split(/[,;]/)
    .map((name) => name.trim().replace(/\s+/g, " "))
    .filter(Boolean);

class Roster {
  constructor(root) {
    this.root = root;
    this.selects = [...root.querySelectorAll("select[name^='seat-']")];
    this.inputs = this.selects.map((select) =>
      root.querySelector(`input[name='${select.name.replace("seat", "new")}']`),
    );
    this.people = [...this.selects[0].options]
      .filter((option) => option.value)
      .map((option) => ({
        slug: option.value,
        name: option.textContent.trim(),
        colour: option.dataset.colour,
        initial: option.dataset.initial,
      }));
    this.seated = [];
    this.chips = root.querySelector("[data-chips]");
    this.around = root.querySelector("[data-around]");
    this.add = root.querySelector("[data-add]");
    this.said = root.querySelector("[data-said]");
    this.form = root.closest("form");
    this.hints = this.form.querySelectorAll("[data-over]");
    this.key = `draft:${document.getElementById("main").dataset.person}:${location.pathname}`;
    this.takeOver();
    this.listen();
  }

  // Goes on from the plain form as it is now. What is no finished name there goes on in the field for names.
  takeOver() {
    const { root, form, field } = this;
    const focused = /** @type {HTMLInputElement} */ (document.activeElement);
    const isTyping = this.inputs.includes(focused);
    const rest = this.unfinished(focused);
    const [caret, end] = isTyping
      ? [focused.selectionStart, focused.selectionEnd].map((place) => place - focused.value.length)
      : [];
    const chosen = this.people.find(({ slug }) => this.selects.includes(focused) && slug === focused.value);
    const refused = this.resume().filter((name) => !this.takeOne(name));
    const texts = [field.value, ...refused, ...rest];
    if (texts.length > 1) field.value = texts.slice(field.value ? 0 : 1).join(", ");
    this.build();
    root.querySelector("[data-plain]").hidden = true;
    this.chips.hidden = false;
    this.around.hidden = false;
    this.add.hidden = false;
    const wrong = form.querySelector("#players-error");
    if (refused.length) this.takeOne(refused[0]);
    else if (wrong && this.inputs.some((input) => input?.ariaInvalid)) {
      this.say(wrong.textContent);
      wrong.remove();
    }
    if (isTyping) {
      field.focus();
      field.setSelectionRange(field.value.length + caret, field.value.length + end);
    } else if (this.selects.includes(focused)) {
      (this.buttons[this.people.indexOf(chosen)] ?? field).focus();
    } else if (root.dataset.new && !this.seated.length && !form.contains(focused)) field.focus();
  }

  listen() {
    const { root } = this;
    root.addEventListener("click", (event) => {
      const chip = event.target.closest("button[data-index]");
      if (chip && !this.hasDragged) this.tap(this.people[Number(chip.dataset.index)]);
      this.hasDragged = false;
    });
    this.around.addEventListener("pointerdown", (event) => this.grab(event));
    this.around.addEventListener("keydown", (event) => this.move(event));
    this.add.querySelector("button").addEventListener("click", () => {
      if (this.take() && !this.isFull) this.field.focus(); // for the next name
    });
    this.add.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.target !== this.field) return;
      event.preventDefault();
      this.take();
    });
    this.add.addEventListener("input", () => {
      this.say("");
      this.show();
    });
    // Otherwise, a typed name that was not added would be lost silently.
    this.form.addEventListener(
      "submit",
      (event) => {
        if (this.take()) {
          begun = this.key;
          return;
        }
        event.preventDefault();
        event.stopImmediatePropagation();
      },
      true,
    );
    this.form.addEventListener("change", () => this.drawStart(this.seated.length + this.typed.length));
  }

  get names() {
    return JSON.stringify(this.seated.map(({ name }) => name));
  }

  // The names in the seats of the plain form, as printed or as they are now.
  plain(isNow) {
    const { activeElement } = document;
    return this.selects.flatMap((select, index) => {
      const input = this.inputs[index];
      const option = [...select.options].find((one) => (isNow ? one.selected : one.defaultSelected));
      if (option?.value) return [option.textContent.trim()];
      if (!input || input.ariaInvalid || (isNow && input === activeElement)) return [];
      return split(isNow ? input.value : input.defaultValue);
    });
  }

  // The texts of the plain form that are no names of players: refused ones, those beside a chosen person, and
  // last the one that is being typed.
  unfinished(focused) {
    const texts = this.inputs
      .filter(
        (input, index) => input && input !== focused && (input.ariaInvalid || this.selects[index].value),
      )
      .flatMap(({ value }) => split(value));
    return this.inputs.includes(focused) ? [...texts, focused.value] : texts;
  }

  // Returns the names of the players: those seated before the page was left, unless the page now prints other
  // players. If the plain form has changed, its names come first, with those who came in before.
  resume() {
    const [printed, now] = [this.plain(false), this.plain(true)];
    const key = JSON.stringify(printed);
    bases.set(this.key, bases.get(this.key) ?? key);
    const { base, names } = JSON.parse(stored(this.key)) ?? {};
    const before = base === key ? JSON.parse(names) : printed;
    if (JSON.stringify(now) === key) return before;
    return [...now, ...before.filter((name) => ![...printed, ...now].includes(name))];
  }

  keep() {
    const base = bases.get(this.key);
    stored(this.key, this.names === base ? null : JSON.stringify({ base, names: this.names }));
  }

  // The color of the newcomer after this many others.
  colour(others) {
    return String(((this.people.length + others) % Number(this.root.dataset.colours)) + 1);
  }

  newcomer(name) {
    const person = {
      slug: "",
      name,
      colour: this.colour(0),
      initial: "", // see letters.js
    };
    this.people.push(person);
    return person;
  }

  tap(person) {
    if (this.seated.includes(person)) this.seated = this.seated.filter((one) => one !== person);
    else if (!this.seat(person)) return;
    this.show();
  }

  get field() {
    return this.add.querySelector("input");
  }

  get isFull() {
    return this.seated.length >= this.selects.length;
  }

  // Shows why a person gets no seat.
  say(sentence) {
    this.said.textContent = sentence;
    this.field.setAttribute("aria-invalid", String(Boolean(sentence)));
    if (sentence) for (const part of [this.add, this.said]) part.scrollIntoView({ block: "nearest" });
  }

  seat(person) {
    const { isFull } = this;
    this.say(isFull ? this.root.dataset.full : "");
    if (!isFull) this.seated.push(person);
    return !isFull;
  }

  // The names in the text field, which has not been taken yet.
  get typed() {
    // A change of a field that is being removed comes when the field of the names has left this form.
    return split(this.field?.value ?? "");
  }

  // Seats the typed names. Returns false if a name gets no seat, and leaves the rest in the field.
  take() {
    const left = this.typed;
    while (left.length && this.takeOne(left[0])) left.shift();
    this.field.value = left.join(", ");
    this.build();
    return !left.length;
  }

  takeOne(name) {
    const known = this.people.find((person) => person.name.toLowerCase() === name.toLowerCase());
    const { full, twice, long, longest } = this.root.dataset;
    let trouble = this.isFull ? full : "";
    if (!known && [...name].length > Number(longest)) trouble = fill(long, { name });
    if (this.seated.includes(known)) trouble = fill(twice, known);
    this.say(trouble);
    if (trouble) return false;
    this.seated.push(known || this.newcomer(name));
    return true;
  }

  // A seat follows the finger, and swaps with the seat where it is dropped.
  grab(event) {
    const chip = event.target.closest("button[data-index]");
    if (!chip) return;
    const [left, top] = [event.clientX, event.clientY];
    const ends = new AbortController();
    const move = ({ clientX, clientY }) => {
      if (Math.hypot(clientX - left, clientY - top) > 8) this.hasDragged = true;
      if (this.hasDragged) chip.style.translate = `${clientX - left}px ${clientY - top}px`;
    };
    const drop = ({ type, clientX, clientY }) => {
      ends.abort();
      chip.style.translate = "";
      if (!this.hasDragged || type !== "pointerup") return;
      const distance = (other) => {
        const box = other.getBoundingClientRect();
        return Math.hypot(clientX - box.x - box.width / 2, clientY - box.y - box.height / 2);
      };
      const [nearest] = [...this.around.children]
        .filter((other) => other.dataset.index)
        .sort((one, other) => distance(one) - distance(other));
      const [from, to] = [chip, nearest].map((seat) => this.placeOf(seat));
      this.swap(from, to);
      setTimeout(() => (this.hasDragged = false)); // after the click that ends the drag
    };
    chip.setPointerCapture(event.pointerId);
    chip.addEventListener("pointermove", move, { signal: ends.signal });
    for (const end of ["pointerup", "pointercancel"]) {
      chip.addEventListener(end, drop, { signal: ends.signal });
    }
  }

  placeOf(chip) {
    return this.seated.indexOf(this.people[Number(chip.dataset.index)]);
  }

  swap(from, to) {
    [this.seated[from], this.seated[to]] = [this.seated[to], this.seated[from]];
    this.show();
  }

  // An arrow key swaps a seat with the one before or after it.
  move(event) {
    const chip = event.target.closest("button[data-index]");
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!chip || !step) return;
    event.preventDefault();
    const count = this.seated.length;
    const from = this.placeOf(chip);
    this.swap(from, (from + step + count) % count);
    say(chip.ariaLabel);
  }

  build() {
    for (const button of this.buttons ?? []) button.remove();
    const shown = letters(this.people);
    this.buttons = this.people.map((person, index) => {
      const face = piece("span", "av", shown[index]);
      face.dataset.colour = person.colour || "5";
      const chip = piece("button", "chip", face, piece("span", "name", person.name), piece("span", "seatno"));
      chip.dataset.index = String(index);
      return chip;
    });
    this.show();
  }

  // The typed names as faces that sit down while one types; at the first game of a table, empty seats too.
  comingSeats(count) {
    for (const ghost of this.around.querySelectorAll(".coming")) ghost.remove();
    const names = this.typed;
    const free = Math.max(0, (this.root.dataset.new ?? 0) - count - names.length);
    const isTyping = !/[,;]\s*$/.test(this.field.value);
    const coming = names.map((name) => ({ name, initial: "" }));
    const shown = letters([...this.people, ...coming]).slice(this.people.length);
    return [...names, ...Array(free).fill("")].map((name, index) => {
      const isDone = name && !(isTyping && index === names.length - 1);
      const face = piece("span", isDone ? "av" : "av stool", isDone ? shown[index] : "");
      if (isDone) face.dataset.colour = this.colour(index);
      const ghost = piece("span", "chip coming", face, ...(name ? [piece("span", "name", name)] : []));
      ghost.ariaHidden = "true";
      return ghost;
    });
  }

  // The key that starts the game says who is missing, or what the pot will be.
  drawStart(count) {
    const button = /** @type {HTMLButtonElement | null} */ (this.form.querySelector(".dock [data-starts]"));
    if (!button) return;
    const { starts, pot, money, few, one } = button.dataset;
    const field = this.form.querySelector("#stake");
    const decimals = Number(field?.closest("[data-stake]").dataset.decimals ?? 0);
    const stake = field ? coins(field.value, decimals) : 0;
    const coin = 10 ** decimals;
    const sum = stake * count;
    const figure = grouped(sum / coin, sum % coin ? decimals : 0);
    const start = stake ? fill(pot, { amount: fill(money, { amount: figure }) }) : starts;
    const missing = count ? one : few;
    button.disabled = count < 2;
    button.firstElementChild.textContent = count < 2 ? missing : start;
  }

  show() {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    const count = this.seated.length;
    const coming = this.comingSeats(count);
    const places = count + coming.length;
    const { seat, deals } = this.root.dataset;
    this.buttons.forEach((chip, index) => {
      const person = this.people[index];
      const place = this.seated.indexOf(person) + 1;
      chip.ariaPressed = String(place > 0);
      const sentence = place ? this.root.dataset.place : seat;
      chip.ariaLabel = fill(sentence, { name: person.name, seat: place });
      chip.title = person.name;
      chip.lastChild.textContent = place || "";
      chip.lastChild.hidden = !place;
      (place ? this.around : this.chips).append(chip);
      sit(chip, place && place - 1, place ? places : 0);
    });
    for (const [index, ghost] of coming.entries()) sit(ghost, count + index, places);
    // in the order of the seats, because screen readers follow it
    this.around.append(...this.seated.map((person) => this.buttons[this.people.indexOf(person)]), ...coming);
    if (focused?.isConnected && this.root.contains(focused)) focused.focus();
    const first = this.seated[0]?.name ?? this.typed[0];
    this.root.querySelector("[data-dealer]").textContent = first ? fill(deals, { name: first }) : "";
    this.root.querySelector("[data-drag]").hidden = count < 2;
    this.around.hidden = !places;
    /** @type {HTMLElement} */ (this.root.querySelector("[name='draw']")).hidden = count < 2;
    this.root.querySelector("[data-others]").hidden = !this.chips.childElementCount;
    this.drawStart(count + this.typed.length);
    for (const hint of this.hints) hint.hidden = count <= Number(hint.dataset.over);
    const wrong = this.form.querySelector("#players-error[data-least]");
    if (wrong && count >= Number(wrong.dataset.least) && count <= Number(wrong.dataset.most)) wrong.remove();
    this.selects.forEach((select, index) => {
      const person = this.seated[index];
      select.value = person?.slug || "";
      if (this.inputs[index]) this.inputs[index].value = person && !person.slug ? person.name : "";
    });
    this.keep();
  }
}

// Places a chip around the table.
function sit(chip, index, places) {
  const turn = (2 * Math.PI * index) / places;
  chip.style.setProperty("--x", places ? Math.sin(turn) : 0);
  chip.style.setProperty("--y", places ? -Math.cos(turn) : 0);
}

function start() {
  if (begun && location.pathname.startsWith("/g/")) {
    stored(begun, null); // the game has started
    bases.delete(begun);
    begun = "";
  }
  for (const root of document.querySelectorAll("[data-roster]:not([data-ready])")) {
    new Roster(root);
    root.dataset.ready = "";
  }
}

document.addEventListener("htmx:load", start);
start();
