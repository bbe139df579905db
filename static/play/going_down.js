// Checks whether somebody went down right. Each tapped card is written into the plain form's field; the
// server checks the contract and groups the cards.

import { cardsIn, drawSuit, written } from "./keys.js";
import { face, fill, icon, patch, piece } from "../base/pieces.js";

const SIGNS = { S: "♠\ufe0e", H: "♥\ufe0e", D: "♦\ufe0e", C: "♣\ufe0e" };
const JOKER = "*";

const suitOf = (card) => (card.at(-1) in SIGNS ? card.at(-1) : "");
const rankOf = (card) => (suitOf(card) ? card.slice(0, -1) : card);
const counted = (cards, fits) => cards.filter(fits).length;

class GoingDown {
  constructor(form) {
    this.form = form;
    this.one = (selector) => form.querySelector(selector);
    this.all = (selector) => [...form.querySelectorAll(selector)];
    this.keys = new Map(this.all("[data-card]").map((button) => [button.dataset.card, button]));
    this.suits = this.all("[data-suit]");
    this.suit = this.suits[0].dataset.suit;
    this.cards = cardsIn(`[${form.elements.cards.value}]`);
    this.listen();
    form.dataset.ready = "";
    this.draw();
  }

  listen() {
    this.form.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) this.tap(button.dataset);
    });
    this.form.addEventListener("change", () => this.draw());
    this.one("#answer").addEventListener("htmx:afterSwap", () => this.draw());
  }

  get isSuited() {
    return this.form.elements.contract.selectedOptions[0]?.dataset.suited !== "";
  }

  tap({ card, suit, held, erase, clear }) {
    if (suit) {
      this.suit = suit;
      this.draw();
    } else if (card) {
      const whole = this.asTapped(card);
      if (this.isLeft(whole)) this.change([...this.cards, whole]);
    } else if (held) this.change(this.cards.filter((_card, place) => place !== Number(held)));
    else if (erase !== undefined) this.change(this.cards.slice(0, -1));
    else if (clear !== undefined) this.change([]);
  }

  // Returns the card of a key: of the chosen suit if suits matter.
  asTapped(rank) {
    return this.isSuited && rank !== JOKER ? rank + this.suit : rank;
  }

  // Returns whether the packs have one more of this card, and whether a hand may hold one more.
  isLeft(card) {
    const rank = rankOf(card);
    const copies = Number(this.keys.get(rank).dataset.copies);
    const ofSuit = suitOf(card) ? copies / this.suits.length : copies;
    return (
      this.cards.length < Number(this.form.dataset.most) &&
      counted(this.cards, (held) => rankOf(held) === rank) < copies &&
      counted(this.cards, (held) => held === card) < ofSuit
    );
  }

  change(cards) {
    this.cards = cards;
    this.form.elements.cards.value = written(cards);
    this.draw();
    this.form.dispatchEvent(new CustomEvent("cards-changed"));
  }

  // --- what is seen ----------------------------------------------------------------------------------------

  draw() {
    this.one("[data-box]").toggleAttribute("data-suited", this.isSuited);
    for (const button of this.suits) {
      button.setAttribute("aria-pressed", String(button.dataset.suit === this.suit));
    }
    for (const [rank, button] of this.keys) {
      button.setAttribute("aria-disabled", String(!this.isLeft(this.asTapped(rank))));
      if (rank !== JOKER) drawSuit(button, this.isSuited ? this.suit : "");
    }
    const empty = { key: "", make: () => piece("span", "", this.form.dataset.textEmpty) };
    const pieces = this.groups() ?? this.cards.map((card, place) => this.lying(card, place));
    patch(this.one("[data-cards]"), pieces.length ? pieces : [empty], this.one("[data-erase]"));
  }

  lying(card, place) {
    return { key: `${place} ${card}`, make: () => this.card(card, place) };
  }

  // Returns a card that a tap takes out.
  card(card, place) {
    const rank = rankOf(card);
    const suit = suitOf(card);
    const made = piece("button", "c", face(rank), ...(suit ? [icon(suit)] : []));
    const name = `${this.keys.get(rank)?.dataset.name ?? rank} ${SIGNS[suit] ?? ""}`.trim();
    made.dataset.held = String(place);
    if (suit) made.dataset.of = suit;
    made.setAttribute("aria-label", fill(this.form.dataset.textTake, { card: name }));
    return made;
  }

  // Returns the cards as the response groups them, the leftover last; null if it is about other cards.
  groups() {
    const answer = this.one(".verdict");
    if (!this.cards.length || answer?.dataset.for !== written(this.cards)) return null;
    const waiting = this.cards.map((card, place) => ({ card, place }));
    const take = (card) =>
      waiting.splice(
        waiting.findIndex((one) => one.card === card),
        1,
      )[0].place;
    return this.all("[data-laid], [data-kept]").map(({ dataset: { laid, kept, name } }) => {
      const placed = (laid ?? kept).split(" ").map((card) => [card, take(card)]);
      const kind = kept && !("down" in answer.dataset) ? "left" : "";
      return { key: JSON.stringify([kind, name, placed]), make: () => this.group(placed, name, kind) };
    });
  }

  group(placed, name, kind) {
    const cards = placed.map(([card, place]) => this.card(card, place));
    return piece("span", `group ${kind}`, piece("span", "cards", ...cards), piece("small", "", name));
  }
}

function start() {
  const form = document.querySelector("form[data-goingdown]");
  if (form && !("ready" in form.dataset)) new GoingDown(form);
}

document.addEventListener("htmx:load", start);
start();
