// A form whose entry was queued on this phone: what it says, and how it is ready again. An offered hand (Mi
// mano) that has arrived leads to the sheet, unless it was changed meanwhile.

import { sayKept, unsayKept } from "../base/failures.js";
import { warn } from "../base/page.js";
import { outbox } from "./place.js";

/** @import { Fact } from "./queue.js" */

/** @type {WeakMap<HTMLFormElement, { fact: Fact, read: () => Record<string, any> }>} */
const hands = new WeakMap();

// `lost` is why it was queued, and `read` returns the fields of the form as they are then.
export function onQueued(form, fact, lost, read) {
  sayKept(lost);
  if (fact.form === "hand") {
    hands.set(form, { fact, read });
    form.dispatchEvent(new CustomEvent("pad:free"));
  }
  if (fact.form !== "payment") return;
  form.reset(); // ready for another payment, with its own key
  form.elements.key.value = outbox.newKey();
  for (const field of form.querySelectorAll("[name=amount], [name=note], [name=day]")) field.value = "";
}

function onNews({ done = [] }) {
  if (done.length) unsayKept();
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector("[data-waits=hand]");
  const { fact, read } = hands.get(form) ?? {};
  if (!done.includes(fact?.key)) return;
  hands.delete(form);
  const { arrived } = form.dataset;
  const say = () => warn(arrived);
  if (Object.entries(read()).some(([name, value]) => fact.fields[name] !== value)) return say();
  document.addEventListener("htmx:afterSettle", say, { once: true });
  document.querySelector(".bar a").click();
}

outbox.heard(onNews);
