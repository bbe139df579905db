// Forms that are one sentence, read from the top: who pays whom how much, as the faces on the cloth and the
// closer say it. Without this script, every choice is on the page, and the closer has a fixed text.

import { coins } from "../base/coins.js";
import { fill, grouped, say, setText } from "../base/dom.js";

/** @type {WeakMap<HTMLFormElement, string>} */
const proposed = new WeakMap(); // the debt that the script typed into the amount

const amountField = (form) => /** @type {HTMLInputElement} */ (form.elements.amount);
const chosen = (form, end) => form.querySelector(`[name=${end}]:checked`);
const nameOf = (radio) => radio.closest("label").querySelector("bdi").textContent;

// Which of three sentences the reader reads: their own, one about them, or one about others.
const voice = (me, first, second) => (first === me ? "_i" : second === me ? "_me" : "");

function facts(form) {
  const data = JSON.parse(form.dataset.sentence);
  const [payer, payee] = ["payer", "payee"].map((end) => chosen(form, end));
  const [from, to] = [payer, payee].map((radio) => radio?.value ?? "");
  const owed = data.owed.find(([debtor, creditor]) => debtor === from && creditor === to)?.[2] ?? 0;
  const amount = coins(amountField(form).value.trim(), data.decimals) || 0;
  const money = (sum) =>
    fill(form.dataset.money, { amount: grouped(sum / 10 ** data.decimals, data.decimals) });
  return { ...data, payer, payee, from, to, owed, amount, money };
}

function show(form) {
  const said = facts(form);
  for (const end of ["payer", "payee"]) showEnd(form, end, said);
  showNote(form, said);
  showCloser(form, said);
}

// The whole debt is proposed until another amount is typed.
function propose(form) {
  const { owed, decimals } = facts(form);
  const field = amountField(form);
  if (field.value && field.value !== proposed.get(form)) return;
  field.value = owed ? grouped(owed / 10 ** decimals, decimals) : "";
  proposed.set(form, field.value);
}

// An end of the sentence shows its face, and its grid those whom a tap puts there. The face takes the focus
// from what is hidden in the grid.
function showEnd(form, end, said) {
  const button = form.querySelector(`[data-end=${end}]`);
  const grid = form.querySelector(`[data-faces=${end}]`);
  const radio = said[end];
  const face = radio?.closest("label").querySelector(".av").cloneNode(true);
  const was = button.querySelector(".av");
  if (face && !face.isEqualNode(was)) was.replaceWith(face); // it jumps there
  const words = button.querySelector("small");
  words.dataset.other ??= words.textContent;
  const isMe = radio && radio.value === said.me;
  setText(words, isMe ? words.dataset.own : words.dataset.other);
  const name = radio ? nameOf(radio) : "";
  setText(button.querySelector("b"), isMe ? fill(said.words.you, { name }) : name);
  grid.hidden = button.ariaPressed !== "true";
  for (const input of grid.querySelectorAll("input")) {
    input.parentElement.hidden = [said.from, said.to].includes(input.value);
    if (input.parentElement.hidden && input === document.activeElement) button.focus({ preventScroll: true });
  }
}

function showNote(form, { owed, amount, money, payer, payee, from, to, me, words }) {
  const note = form.querySelector("[data-note]");
  note.hidden = !(payer && payee);
  if (note.hidden) return;
  const kind = !owed ? "none" : amount === owed ? "all" : amount < owed ? "part" : "over";
  const text = words[kind + voice(me, from, to)] ?? words[kind];
  const rest = money(Math.abs(owed - amount));
  setText(note.querySelector("span"), fill(text, { payer: nameOf(payer), payee: nameOf(payee), rest }));
  note.querySelector("button").hidden = !owed || amount === owed;
}

function showCloser(form, { amount, money, payer, payee, from, to, me, asks, words }) {
  const closer = form.querySelector("[data-closer] span");
  if (!closer) return;
  closer.dataset.empty ??= closer.textContent;
  if (!payer || !payee || !amount) return closer.replaceChildren(closer.dataset.empty);
  const isForgiven = form.elements.method.value === "forgiven";
  const kind = isForgiven ? `forgave${voice(me, to, from)}` : `paid${voice(me, from, to)}`;
  const names = { payer: nameOf(payer), payee: nameOf(payee), amount: money(amount) };
  closer.replaceChildren(fill(words[kind], names));
  if (isForgiven || from !== me || !asks.includes(to)) return;
  const later = document.createElement("small");
  closer.append(later);
  say(later, fill(words.later, names));
}

// The ring says whom the next tap on a face changes.
function ring(form, end) {
  for (const button of form.querySelectorAll("[data-end]"))
    button.ariaPressed = String(button.dataset.end === end);
}

function begin(form) {
  const ends = ["payer", "payee"];
  const grid = (end) => form.querySelector(`[data-faces=${end}]`);
  const entered = ends.find((end) => grid(end).contains(document.activeElement));
  const isOpen = (end) => grid(end).matches("[aria-invalid]") || !chosen(form, end);
  ring(form, entered ?? ends.find(isOpen) ?? "payee");
  form.querySelector(".parties").hidden = false;
  if (amountField(form) !== document.activeElement) propose(form);
  show(form);
}

const sentence = (event) => event.target.closest?.("[data-sentence]");

document.addEventListener("click", (event) => {
  const form = sentence(event);
  const end = event.target.closest("[data-end]");
  if (form && end) ring(form, end.dataset.end);
  if (!form || !event.target.closest("[data-end], [data-whole]")) return;
  if (!end) amountField(form).value = "";
  propose(form);
  show(form);
});
document.addEventListener("input", (event) => {
  const form = sentence(event);
  if (!form) return;
  const { name } = /** @type {HTMLInputElement} */ (event.target);
  if (name === "payer" && !chosen(form, "payee")) ring(form, "payee");
  if (name === "payee" && !chosen(form, "payer")) ring(form, "payer");
  if (name !== "amount") propose(form); // an empty amount is being typed
  show(form);
});
document.addEventListener("reset", (event) => {
  const form = sentence(event);
  if (form) setTimeout(begin, 0, form);
});

function start() {
  for (const form of document.querySelectorAll("[data-sentence]:not([data-ready])")) {
    form.toggleAttribute("data-ready", true);
    begin(form);
  }
}

document.addEventListener("htmx:load", start);
start();
