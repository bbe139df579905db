// Queued entries on the pages of their game. The sheet has a bar and leads to the next step as far as this
// phone knows it. The pad's page shows either a panel (totals, a re-entry question, the next step) or the
// pad, which begins the next round with the newest numbers, or opens an entry that was refused or taken back.

import { messages, placeNotices } from "../base/page.js";
import { counted, fill, piece } from "../base/dom.js";
import { playing } from "../play/arithmetic.js";
import { load, renew } from "../play/queued_round.js";
import { drop, refusals } from "./decisions.js";
import { person } from "./identity.js";
import { box, isOld, main, nameFor, outbox, pad, place, stateAt } from "./place.js";
import { drawSheet, foreseen, outlook, seatState, titleFor, totalText } from "./totals.js";

/** @import { Fact } from "./queue.js" */

let isLed = false; // whether a tapped link leads to the next page's pad even if entries are queued there

// Show the queued entries of this game, or hide their element.
export async function present(here, entries) {
  const numbers = await foreseen(here, entries);
  if (!here.isConnected) return;
  const known = stateAt(here);
  const one = (part) => here.querySelector(`[data-${part}]`);
  const view = { here, one, entries, numbers, ...outlook(numbers, entries) };
  const isShown = entries.length > 0;
  const wasShown = known.isAwake && !here.hidden;
  const isWanted = isLed && pad() && view.isFree;
  if (pad()) isLed = false;
  known.isAwake ||= isShown;
  if (one("bar")) drawBar(view, isShown);
  else if (known.isPad) return;
  else if (isWanted) openPad(view);
  else if (isShown) drawPanel(view);
  else if (wasShown)
    one("sheet").click(); // everything is recorded: go to the sheet
  else if (pad() && isOld()) openPad(view);
}

// --- the bar on the sheet ---------------------------------------------------------------------------------

/** @type {WeakMap<Element, ChildNode[]>} */
const printed = new WeakMap(); // the original labels of links that now lead elsewhere

function drawBar(view, isShown) {
  const { here, one, entries, numbers } = view;
  one("bar").hidden = !isShown;
  one("bar").open ||= view.isStopped;
  here.hidden = !isShown;
  one("provisional").hidden = !numbers.waits;
  one("safe").hidden = view.isStopped;
  if (numbers.waits) one("count").textContent = counted(messages(here), "unsent", entries.length);
  drawSheet(here, numbers);
  const dock = document.querySelector("main > .dock");
  const go = dock?.querySelector("a.go");
  if (go && (isShown || printed.has(go))) drawNext(view, dock, go, isShown);
}

function drawNext({ here, numbers, pendingSeat, isFree }, dock, go, isShown) {
  const label = go.firstElementChild;
  if (!printed.has(go)) printed.set(go, [...label.childNodes]);
  const { record, question, here: whole } = messages(here);
  const asked = pendingSeat ? fill(question, { name: nameFor(here, pendingSeat.id) }) : whole;
  const next = isFree ? fill(record, { number: numbers.round }) : asked;
  label.replaceChildren(...(isShown ? [next] : printed.get(go)));
  go.onclick = () => {
    isLed = isShown && isFree;
  };
  // The faces lead to the next round, unless a re-entry has to be answered first.
  const faces = dock.querySelector(".closers");
  if (!faces) return;
  faces.hidden = !isFree;
  go.hidden = isFree;
  const ready = new Set(["nobody", ...playing(numbers).map((seat) => seat.id)]);
  for (const face of faces.querySelectorAll("[data-closer]")) {
    face.onclick = go.onclick;
    face.hidden = !ready.has(face.dataset.closer);
  }
}

// --- the panel --------------------------------------------------------------------------------------------

function drawPanel(view) {
  const { here, one, entries, numbers, isStopped, pendingSeat } = view;
  const last = entries.at(-1);
  const seats = numbers.seats.filter((seat) => seat.seat !== "left");
  one("standing").replaceChildren(...seats.map((seat) => seatBox(view, seat)));
  one("provisional").hidden = isStopped || !last;
  const { unsure, ends } = messages(here);
  one("end").textContent = numbers.seats.some(({ total }) => total === null) ? unsure : ends;
  one("end").hidden = !numbers.unsure;
  one("ask").hidden = !pendingSeat;
  if (pendingSeat) ask(view);
  one("items").hidden ||= Boolean(pendingSeat);
  drawDock(view, last);
  turn(here, true);
}

function seatBox({ here, numbers, pendingSeat }, seat) {
  const name = nameFor(here, seat.id);
  const box = piece(
    "div",
    "seat",
    piece("span", "name", name),
    piece("b", seat.seat === "out" ? "soft" : "", totalText(numbers, seat)),
    piece("span", "state", seatState(here, numbers, seat)),
  );
  box.title = name;
  if (seat.seat === "pending") box.dataset.tone = "red";
  if (seat === pendingSeat) box.ariaCurrent = "true";
  return box;
}

