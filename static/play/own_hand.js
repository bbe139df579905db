// A player's own hand that could not be sent. It waits on this phone apart from the outbox: it blocks
// nothing, and the newest replaces it. It is sent by itself; one that is refused, as when its round is over,
// stays to be looked at.

import { stored } from "../base/memory.js";
import { FAILURES, warnings } from "../base/page.js";
import { piece } from "../base/pieces.js";
import { person } from "../offline/person.js";
import { main, pad, words } from "../offline/place.js";
import { refusalOf } from "../offline/sending.js";

const STORE = "hand:"; // among what person.js removes for the next person
const AGAIN = 3000;
const PATIENCE = 10000;
const FORGERY = "csrfmiddlewaretoken"; // may be outdated by then, so a new one is fetched

let timer = 0;
let sending = new AbortController();
const shown = new WeakMap(); // by note: the hand that it is about

const own = () => (pad()?.matches("[data-own]") ? pad() : null);

/** @returns {{ address: string, fields: [string, string][], refused?: string } | null} */
const waiting = () => JSON.parse(stored(STORE));

function hearFailure(event) {
  if (event.target !== own() || !refusalOf(event)) return;
  const { formData } = event.detail.requestConfig;
  const fields = [...formData].filter(([name]) => name !== FORGERY);
  const address = event.target.getAttribute("action");
  stored(STORE, JSON.stringify({ address, fields }));
  if (!waiting()) return; // a private window: it was not sent, as any other form
  event.stopPropagation();
  show();
  plan();
}

// What is being sent now is newer than what waits.
function hearSubmit(event) {
  if (event.target === own()) drop();
}

function drop() {
  sending.abort();
  stored(STORE, null);
  show();
}

function plan() {
  clearTimeout(timer);
  if (waiting() && !waiting().refused) timer = setTimeout(send, AGAIN);
}

async function send() {
  clearTimeout(timer);
  const hand = waiting();
  if (hand && !hand.refused) await deliver(hand, stored(STORE)).catch(() => {});
  show();
  plan();
}

async function deliver({ address, fields }, text) {
  sending = new AbortController();
  const { signal } = sending;
  const late = setTimeout(() => sending.abort(), PATIENCE);
  const site = await (await fetch("/token/", { cache: "no-store", signal })).json();
  if (site.person !== person()) return; // it waits for whoever typed it
  const answer = await fetch(address, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { "X-CSRFToken": site.token },
    redirect: "manual",
    signal,
  });
  const page = await answer.text();
  clearTimeout(late);
  if (stored(STORE) !== text) return; // a newer one waits
  const isSent = answer.type === "opaqueredirect";
  if (!isSent && refusalOf({ detail: { xhr: answer } })) return;
  stored(STORE, isSent ? null : JSON.stringify({ address, fields, refused: reasonIn(page) }));
  const form = own();
  if (isSent && form?.getAttribute("action") === address && isSame(form, fields)) location.assign("../");
}

// Whether the form still shows what was sent.
const isSame = (form, fields) => {
  const now = new FormData(form);
  return fields.every(([name, value]) => now.get(name) === value);
};

function reasonIn(page) {
  const answered = new DOMParser().parseFromString(page, "text/html");
  return answered.querySelector("main [role=alert]")?.textContent.trim() || warnings().broken;
}

// Say what waits, or was refused, below the heading of every page.
function show() {
  const hand = waiting();
  const old = document.getElementById("own-hand");
  if (hand && shown.get(old) === stored(STORE)) return;
  old?.remove();
  if (!hand) return;
  const button = piece("button", "btn text", words().drop);
  button.addEventListener("click", drop);
  const [, cards = ""] = hand.fields.find(([name]) => name.startsWith("hand-")) ?? [];
  const note = piece(
    "div",
    "notice",
    piece("p", "", hand.refused ?? warnings().kept),
    piece("p", "", cards),
    button,
  );
  note.id = "own-hand";
  note.role = "status";
  shown.set(note, stored(STORE));
  main().querySelector("header").after(note);
}

for (const name of FAILURES) document.addEventListener(name, hearFailure, true);
document.addEventListener("submit", hearSubmit);
document.addEventListener("htmx:load", show);
document.addEventListener("visibilitychange", () => document.hidden || send());
window.addEventListener("online", send);
send();
