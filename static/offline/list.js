// The list of waiting entries: what each is, why it was refused, and what the person can do about it.

import { wordsOf } from "../base/page.js";
import { counted, fill, piece } from "../base/pieces.js";
import { addressOf, opened } from "./onpad.js";
import { person } from "./person.js";
import { loginFrom, nameOf, outbox, place } from "./place.js";

/** @import { Shown } from "./box.js" */
/** @import { Entry } from "./entries.js" */

// List the entries of all games, on pages that need no access. Payments can be dropped while they wait. Where
// nobody is signed in those of others are listed with the way to send them; otherwise they are only counted.
/** @type {(here: HTMLElement, entries: Entry[], others: Entry[]) => void} */
export function presentAll(here, entries, others) {
  const shown = person() ? entries : others;
  const drop = ({ key, other = person() }) => dropping(() => outbox.drop(other, key));
  const choices = (entry) => {
    if (entry.other && !entry.by?.isGuest) return [signingIn()];
    return entry.other || !entry.game ? [drop(entry)] : [];
  };
  here.querySelector("ul").replaceChildren(...rowsOf(shown, choices));
  here.querySelector("textarea").value = shown.map(textOf).join("\n");
  for (const part of here.querySelectorAll(":scope > :not([data-others])")) part.hidden = !shown.length;
  /** @type {HTMLElement} */
  const note = here.querySelector("[data-others]");
  const { length } = person() ? others : [];
  note.hidden = !length;
  note.replaceChildren(piece("span", "grow", counted(wordsOf(), "others", length)), signingIn());
  here.hidden = !length && !shown.length;
  if (mark(entries)) renew();
}

// While a tick waits its row cannot be ticked again. Returns whether one does not wait any more.
/** @param {Entry[]} entries */
function mark(entries) {
  const ticks = entries.filter(({ fact: { form } }) => form === "tick").map(({ fact }) => fact);
  let isNews = false;
  for (const form of document.querySelectorAll("form[data-waits=tick]")) {
    const { payer, payee } = form.elements;
    const button = form.querySelector("button");
    const isWaiting = ticks.some(
      ({ table, fields }) =>
        form.action.endsWith(`/t/${table}/tick/`) &&
        fields.payer === payer.value &&
        fields.payee === payee.value,
    );
    isNews ||= button.disabled && !isWaiting;
    button.disabled = isWaiting;
  }
  return isNews;
}

// Fetch the page again after something was recorded; keep it if that fails.
async function renew() {
  const answer = await fetch(location.href).catch(() => null);
  if (answer?.ok && !answer.redirected) {
    window.htmx.swap("#main", await answer.text(), { swapStyle: "outerHTML" }, { select: "#main" });
  }
}

function signingIn() {
  const link = piece("a", "btn text", wordsOf().signin);
  link.href = loginFrom();
  link.setAttribute("hx-boost", "false");
  return link;
}

// An entry as a line that a person can read and enter elsewhere.
/** @param {Entry} entry */
function textOf({ fact, title, detail, by, other }) {
  const who = other ? [by?.name].filter(Boolean) : [];
  const when = new Date(fact.at).toLocaleString(document.documentElement.lang, { hourCycle: "h23" });
  const where = new URL(fact.game ? `/g/${fact.game}/` : `/t/${fact.table}/`, location.href);
  return [when, ...who, title, detail, where].join(" · ");
}

/** @param {Entry[]} entries */
export function rowsOf(entries, choices = (_entry) => []) {
  return entries.map((entry) => {
    const { title, detail, refused, by, other } = entry;
    const about = piece("span", "grow", piece("b", "", title), piece("span", "sub", detail));
    if (other && by?.name) about.prepend(piece("span", "sub", by.name));
    const held = entry.held && !other;
    about.append(...refused.map((sentence) => piece("span", "wrong", sentence)));
    const decisions = refused.length ? decisionsOf(entry) : [];
    return piece("li", "", about, ...(held ? decisions : choices(entry)));
  });
}

// A refused round can be opened on the pad, an own hand came too late, anything else can be sent again as it
// is, and all can be deleted.
/** @param {Entry} entry */
function decisionsOf({ fact, key }) {
  const decide = (instead) => outbox.decide(person(), key, instead);
  const ways = fact.form === "hand" ? [] : [fact.form === "round" ? opening(fact) : again(fact, decide)];
  return [...ways, dropping(() => decide())];
}

function opening(fact) {
  const link = piece("a", "btn text", wordsOf().fix);
  link.href = addressOf(fact);
  link.setAttribute("hx-boost", "false");
  link.onclick = (event) => {
    if (opened(fact)) event.preventDefault();
  };
  return link;
}

// A key that belongs to something else gets a sign: the same one on every page, so that two taps are one
// payment. A question is answered with yes.
/** @type {(fact: import("./box.js").Fact, decide: (instead: object) => Promise<unknown>) => Element} */
function again({ refused, ...fact }, decide) {
  const { used, sure } = refused ?? {};
  const button = piece("button", "btn text", sure ? wordsOf().yes : wordsOf().again);
  const fields = sure ? { ...fact.fields, sure } : fact.fields;
  button.onclick = () => decide({ ...fact, fields, key: used ? `${fact.key}+` : fact.key });
  return button;
}

// A button that says first that the entry is lost, and drops it at the second tap.
function dropping(drop) {
  const button = piece("button", "btn text", wordsOf().drop);
  button.onclick = () => {
    button.textContent = counted(wordsOf(), "sure", 1);
    button.onclick = drop;
  };
  return button;
}

// --- how the list calls the entry of a form ----------------------------------------------------------------

/** @typedef {(form: HTMLFormElement, fields: Record<string, any>) => Shown} Naming */

/** @type {Naming} */
export function shownOf(form, fields) {
  if (form.dataset.waits === "round") return played(form, fields);
  return form.dataset.waits === "reentry" ? answered(form, fields) : named(form, fields);
}

/** @type {Naming} */
function played(form, { closer, closing, ...fields }) {
  const name = (id) => nameOf(place(), id);
  const given = Object.entries(fields).filter(([field]) => field.startsWith("hand-"));
  const hands = Object.fromEntries(given.map(([field, text]) => [field.slice("hand-".length), text]));
  const how = form.querySelector(`[data-closing="${closing}"]`)?.dataset.short;
  const entered = Object.entries(hands).filter(([, text]) => text);
  const parts = [
    closer === "nobody" ? how : `${name(closer)} ${how}`,
    ...entered.map(([id, text]) => `${name(id)} ${text.replace("-", "−")}`),
  ];
  const title = document.querySelector("h1").firstChild.data.trim();
  return { round: { closer, closing, hands }, title, detail: parts.join(" · ") };
}

/** @type {Naming} */
function answered(_form, { player, answer }) {
  const { reenters, stays } = wordsOf(place());
  const detail = answer === "reenter" ? reenters : stays;
  return { answer: [player, answer], title: nameOf(place(), player), detail };
}

// A payment, a tick or an own hand.
/** @type {Naming} */
function named(form, fields) {
  const { title, money, about } = form.dataset;
  // A name stands last in its label, after the face.
  const label = (field) =>
    form.querySelector(`[name=${field}]:checked`)?.closest("label").lastChild.textContent.trim();
  const [, hand] = Object.entries(fields).find(([name]) => name.startsWith("hand-")) ?? [];
  const { round } = JSON.parse(form.dataset.numbers ?? "{}");
  const amount = fill(money ?? "", { amount: fields.amount });
  const words = { round, hand, payer: label("payer"), payee: label("payee"), amount };
  return { title: fill(title, words), detail: about };
}
