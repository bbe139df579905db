// The list of queued entries: why entries were refused and what the user can do about it, and the note at the
// edge of pages without the list. The pages of a game list the entries of the game. Pages with
// templates/offline/_kept.html list all of them, also as a text, in case the site never comes back.

import { warnOfNetwork } from "../base/failures.js";
import { messages } from "../base/page.js";
import { dayText } from "../base/days.js";
import { counted, fill, piece } from "../base/dom.js";
import { decide, drop, refusals } from "./decisions.js";
import { isAway, person } from "./identity.js";
import { present, open as openRefused } from "./panel.js";
import { box, isOld, main, nameFor, pad, place, stateAt, renew } from "./place.js";
import { titleFor } from "./totals.js";

/** @import { Fact, Shown } from "./queue.js" */

const TODAY = 12 * 3600 * 1000; // recent enough to show only the time of day

// The sign-in page, which leads back to this one.
const loginFrom = () =>
  `${document.getElementById("unsent").dataset.login}?next=${encodeURIComponent(location.pathname)}`;

/**
 * @typedef {object} State
 * @property {Fact} fact
 * @property {string} [other] the mark of its person, if somebody else uses the phone
 * @property {string} game the code of its game, whose pages show it; empty for payments and ticks
 * @property {boolean} held whether the user has to decide about it or about an earlier one
 * @property {string[]} refused the reasons for a refusal, and events recorded meanwhile
 *
 * @typedef {Shown & State} Entry
 */

/** @type {(facts: Fact[], other?: string) => Entry[]} */
function entriesIn(facts, other) {
  const free = box.free(facts);
  return facts.map((fact) => ({
    ...fact.shown,
    fact,
    other,
    game: box.queueName(fact) === fact.game ? fact.game : "",
    held: !free.includes(fact),
    refused: refusals(fact.refused),
  }));
}

// The queued entries of other people who used this phone. Fails without storage.
/** @returns {Promise<Entry[]>} */
async function others() {
  const { [person()]: _ours, ...kept } = await box.everybody();
  const all = Object.entries(kept).map(([other, facts]) => entriesIn(facts, other));
  return all.flat();
}

// The queued entries of this phone's person. Fails without storage.
const entries = async () => entriesIn(await box.unsent(person()));

let shown = Promise.resolve();

// Show the queued entries. Calls run one after another.
export function show() {
  shown = shown.finally(draw);
  return shown;
}

async function draw() {
  const known = await entries();
  const here = place();
  const ours = known.filter(({ game }) => game && game === here?.dataset.game);
  const list = document.getElementById("kept");
  const left = list ? await others() : [];
  const note = document.getElementById("unsent");
  drawNote(note, { here, list, entries: known, ours });
  if (list && (known.length || left.length || !list.hidden)) drawAll(list, known, left);
  if (mark(known)) renew();
  if (!here || !(ours.length || stateAt(here).isAwake || isOld())) return;
  drawOurs(here, ours);
  await present(here, ours);
}

// Pages with a list, and the pages of a game, show their entries themselves. On the pad a note about other
// games would be in the way. The note leads to the page that lists the entry or, if the session has ended, to
// the sign-in page.
function drawNote(note, { here, list, entries, ours }) {
  const { by } = entries[0] ?? {};
  if (isAway() && by) {
    note.hidden = false;
    note.href = by.isGuest ? "/" : loginFrom();
    note.textContent = counted(messages(), by.isGuest ? "many" : "away", entries.length, { name: by.name });
    return;
  }
  const isListed = here && !stateAt(here).isPad && ours.some(({ held }) => held);
  const ofSheet = here?.querySelector("[data-bar]");
  const isOfPage = ({ game }) => (here ? (game ? game === here.dataset.game : ofSheet) : !list);
  const refused = isListed ? undefined : entries.find((entry) => entry.refused.length && isOfPage(entry));
  const { length } = here ? entries.filter(({ game }) => ofSheet && !game) : entries;
  const [first] = entries.filter(({ game }) => game && !location.pathname.startsWith(`/g/${game}/`));
  note.hidden = !(refused || (length && !list));
  const shown = refused ?? (here ? undefined : first);
  note.href = shown?.game ? `/g/${shown.game}/` : "/";
  if (refused) note.textContent = messages().refused;
  else sayWaiting(note, length);
}