function ask({ here, one, numbers: { after }, pendingSeat: { id } }) {
  one("question").textContent = fill(messages(here).question, { name: nameFor(here, id) });
  const { elements } = one("ask");
  if (elements.player.value === id && Number(elements.after.value) === after) return;
  for (const [name, value] of Object.entries({ player: id, after, key: outbox.newKey() }))
    elements[name].value = value;
}

// First the key to take back or the one to the sheet, then the next round on this page or its own. On the
// page of a re-entry the question comes before refused entries.
function drawDock(view, last) {
  const { here, one, entries, numbers, isStopped, isOpen, pendingSeat } = view;
  const leads = isOpen && !pendingSeat;
  const isHere = Boolean(pad() || isStopped);
  one("back").hidden = !last || last.held || Boolean(last.round && !pad());
  one("back").onclick = () => takeBack(here, entries, last);
  one("sheet").hidden = !one("back").hidden;
  one("next").hidden = !leads || !isHere || Boolean(pad() && isStopped);
  one("next").onclick = () => goOn(view);
  one("on").hidden = !leads || isHere;
  one("on").onclick = () => {
    isLed = true;
  };
  const text = isStopped ? messages(here).goon : fill(messages(here).record, { number: numbers.round });
  for (const button of [one("next"), one("on")]) button.firstChild.textContent = text;
}

function goOn({ here, numbers, isStopped }) {
  stateAt(here).isPast = isStopped;
  if (pad() && !numbers.seats.some(({ seat }) => seat === "pending")) return begin(here, numbers);
  return turn(here, false);
}

// --- the pad ----------------------------------------------------------------------------------------------

// Show either the queued entries or the page itself.
function turn(here, isShown) {
  const known = stateAt(here);
  const isNew = isShown && here.hidden;
  if (isNew) known.heading = setHeading(messages(here).here);
  else if (!isShown && known.heading.length) setHeading(...known.heading);
  here.hidden = !isShown;
  known.isPad = !isShown;
  for (const box of here.parentElement.children) {
    if (box !== here && !box.matches(".bar, #notices")) box.hidden = isShown;
  }
  placeNotices();
  document.getElementById("step")?.toggleAttribute("hidden", isShown);
  if (!isNew) return;
  here.querySelector(".body").scrollTop = 0;
  document.querySelector("h1").focus({ preventScroll: true });
}

// Put a text in place of the page's heading, and return what was there. The small print below it stays.
/** @type {(...wanted: (string | Node)[]) => Node[]} */
function setHeading(...wanted) {
  const heading = document.querySelector("h1");
  const small = [...heading.querySelectorAll(":scope > small")];
  const was = [...heading.childNodes].filter((node) => !small.includes(/** @type {any} */ (node)));
  heading.replaceChildren(...wanted, ...small);
  return was;
}

// Call this with the object of the pad.
const change = (detail) => pad().dispatchEvent(new CustomEvent("pad:change", { detail }));

// Begin the next round on the pad. It throws where the plain form stayed (pad.js).
async function begin(here, numbers, key = outbox.newKey(), heading = titleFor(here, numbers)) {
  if (!("ready" in pad().dataset)) throw new Error("the plain form stays");
  turn(here, false);
  setHeading(heading);
  Object.assign(stateAt(here), { replaces: "", title: heading });
  const draft = `${here.dataset.game}:${numbers.after}`;
  change((ready) => renew(ready, { numbers, after: numbers.after, key, draft }));
  document.querySelector("h1").focus({ preventScroll: true });
}

// Open the pad of a page that was cached, or opened for the next round, with the newest numbers and the
// tapped face.
async function openPad({ here, numbers }) {
  const form = pad();
  const { closer } = main().dataset;
  delete main().dataset.closer;
  stateAt(here).isPad = true;
  if (Number(form.elements.after.value) < numbers.after) await begin(here, numbers);
  if (closer) change((ready) => load(ready, { closer, closing: "", hands: {} }));
}

// Take back the last queued entry. A round opens on the pad with the same key, since the server may have it
// already.
async function takeBack(here, entries, last) {
  if (last.round) {
    await begin(here, await foreseen(here, entries.slice(0, -1)), last.fact.key, last.title);
    change((ready) => load(ready, last.round));
  }
  await drop(person(), last.fact.key);
}

// Open a refused round on the pad of this page, with the reasons. If others recorded it meanwhile, the pad is
// already at the next round, and saving would record the same hands twice.
/** @param {Fact} fact */
export async function open({ game, key, shown, refused }) {
  const here = place();
  await begin(here, (await box.numbers(game)) ?? JSON.parse(here.dataset.numbers));
  stateAt(here).replaces = key;
  change((ready) => load(ready, shown.round));
  const sentences = [shown.title, ...refusals(refused)].map((sentence) => piece("li", "", sentence));
  const reasons = piece("div", "errors", piece("ul", "", ...sentences));
  reasons.role = "alert";
  pad().querySelector(".seats").before(reasons);
}
