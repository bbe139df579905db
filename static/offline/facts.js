// Payments, ticks and own hands: without a network they wait on this phone, each under the key of its form,
// and are recorded as they were entered. `data-fact` has the words for the list.

import { FAILURES, warn, wordsOf } from "../base/page.js";
import { fill } from "../base/pieces.js";
import { entries } from "./entries.js";
import { owner, person } from "./person.js";
import { isOld, outbox } from "./place.js";
import { refusalOf, sendSoon } from "./sending.js";

const facts = () => [...document.querySelectorAll("form[data-fact]")];

/** @type {(posted: FormData) => Record<string, any>} */
const fieldsOf = (posted) => Object.fromEntries(posted);

// Whether the form has all of a payment, as a tick always does. Only the server can say what is missing, and
// it is not there now.
function isWhole(form, posted) {
  const { payer, payee, amount } = fieldsOf(posted);
  return !form.dataset.blank || (payer && payee && payer !== payee && /[1-9]/.test(amount));
}

// A name stands last in its label, after the face.
const labelOf = (form, field) =>
  form.querySelector(`[name=${field}]:checked`)?.closest("label").lastChild.textContent.trim();

function factOf(form, posted, wasSent) {
  const { key: printed, ...known } = outbox.factOf(form.getAttribute("action"), posted);
  // The key of a cached page may have been used before; a form that was just sent keeps its key. A tick has
  // none: it names the debt that it saw.
  const key = !printed || (isOld() && !wasSent) ? outbox.newKey() : printed;
  const { fact, money, about } = form.dataset;
  const amount = fill(money, { amount: known.fields.amount });
  const [, hand] = Object.entries(known.fields).find(([name]) => name.startsWith("hand-")) ?? [];
  const { round } = JSON.parse(form.dataset.numbers ?? "{}");
  const title = fill(fact, {
    round,
    hand,
    payer: labelOf(form, "payer"),
    payee: labelOf(form, "payee"),
    amount,
  });
  return { ...known, key, shown: { title, detail: about, by: owner() } };
}

async function keep(form, posted, refused = null, status = 0) {
  try {
    await outbox.add(person(), factOf(form, posted, Boolean(refused)), refused?.why);
  } catch {
    warn(wordsOf().record); // there is no storage
    return;
  }
  sendSoon();
  const lost = status === 429 ? wordsOf().later : wordsOf().kept;
  warn(refused?.why ? wordsOf().broken : lost);
  if (!form.dataset.blank) return;
  form.reset(); // ready for another payment, with its own key
  form.elements.key.value = outbox.newKey();
  for (const field of form.querySelectorAll("[name=amount], [name=note], [name=day]")) field.value = "";
}

function hearSubmit(event) {
  const { target: form, submitter } = event;
  // A pad says first what is missing; then the request fails.
  if (!form.matches("[data-fact]:not([data-pad])") || (navigator.onLine && !isOld())) return;
  const posted = new FormData(form, submitter);
  if (!isWhole(form, posted)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  keep(form, posted);
}

function hearFailure(event) {
  const { target: form, detail } = event;
  const { formData } = detail.requestConfig;
  const refused = refusalOf(event);
  if (!form.matches("[data-fact]") || !refused || !isWhole(form, formData)) return;
  event.stopPropagation();
  keep(form, formData, refused, detail.xhr.status);
}

// --- while a tick waits its row cannot be ticked again ----------------------------------------------------

/** @type {(table: string, fields: Record<string, any>) => string} */
const pairOf = (table, { payer, payee }) => [table, payer, payee].join(" ");

async function mark() {
  const known = (await entries().catch(() => [])).filter(({ fact: { form } }) => form === "tick");
  const waiting = new Set(known.map(({ fact }) => pairOf(fact.table, fact.fields)));
  const ticks = facts().filter((form) => form.matches(":not([data-blank], [data-pad])"));
  let isNews = false;
  for (const form of ticks) {
    const button = form.querySelector("button");
    const [, table] = /^\/t\/([^/]+)\//.exec(form.getAttribute("action")) ?? [];
    const isWaiting = waiting.has(pairOf(table, fieldsOf(new FormData(form))));
    isNews ||= button.disabled && !isWaiting;
    button.disabled = isWaiting;
  }
  if (isNews) renew();
}

// Fetch the page again after something was recorded; keep it if that fails.
async function renew() {
  const answer = await fetch(location.href).catch(() => null);
  if (answer?.ok && !answer.redirected) {
    window.htmx.swap("#main", await answer.text(), { swapStyle: "outerHTML" }, { select: "#main" });
  }
}

document.addEventListener("submit", hearSubmit, true);
for (const name of FAILURES) document.addEventListener(name, hearFailure, true);
outbox.heard(mark);
document.addEventListener("htmx:load", mark);
mark();