// What waits is safe.
function sayWaiting(note, count) {
  const { safe } = messages();
  note.replaceChildren(piece("b", "", counted(messages(), "many", count)), " ", piece("small", "", safe));
}

// Draw the entries of this page's game.
function drawOurs(here, ours) {
  const [count, items] = ["count", "items"].map((part) => here.querySelector(`[data-${part}]`));
  const isStopped = ours.some(({ held }) => held);
  count.textContent = isStopped ? messages(here).refused : counted(messages(), "many", ours.length);
  items.replaceChildren(...rowsFor(ours));
  items.hidden = !ours.length;
}

// List the entries of all games, on pages that need no access. Queued payments can be dropped. If nobody is
// signed in, other people's entries are listed with the way to send them; otherwise they are only counted. A
// guest comes back from the account page.
/** @type {(here: HTMLElement, entries: Entry[], others: Entry[]) => void} */
function drawAll(here, entries, others) {
  const shown = person() ? entries : others;
  const dropButton = ({ fact, other = person() }) => dropping(() => drop(other, fact.key));
  const choices = (entry) => {
    if (entry.other && !entry.by?.isGuest) return [signingIn()];
    return entry.other || !entry.game ? [dropButton(entry)] : [];
  };
  here.querySelector("ul").replaceChildren(...rowsFor(shown, choices));
  here.querySelector("textarea").value = shown.map(plain).join("\n");
  for (const part of here.querySelectorAll(":scope > :not([data-others])")) part.hidden = !shown.length;
  /** @type {HTMLElement} */
  const note = here.querySelector("[data-others]");
  const { length } = person() ? others : [];
  const areGuests = others.every(({ by }) => by?.isGuest);
  note.hidden = !length;
  note.replaceChildren(
    piece("span", "grow", counted(messages(), "others", length)),
    areGuests ? linkTo("/you/", messages().account) : signingIn(),
  );
  here.hidden = !length && !shown.length;
}

// Disable the row of a queued tick. Returns whether a tick is no longer queued.
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

function linkTo(href, words) {
  const link = piece("a", "btn text", words);
  link.href = href;
  link.setAttribute("hx-boost", "false");
  return link;
}

const signingIn = () => linkTo(loginFrom(), messages().signin);

// An entry as a line of text that can be read and entered elsewhere.
/** @param {Entry} entry */
function plain({ fact, title, detail, by, other }) {
  const who = other ? [by?.name].filter(Boolean) : [];
  const recorded = dayText(fact.at, { hour: "numeric", minute: "2-digit", hourCycle: "h23" });
  const where = new URL(fact.game ? `/g/${fact.game}/` : `/t/${fact.table}/`, location.href);
  return [recorded, ...who, title, detail, where].join(" · ");
}

/** @param {Entry[]} entries */
function rowsFor(entries, choices = (_entry) => []) {
  return entries.map((entry) => {
    const { title, detail, refused, by, other } = entry;
    const about = piece("span", "grow", piece("b", "", title), piece("span", "sub", detail));
    if (other && by?.name) about.prepend(piece("span", "sub", by.name));
    const held = entry.held && !other;
    about.append(...refused.map((sentence) => piece("span", "wrong", sentence)));
    const decisions = refused.length ? actions(entry) : [];
    return piece("li", "", about, ...(held ? decisions : choices(entry)));
  });
}

// A refused round can be opened on the pad, an offered hand is too late, anything else can be sent again as
// it is, and all can be deleted.
/** @param {Entry} entry */
function actions({ fact }) {
  const settle = (instead) => decide(person(), fact.key, instead);
  const ways = fact.form === "hand" ? [] : [fact.form === "round" ? opening(fact) : again(fact, settle)];
  return [...ways, dropping(() => settle())];
}

