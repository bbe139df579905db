// The expense form as one sentence: who paid how much for what, what each bears under their face, what is
// left over on the cloth, and the closer, which says it again. Without this script, every choice is there.

import { coins } from "../base/coins.js";
import { fill, grouped, say, setText } from "../base/dom.js";
import { split, total } from "./split.js";

const FITS = 8; // letters of an amount under one of five faces, such as $ 17.000

const facts = (form) => JSON.parse(form.dataset.expense);
const amountOf = (form, field) => coins(field.value.trim(), facts(form).decimals);
const nameOf = (input) => input.closest("label").querySelector("bdi").textContent;
const idOf = ({ name }) => name.slice(name.indexOf("-") + 1);
const fields = (form, prefix) => [...form.querySelectorAll(`[name^="${prefix}-"]`)];
const filled = (form, prefix) => fields(form, prefix).filter(({ value }) => value.trim());
const noteField = (form) => /** @type {HTMLInputElement} */ (form.elements.note);
const isByAmounts = (form) => form.elements.split.value === "amounts";

function money(form, sum) {
  const { decimals } = facts(form);
  return fill(form.dataset.money, { amount: grouped(sum / 10 ** decimals, decimals) });
}

// Returns what each payer paid by their id: several, or the chosen one.
function payments(form, amount) {
  const several = filled(form, "paid");
  const payer = form.querySelector("[name=payer]:checked");
  if (!several.length) return new Map(payer ? [[payer.value, amount]] : []);
  const paid = new Map(several.map((field) => [idOf(field), amountOf(form, field)]));
  return new Map([...paid].filter(([, part]) => part > 0));
}

// Returns what each bears by their id. NaN is a number that the server refuses, and what depends on it.
function parts(form, amount, paid) {
  const typed = filled(form, "share");
  if (isByAmounts(form)) return new Map(typed.map((field) => [idOf(field), amountOf(form, field)]));
  const faces = fields(form, "for");
  const ticked = faces.filter(({ checked }) => checked);
  const shares = new Map(ticked.map((face) => [idOf(face), shareOf(face)]));
  if (typed.some(isWrongShare)) return new Map([...shares].map(([id]) => [id, Number.NaN]));
  return split(amount, paid, shares, faces.map(idOf));
}

const shareOf = (face) => Number(numberOf(face).value.trim() || 1);
const isWrongShare = ({ value }) => !/^(\d|[1-9]\d)$/.test(value.trim());

function show(form) {
  const { words } = facts(form);
  const amount = amountOf(form, form.elements.amount) || 0;
  const paid = payments(form, amount);
  showDebtor(form, paid);
  const borne = parts(form, amount, paid);
  const texts = fields(form, "for").map((face) => {
    const part = borne.get(idOf(face));
    const out = face.checked && isByAmounts(form) ? words.missing_part : words.out;
    const text = part === undefined ? out : amount && part >= 0 ? money(form, part) : "";
    setText(face.closest("label").querySelector("[data-part]"), text);
    return text;
  });
  const chips = form.querySelector(".chips:has([data-part])");
  chips?.toggleAttribute(
    "data-long",
    texts.some(({ length }) => length > FITS),
  );
  say(form.querySelector("[data-note]"), noteText(form, amount, [...borne.values()]));
  showPicks(form);
  showCloser(form, amount);
}

function noteText(form, amount, sums) {
  const { words } = facts(form);
  const left = amount - total(sums);
  if (!amount || !(sums.length || isByAmounts(form))) return "";
  if (isByAmounts(form) && left)
    return fill(left > 0 ? words.missing : words.over, { amount: money(form, Math.abs(left)) });
  const [least, most] = [Math.min(...sums), Math.max(...sums)];
  const isEven = most === least && !left;
  if (!isEven && (isByAmounts(form) || !(most - least <= 1))) return "";
  return fill(isEven ? words.each : words.about, { count: sums.length, part: money(form, least) });
}

// --- faces and numbers -------------------------------------------------------------------------------------

const numberOf = (face) => face.form.elements[`share-${idOf(face)}`];

