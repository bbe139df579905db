// Saving on this phone: an entry joins the queue, or replaces a refused one. It has a title and a detail for
// lists.

import { stored } from "../base/memory.js";
import { person } from "./person.js";
import { nameOf, place, placeOf, queue, savingOf } from "./place.js";
import { refusalOf, sendSoon } from "./sending.js";

/** @import { Waiting } from "./queue.js" */

export const newKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12))));

/**
 * The queue entry for a posted form of this page, or for an answer given here.
 * @returns {Waiting}
 */
function entryOf(here, form, posted) {
  const { game, address, reenters, stays } = here.dataset;
  const { after, key, csrfmiddlewaretoken, ...fields } = /** @type {Record<string, any>} */ (
    Object.fromEntries(posted)
  );
  const { closer, closing, player, answer } = fields;
  const entry = { game, address, after: Number(after), key, fields, person: person() };
  const name = (id) => nameOf(here, id);
  if (answer) {
    const detail = answer === "reenter" ? reenters : stays;
    return { ...entry, answer: [player, answer], title: name(player), detail };
  }
  const given = Object.entries(fields).filter(([field]) => field.startsWith("hand-"));
  const hands = Object.fromEntries(given.map(([field, text]) => [field.slice("hand-".length), text]));
  const how = form.querySelector(`[data-closing="${closing}"]`)?.dataset.short;
  const entered = Object.entries(hands).filter(([, text]) => text);
  const parts = [
    closer === "nobody" ? how : `${name(closer)} ${how}`,
    ...entered.map(([id, text]) => `${name(id)} ${text.replace("-", "−")}`),
  ];
  const title = document.querySelector("h1").firstChild.data.trim();
  return { ...entry, round: { closer, closing, hands }, title, detail: parts.join(" · ") };
}

// Add the entry to the queue, or replace the refused one that is open on the form.
export async function keep(form, posted, refused) {
  const here = place();
  const entry = { ...entryOf(here, form, posted), ...refused };
  const replaces = form && savingOf(form).replaces;
  const known = placeOf(here);
  const wasPad = known.isPad;
  known.isPad = false;
  try {
    if (replaces) await queue.drop(replaces, entry, { seen: entry.after, now: entry.after + 1 });
    else await queue.add(entry);
    if (replaces) queue.release().catch(() => {});
  } catch (trouble) {
    known.isPad = wasPad;
    throw trouble;
  }
  if (form?.dataset.pad !== undefined) stored(`draft:${entry.game}:${entry.after}`, null);
  sendSoon();
}

// Add a payment or a tick to the queue: it waits for no other entry.
export async function wait(fact) {
  await queue.add({ ...fact, person: person() });
  sendSoon();
}

// Open a refused entry on this form: when the form is saved it replaces the entry.
export function replace(form, entry) {
  savingOf(form).replaces = entry;
  form.addEventListener("htmx:beforeOnLoad", hearAnswer);
}

// Handle the answer: the entry was recorded, or refused again.
function hearAnswer({ target: form, currentTarget, detail }) {
  const { replaces } = savingOf(currentTarget);
  if (form !== currentTarget || !replaces || refusalOf({ detail })) return;
  const { xhr, requestConfig } = detail;
  const after = Number(requestConfig.formData.get("after"));
  if (xhr.status < 300) {
    queue.drop(replaces, null, { seen: after, now: after + 1 }).then(queue.release);
    return;
  }
  const page = new DOMParser().parseFromString(xhr.response, "text/html");
  const reasons = [...page.querySelectorAll(".errors li, main .notice[role=status] li, #hands .wrong")];
  const refused = (reasons.length ? reasons : [page.querySelector("h1")]).map((part) =>
    part?.textContent.trim(),
  );
  /** @type {HTMLInputElement | null} */
  const field = page.querySelector("[name=after]");
  const seen = Number(field?.value) || undefined;
  queue.drop(replaces, { ...entryOf(place(), form, requestConfig.formData), refused, seen });
}

// After a correction, drop the waiting round that was recorded before with other hands.
export async function settle({ elt, xhr, requestConfig }) {
  const { path, formData } = requestConfig;
  if (xhr.status >= 300 || xhr.responseURL.endsWith(path)) return;
  const [, game] = /^\/g\/([\w-]+)\/changes\/$/.exec(path) ?? [];
  const [, number] = /^correct (\d+) /.exec(formData.get("change")) ?? [];
  const seen = Number(formData.get("after"));
  const now = seen + Number(elt.dataset.count);
  for (const entry of await queue.all()) {
    if (entry.game === game && entry.recorded === Number(number)) {
      await queue.drop(entry, null, { seen, now });
    }
  }
  await queue.release();
}
