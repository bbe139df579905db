// Signing out, or in over a guest: the waiting entries are sent first. Signing out leaves nothing on the
// phone for the next person; whoever signs in takes along what they entered as a guest.

import { wordsOf } from "../base/page.js";
import { drafts } from "../base/memory.js";
import { counted, piece } from "../base/pieces.js";
import { unsent } from "./entries.js";
import { forget, forgetPages } from "./parting.js";
import { person } from "./person.js";
import { outbox } from "./place.js";

const PATIENCE = 8000;

/** @type {WeakSet<HTMLFormElement>} */
const warned = new WeakSet(); // forms that have warned of the loss

// Send what waits, or warn of the loss; return whether the form may go out.
// Cached pages are removed, since a slow network would show them to the next person.
async function leave(form) {
  const count = await countUnsent();
  const isOut = form.dataset.leaves === "out"; // a sign-in may also fail
  if (isOut && count && !warned.has(form)) {
    warned.add(form);
    sayLoss(form, count);
    return false;
  }
  if (isOut) await forget(person());
  await forgetPages();
  return true;
}

// The number of entries that are unsent, refused or half-entered, after an attempt to send them.
async function countUnsent() {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  await Promise.race([outbox.send().catch(() => {}), late]);
  return (await unsent().catch(() => [])).length + drafts(person()).length;
}

// Below the button, which is still needed.
function sayLoss(form, count) {
  const warning = piece("p", "wrong", counted(wordsOf(), "sure", count));
  warning.role = "alert";
  form.append(warning);
  warning.scrollIntoView({ block: "nearest" });
}

// Whether the site itself answers: the sign-in page of a hotel network does not count.
async function isThere() {
  try {
    const answer = await fetch("/token/", { signal: AbortSignal.timeout(PATIENCE) });
    return Boolean((await answer.json()).token);
  } catch {
    return false;
  }
}

// Send the form if the site is there and nothing would be lost; call `lost` if the site is not there.
export async function goOut(form, submitter, lost) {
  if (!(await isThere())) return lost();
  if (form.dataset.leaves && !(await leave(form))) return null;
  if (submitter?.name) form.append(asField(submitter));
  return form.submit();
}

// The value of the button, which a form sent by a script leaves out.
function asField({ name, value }) {
  const field = piece("input");
  Object.assign(field, { type: "hidden", name, value });
  return field;
}