function opening(fact) {
  const link = linkTo(`/g/${fact.game}/round/#open=${encodeURIComponent(fact.key)}`, messages().fix);
  link.onclick = (event) => {
    if (!pad() || place()?.dataset.game !== fact.game) return;
    event.preventDefault();
    openRefused(fact);
  };
  return link;
}

// If the key is already used by something else, append a sign: the same one on every page, so that two taps
// make one payment. A question is answered with yes.
/** @type {(fact: import("./queue.js").Fact, settle: (instead: object) => Promise<unknown>) => Element} */
function again({ refused, ...fact }, settle) {
  const { used, sure } = refused ?? {};
  const button = piece("button", "btn text", sure ? messages().yes : messages().again);
  const fields = sure ? { ...fact.fields, sure } : fact.fields;
  button.onclick = () => settle({ ...fact, fields, key: used ? `${fact.key}+` : fact.key });
  return button;
}

// A button that first warns of the loss, and drops the entry at the second tap.
function dropping(drop) {
  const button = piece("button", "btn text", messages().drop);
  button.onclick = () => {
    button.textContent = counted(messages(), "sure", 1);
    button.onclick = drop;
  };
  return button;
}

// Say in the heading of a cached page when it was fetched.
export function say() {
  if (!isOld()) return; // a newer page has arrived
  if ("network" in main().dataset) warnOfNetwork(); // it answered in the site's place
  const note = piece("small", "seen", fill(messages().seen, { time: timeText(main().dataset.seen) }));
  main().querySelector("h1").append(note);
}

// A time in the format of the page's region, with the day unless it is recent.
function timeText(text) {
  const at = new Date(text);
  const clock = at.toTimeString().slice(0, 5);
  if (Date.now() - at.getTime() <= TODAY) return clock;
  const { day = "j/n" } = main().dataset;
  return `${day.replace("j", at.getDate()).replace("n", at.getMonth() + 1)}, ${clock}`;
}

// The title and details of a form's entry, for the list, and the numbers of a round. An entry is kept even if
// its title cannot be made.
/** @type {(form: HTMLFormElement, fields: any) => Shown} */
export function formText(form, fields) {
  const { waits } = form.dataset;
  const shown = waits === "round" ? { round: roundIn(fields) } : {};
  const text = waits === "round" ? played : waits === "reentry" ? answered : named;
  try {
    return { ...shown, ...text(form, fields) };
  } catch {
    return { ...shown, title: document.title, detail: "" };
  }
}

function roundIn({ closer, closing, ...fields }) {
  const given = Object.entries(fields).filter(([field]) => field.startsWith("hand-"));
  const hands = Object.fromEntries(given.map(([field, text]) => [field.slice("hand-".length), text]));
  return { closer, closing, hands };
}

function played(form, fields) {
  const { closer, closing, hands } = roundIn(fields);
  const here = place();
  const name = (id) => nameFor(here, id);
  const how = form.querySelector(`[data-closing="${closing}"]`)?.dataset.short;
  const entered = Object.entries(hands).filter(([, text]) => text);
  const parts = [
    closer === "nobody" ? how : `${name(closer)} ${how}`,
    ...entered.map(([id, text]) => `${name(id)} ${text.replace("-", "−")}`),
  ];
  const title = stateAt(here).title || titleFor(here, JSON.parse(form.dataset.numbers));
  return { title, detail: parts.join(" · ") };
}

function answered(_form, { player, answer }) {
  const { reenters, stays } = messages(place());
  const detail = answer === "reenter" ? reenters : stays;
  return { answer: [player, answer], title: nameFor(place(), player), detail };
}

// A payment, a tick or an offered hand.
function named(form, fields) {
  const { title, money, about } = form.dataset;
  const label = (field) =>
    form.querySelector(`[name=${field}]:checked`)?.closest("label").querySelector("bdi").textContent;
  const [, hand] = Object.entries(fields).find(([name]) => name.startsWith("hand-")) ?? [];
  const { round } = JSON.parse(form.dataset.numbers ?? "{}");
  const amount = fill(money ?? "", { amount: fields.amount });
  const words = { round, hand, payer: label("payer"), payee: label("payee"), amount };
  return { title: fill(title, words), detail: about };
}
