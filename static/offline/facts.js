// Payments and ticks are facts: without a network they wait on this phone, each under the key of its form,
// and are recorded as they were entered when it is back. A form says in `data-fact` what it records, in
// words, and in `data-queued` where what waited is sent.

import { FAILURES, isMine, refusalOf, wait } from "./offline.js";
import { fill } from "../base/pieces.js";
import { newKey } from "./waiting.js"; // which lists what waits, and has to be here before the network goes

const { queue } = self;

const main = () => document.getElementById("main");
const facts = () => [...document.querySelectorAll("form[data-fact]")];
const words = () => document.getElementById("trouble").dataset;

function say(text) {
  const trouble = document.getElementById("trouble");
  trouble.textContent = text;
  trouble.hidden = false;
}

// Whether the form says enough to be a payment. What is missing the server says, and cannot now.
const isWhole = ({ payer, payee, amount }) => payer && payee && payer !== payee && /[1-9]/.test(amount);

const labelOf = (form, field) =>
  form.querySelector(`[name=${field}]:checked`)?.closest("label").textContent.trim();

function factOf(form, posted) {
  const { csrfmiddlewaretoken, key: printed, after = 0, ...fields } = Object.fromEntries(posted);
  // A page of a while ago may have sent its own.
  const key = main().dataset.seen === undefined ? printed : newKey();
  const { fact, queued: address, unit, about } = form.dataset;
  const amount = /^\p{L}+$/u.test(unit) ? `${fields.amount}\u00a0${unit}` : `${unit}\u00a0${fields.amount}`;
  const title = fill(fact, { payer: labelOf(form, "payer"), payee: labelOf(form, "payee"), amount });
  return {
    fact: true,
    game: `..${location.pathname}#${key}`,
    address,
    after: Number(after),
    key,
    fields,
    title,
    detail: about,
  };
}

async function keep(form, posted, refused) {
  try {
    await wait({ ...factOf(form, posted), ...refused });
  } catch {
    say(words().record); // nothing can be kept here
    return;
  }
  say(refused.broken ? words().broken : words().kept);
  if (!form.dataset.blank) return;
  form.reset(); // ready for another one, which is not this one again
  form.elements.key.value = newKey();
  for (const field of form.querySelectorAll("#amount, [name=note]")) field.value = "";
}

document.addEventListener(
  "submit",
  (event) => {
    const { target: form, submitter } = event;
    if (!form.matches("[data-fact]") || (navigator.onLine && main().dataset.seen === undefined)) return;
    const posted = new FormData(form, submitter);
    if (!isWhole(Object.fromEntries(posted))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    keep(form, posted, {});
  },
  true,
);

for (const name of FAILURES) {
  document.addEventListener(
    name,
    (event) => {
      const {
        target: form,
        detail: {
          requestConfig: { formData },
        },
      } = event;
      const refused = refusalOf(event);
      if (!form.matches("[data-fact]") || !refused || !isWhole(Object.fromEntries(formData))) return;
      event.stopPropagation();
      keep(form, formData, refused);
    },
    true,
  );
}

// --- a line that was ticked off is not ticked off again while that waits -----------------------------------

const pairOf = (address, { payer, payee }) => [address, payer, payee].join(" ");

async function mark() {
  const entries = (await queue.all().catch(() => [])).filter((entry) => entry.fact && isMine(entry));
  const waiting = new Set(entries.map((entry) => pairOf(entry.address, entry.fields)));
  const ticks = facts().filter((form) => !form.dataset.blank);
  let isNews = false;
  for (const form of ticks) {
    const button = form.querySelector("button");
    const isWaiting = waiting.has(pairOf(form.dataset.queued, Object.fromEntries(new FormData(form))));
    isNews ||= button.disabled && !isWaiting;
    button.disabled = isWaiting;
  }
  if (isNews) renew();
}

// The page as it is now that something was recorded; left alone where it cannot be had.
async function renew() {
  const answer = await fetch(location.href).catch(() => null);
  if (answer?.ok && !answer.redirected)
    window.htmx.swap("#main", await answer.text(), { swapStyle: "outerHTML" }, { select: "#main" });
}

queue.heard(mark);
document.addEventListener("htmx:load", mark);
mark();
