// Hands from other phones on the scorer's pad: polled every second while hands are awaited. A hand fills an
// empty seat; a hand that differs from the entered one is announced, with a button that takes it. An entry
// recorded by another phone is announced too; its button leads to the page of a stale round, with the typed
// hands.

import { fill, icon, piece } from "../base/dom.js";
import { isOurs } from "../base/page.js";
import { say } from "../base/voice.js";
import { parted } from "./entry.js";
import { livePad } from "./pad.js";

const OFTEN = 1000;
const SELDOM = 5000;
const PATIENCE = 10000;

let timer = 0;
let isAsking = false;
let isAwaiting = true;
let asked = ""; // the query of the last answer
const taken = new WeakMap(); // the hand given to each seat, by form

const formNow = () => document.querySelector("form[data-offers]");

function plan() {
  clearTimeout(timer);
  if (formNow()) timer = setTimeout(ask, isAwaiting && !document.hidden ? OFTEN : SELDOM);
}

// Returns the scorer's answer as a query: the closer, or that they look before all points have arrived.
function query({ entry, form }) {
  const { closer, step } = entry.state;
  if (!entry.asksCloser) return "looks" in form.dataset ? "?look=1" : "";
  return closer && step === "hands" ? `?closer=${encodeURIComponent(closer)}` : "";
}

async function ask() {
  clearTimeout(timer);
  const pad = livePad();
  const form = formNow();
  if (!form || isAsking) return;
  if (pad?.form !== form) return plan();
  isAsking = true;
  try {
    const { offers, ticket } = form.dataset;
    const said = query(pad);
    const isNew = !taken.has(form) || said !== asked;
    const answer = await fetch((isNew ? offers.replace(/\d+\/$/, "0/") : offers) + said, {
      cache: "no-store",
      headers: { "X-Ticket": ticket },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const next = answer.headers.get("X-Ticket");
    if (next) form.dataset.ticket = next;
    if (answer.status === 200 && (await isOurs(answer))) {
      const news = await answer.json();
      asked = said;
      if (form.isConnected) onNews(pad, news);
    }
  } catch {
    // Without the site, the scorer types the hands.
  } finally {
    isAsking = false;
    plan();
  }
}

function onNews(pad, news) {
  const { entry, form } = pad;
  if (!taken.has(form)) taken.set(form, new Map());
  Object.assign(form.dataset, { offers: news.live, ticket: news.ticket, phones: news.phones.join(" ") });
  showQuestions(news.questions);
  isAwaiting = news.is_awaiting;
  const { value } = form.elements.after;
  const recorded = pad.one("[data-recorded]");
  recorded.querySelector("b").textContent = news.latest;
  const wasHidden = recorded.hidden;
  recorded.hidden = news.after <= Number(value) || pad.isSending;
  if (wasHidden && !recorded.hidden) say(recorded.querySelector("p").textContent);
  if (String(news.after) !== value) return;
  const notes = news.notes.map((text) => ({ text, hands: [] }));
  for (const { text, hands } of news.choices) notes.push({ text, hands });
  if (news.closer && entry.asksCloser) close(pad, news, notes);
  for (const hand of news.hands) give(pad, hand, notes);
  for (const { id } of [...news.hands, ...news.choices.flatMap(({ hands }) => hands)]) bring(form, id);
  for (const seat of entry.seats) mark(pad, seat, news);
  pad.draw();
  const look = pad.one("[data-look]");
  if (look) look.hidden = !news.may_look || "looks" in form.dataset;
  show(pad, notes);
}

// Shows the reader's questions (`tables/_questions.html`) if they have changed.
function showQuestions(html) {
  const box = document.getElementById("questions");
  if (!box || box.dataset.said === html) return;
  box.dataset.said = html;
  window.htmx.swap(box, html, { swapStyle: "innerHTML" });
}

function close(pad, { closer, closing }, notes) {
  const { entry, words } = pad;
  if (entry.state.step === "closer") {
    Object.assign(entry.state, { closer, closing });
    pad.openFirst();
    pad.ask();
  } else if (entry.state.closer !== closer) {
    notes.push({ text: fill(words.closed, { name: entry.seat(closer).name }), hands: [] });
  }
}

function give(pad, hand, notes) {
  const { entry, words } = pad;
  const seat = entry.seat(hand.player);
  if (!seat || !hand.text) return;
  if (entry.posted(seat) === hand.text) {
    taken.get(pad.form).set(hand.player, hand.text); // the page was printed with it
    return;
  }
  const isEmpty = !entry.state.hands[hand.player] && !entry.state.bought[hand.player];
  if (isEmpty && !(entry.open === seat && (entry.state.isBegun || entry.state.isMinus))) take(pad, hand);
  else if (entry.posted(seat)) notes.push({ text: fill(words.changed, { name: seat.name }), hands: [hand] });
}

function take(pad, hand) {
  const part = parted(hand.text);
  pad.keep(() => {
    pad.entry.state.hands[hand.player] = part.text;
    if (part.bought) pad.entry.state.bought[hand.player] = part.bought;
    pad.matchView();
  });
  taken.get(pad.form).set(hand.player, hand.text);
  pad.ask();
}

function bring(form, id) {
  if ([...form.querySelectorAll("[name=brought]")].some((field) => field.value === String(id))) return;
  const field = piece("input", "");
  Object.assign(field, { type: "hidden", name: "brought", value: id });
  form.append(field);
}

function mark({ entry, kind, words, form }, seat, { sent }) {
  seat.button.toggleAttribute("data-clash", Boolean(entry.posted(seat) && kind.wrong(seat)));
  const isTaken = taken.get(form).get(seat.id) === entry.posted(seat) && entry.posted(seat);
  const note = isTaken ? words.phone : sent.includes(seat.id) ? words.sent : "";
  const label = seat.button.querySelector(".sent") ?? piece("small", "sent");
  label.replaceChildren(icon("check"), piece("span", "", note));
  if (note) seat.button.append(label);
  else label.remove();
}

function show(pad, notes) {
  const box = pad.one("[data-notes]");
  const rows = notes.map(({ text, hands }) => {
    const keys = hands.map((hand) => {
      const key = piece("button", "pill", fill(pad.words.use, { hand: hand.text || "0" }));
      key.addEventListener("click", () => {
        take(pad, hand);
        ask();
      });
      return key;
    });
    return piece("p", "", text, ...keys);
  });
  const said = rows.map((row) => row.textContent).join("\n");
  if (box.dataset.said === said) return; // already shown
  box.dataset.said = said;
  box.replaceChildren(...rows);
  box.hidden = !rows.length;
  say(...notes.map(({ text }) => text));
}

function start() {
  isAwaiting = true;
  asked = "";
  ask();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-look]")) return;
  formNow().dataset.looks = "";
  ask();
});
document.addEventListener("htmx:load", start);
document.addEventListener("visibilitychange", () => !document.hidden && ask());
start();