// A face that a choice takes out is in again without that choice.
function takeOut(face, choice) {
  if (!face.checked) return;
  face.checked = false;
  face.dataset.out = choice;
  numberOf(face).value = "";
}

function putBack(face, choice) {
  if (face.dataset.out !== choice) return;
  face.checked = true;
  delete face.dataset.out;
}

// Who is forgiven bears nothing, but for an amount from before they became one with somebody who forgave.
function showDebtor(form, paid) {
  for (const face of fields(form, "for")) {
    if (!form.elements.forgiven?.checked || !paid.has(idOf(face))) putBack(face, "forgiven");
    else if (!isByAmounts(form) || !numberOf(face).value.trim()) takeOut(face, "forgiven");
  }
}

// With amounts, once there is one, a face without one is out.
function followSplit(form) {
  for (const face of fields(form, "for")) {
    if (!isByAmounts(form)) putBack(face, "amounts");
    else if (filled(form, "share").length && !numberOf(face).value.trim()) takeOut(face, "amounts");
  }
}

// What was entered before this script ran is shown as the server reads it.
function adopt(form) {
  for (const face of fields(form, "for")) {
    const text = numberOf(face).value.trim();
    if (text && isByAmounts(form)) face.checked = true;
    else if (text === "0") face.checked = false;
  }
}

// A face that is tapped out loses its number, and a number puts its face in. The server refuses what
// contradicts.
function agree(form, field) {
  const [face, number] = ["for", "share"].map((prefix) => form.elements[`${prefix}-${idOf(field)}`]);
  const text = number.value.trim();
  delete face.dataset.out;
  if (field === face) {
    if (!face.checked || (text === "0" && !isByAmounts(form))) number.value = "";
  } else if (!isByAmounts(form)) {
    if (text) face.checked = text !== "0";
  } else if (text) {
    face.checked = true;
    if (filled(form, "share").length === 1) followSplit(form);
  } else takeOut(face, "amounts");
}

// --- the note and the closer -------------------------------------------------------------------------------

// A pick writes the note; the last one opens its field, which stays while it has the focus.
function showPicks(form) {
  const box = form.querySelector(".picks");
  const picks = [...box.querySelectorAll("button")];
  const field = noteField(form);
  const note = field.value.trim().toLowerCase();
  const known = picks.find((pick) => pick.textContent.trim().toLowerCase() === note);
  const isEntered = form.dataset.isOther === "yes" || field === document.activeElement;
  const isOther = isEntered || (note && !known);
  for (const pick of picks)
    pick.ariaPressed = String("other" in pick.dataset ? Boolean(isOther) : pick === known);
  form.querySelector("[data-what]").hidden = !isOther;
  box.hidden = false;
}

function showCloser(form, amount) {
  const { words, me } = facts(form);
  const closer = form.querySelector("[data-closer] span");
  const payer = form.querySelector("[name=payer]:checked");
  const isMine = payer?.value === me;
  const label = form.querySelector("[data-payer]");
  if (label && payer) setText(label, isMine ? words.payer_i : fill(words.payer, { name: nameOf(payer) }));
  closer.dataset.empty ??= closer.textContent;
  const isSeveral = filled(form, "paid").length > 0;
  if (!amount || !(payer || isSeveral)) return setText(closer, closer.dataset.empty);
  const what = noteField(form).value.trim().toLowerCase();
  const values = { payer: payer ? nameOf(payer) : "", amount: money(form, amount), what };
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
  if (!form) return;
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (/^(for|share)-/.test(field.name)) agree(form, field);
  if (field.name === "split") followSplit(form);
  show(form);
});
document.addEventListener("reset", (event) => {
  const form = event.target.closest?.("[data-expense]");
  if (form) setTimeout(show, 0, form);
});

function start() {
  for (const form of document.querySelectorAll("[data-expense]:not([data-ready])")) {
    form.toggleAttribute("data-ready", true);
    adopt(form);
    show(form);
  }
}

document.addEventListener("htmx:load", start);
start();
