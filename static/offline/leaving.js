// Whoever signs out, or in over a guest, leaves this phone to the next: what waits is sent first, and nothing
// stays behind.

import { stored } from "../base/memory.js";
import { piece } from "../base/pieces.js";
import { forget, isMine, OURS, person } from "./person.js";
import { queue, words } from "./place.js";

const PATIENCE = 8000;

/** @type {WeakSet<HTMLFormElement>} */
const warned = new WeakSet(); // forms that said what would be lost

// What whoever lends this phone had half entered lies aside until it is theirs again; what they saved rests
// by itself.
function putAside() {
  try {
    const ours = Object.entries(localStorage).filter(([key]) => OURS.test(key));
    stored(`aside:${person()}`, JSON.stringify(ours));
  } catch {
    // Nothing is stored, so nothing is there.
  }
}

// Whoever signs out, or in over a guest, takes nothing along that waits on this phone: it is sent first, or
// the loss is said; where the guest only lends the phone nothing is lost. Who comes next finds nothing of the
// one before, whose pages a slow network would show them.
async function leave(form) {
  await queue.send().catch(() => {});
  const count = (await queue.all().catch(() => [])).filter(isMine).length + (await carried());
  const isLent = form.elements.mine?.value === "no";
  if (count && !isLent && !warned.has(form)) {
    warned.add(form);
    sayLoss(form, count);
    return false;
  }
  // Who signs in may have mistyped the password, and stays; where nothing can be kept, nothing waits.
  if (form.dataset.leaves === "out") {
    await queue.wipe(person()).catch(() => {});
    await self.box?.wipe(person()).catch(() => {});
  }
  if (isLent) putAside();
  await forget();
  return true;
}

// How much the site has not heard of, or would not do, where the app was taken along; it is sent first.
async function carried() {
  await import("../pocket/box.js").catch(() => {});
  if (stored("carried")) {
    const { send } = await import("../pocket/carried.js");
    await Promise.race([send(), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  }
  const { facts, held } = (await self.box?.unsent(person()).catch(() => null)) ?? { facts: [], held: [] };
  return facts.length + held.flatMap((one) => one.facts).length;
}

// Not over the button, which is still needed.
function sayLoss(form, count) {
  const warning = piece("p", "wrong", words().lost.replace("{count}", count));
  warning.role = "alert";
  form.append(warning);
  warning.scrollIntoView({ block: "nearest" });
}

// Only the site's own word counts: a hotel's sign-in page is none.
async function isThere() {
  try {
    const answer = await fetch("/token/", { signal: AbortSignal.timeout(PATIENCE) });
    return Boolean((await answer.json()).token);
  } catch {
    return false;
  }
}

// Sends the form once the site is there and nothing stays behind; calls `lost` where it is not.
export async function goOut(form, submitter, lost) {
  if (!(await isThere())) return lost();
  if (form.dataset.leaves && !(await leave(form))) return null;
  if (submitter?.name) form.append(asField(submitter));
  return form.submit();
}

// What the button says, which a form sent by a script leaves out.
function asField({ name, value }) {
  const field = piece("input");
  Object.assign(field, { type: "hidden", name, value });
  return field;
}
