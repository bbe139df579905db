// The expense form as one sentence: who paid how much for what, what each bears under their face, what is
// left over on the cloth, and the closer, which says it again. Without this script, every choice is there.

import { coins } from "../base/coins.js";
import { fill, grouped, say, setText } from "../base/dom.js";

const FITS = 8; // letters of an amount under one of five faces, such as $ 17.000

const facts = (form) => JSON.parse(form.dataset.expense);
const amountOf = (form, field) => coins(field.value.trim(), facts(form).decimals) || 0;
const nameOf = (input) => input.closest("label").querySelector("bdi").textContent;
const fields = (form, prefix) => [...form.querySelectorAll(`[name^="${prefix}-"]`)];
const noteField = (form) => /** @type {HTMLInputElement} */ (form.elements.note);

function money(form, sum) {
  const { decimals } = facts(form);
  return fill(form.dataset.money, { amount: grouped(sum / 10 ** decimals, decimals) });
}

// Returns what each bears by the id of a person; null if the amounts are typed.
function parts(form) {
  const total = amountOf(form, form.elements.amount);
  const shares = new Map();
  const typed = fields(form, "share").filter(({ value }) => value.trim());
  for (const box of fields(form, "for")) if (box.checked) shares.set(box.name.slice(4), 1);
  if (form.elements.split.value === "amounts" && typed.length)
    return new Map(typed.map((field) => [field.name.slice(6), amountOf(form, field)]));
  for (const field of typed) shares.set(field.name.slice(6), Number(field.value) || 0);
  const all = [...shares.values()].reduce((sum, share) => sum + share, 0);
  return new Map([...shares].map(([id, share]) => [id, all ? Math.floor((total * share) / all) : 0]));
}

function show(form) {
  const { words } = facts(form);
  const borne = parts(form);
  const total = amountOf(form, form.elements.amount);
  const texts = fields(form, "for").map((box) => {
    const part = borne.get(box.name.slice(4));
    const text = part === undefined ? words.out : total ? money(form, part) : "";
    setText(box.closest("label").querySelector("[data-part]"), text);
    return text;
  });
  const chips = form.querySelector(".chips:has([data-part])");
  chips?.toggleAttribute(
    "data-long",
    texts.some(({ length }) => length > FITS),
  );
  say(form.querySelector("[data-note]"), noteText(form, borne, total));
  showPicks(form);
  showCloser(form, total);
}

function noteText(form, borne, total) {
  const { words } = facts(form);
  const sums = [...borne.values()];
  const left = total - sums.reduce((sum, part) => sum + part, 0);
  if (!total || !sums.length) return "";
  if (form.elements.split.value === "amounts" && left)
    return fill(left > 0 ? words.missing : words.over, { amount: money(form, Math.abs(left)) });
  if (new Set(sums).size > 1) return "";
  const about = { count: sums.length, part: money(form, sums[0]) };
  return fill(left ? words.about : words.each, about);
}

// A pick writes the note; the last one opens its field.
function showPicks(form) {
  const box = form.querySelector(".picks");
  const picks = [...box.querySelectorAll("button")];
  const note = noteField(form).value.trim().toLowerCase();
  const known = picks.find((pick) => pick.textContent.trim().toLowerCase() === note);
  const isOther = form.dataset.isOther === "yes" || (note && !known);
  for (const pick of picks)
    pick.ariaPressed = String("other" in pick.dataset ? Boolean(isOther) : pick === known);
  form.querySelector("[data-what]").hidden = !isOther;
  box.hidden = false;
}

function showCloser(form, total) {
  const { words, me } = facts(form);
  const closer = form.querySelector("[data-closer] span");
  const payer = form.querySelector("[name=payer]:checked");
  const isMine = payer?.value === me;
  const label = form.querySelector("[data-payer]");
  if (label && payer) setText(label, isMine ? words.payer_i : fill(words.payer, { name: nameOf(payer) }));
  closer.dataset.empty ??= closer.textContent;
  const isSeveral = fields(form, "paid").some(({ value }) => value.trim());
  if (!total || !(payer || isSeveral)) return setText(closer, closer.dataset.empty);
  const what = noteField(form).value.trim().toLowerCase();
  const values = { payer: payer ? nameOf(payer) : "", amount: money(form, total), what };
  if (form.elements.forgiven?.checked) return setText(closer, fill(words.forgiven, values));
  const kind = isSeveral ? "several" : isMine ? "paid_i" : "paid";
  setText(closer, fill(words[what ? `${kind}_for` : kind], values));
}

document.addEventListener("click", (event) => {
  const pick = event.target.closest("[data-expense] .picks button");
  if (!pick) return;
  const form = pick.closest("form");
  const isOther = "other" in pick.dataset;
  form.dataset.isOther = isOther ? "yes" : "";
  noteField(form).value = isOther ? "" : pick.textContent.trim();
  show(form);
  if (isOther) noteField(form).focus();
});
document.addEventListener("input", (event) => {
  const form = event.target.closest?.("[data-expense]");
  if (form) show(form);
});
document.addEventListener("reset", (event) => {
  const form = event.target.closest?.("[data-expense]");
  if (form) setTimeout(show, 0, form);
});

function start() {
  for (const form of document.querySelectorAll("[data-expense]:not([data-ready])")) {
    form.toggleAttribute("data-ready", true);
    show(form);
  }
}

document.addEventListener("htmx:load", start);
start();
