// What is saved on this phone: an entry joins the queue, or takes the place of one that was refused, in words
// a person knows it by.

import { stored } from "../base/memory.js";
import { person } from "./person.js";
import { nameOf, place, placeOf, queue, savingOf } from "./place.js";
import { refusalOf, sendSoon } from "./sending.js";

/** @import { Waiting } from "./queue.js" */

export const newKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12))));

/**
 * What was posted from a form of this page, or answered here, as it waits: its fields, and in words.
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
  const said = Object.entries(hands).filter(([, text]) => text);
  const parts = [
    closer === "nobody" ? how : `${name(closer)} ${how}`,
    ...said.map(([id, text]) => `${name(id)} ${text.replace("-", "−")}`),
  ];
  const title = document.querySelector("h1").firstChild.data.trim();
  return { ...entry, round: { closer, closing, hands }, title, detail: parts.join(" · ") };
}

// Puts it with what waits, or in the place of what was refused before.
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

// A fact waits too, and for nothing else: it needs no place among the rounds of a game.
export async function wait(fact) {
  await queue.add({ ...fact, person: person() });
  sendSoon();
}

// Opens on this form what was refused before; as it is saved now it takes the old one's place.
export function replace(form, entry) {
  savingOf(form).replaces = entry;
  form.addEventListener("htmx:beforeOnLoad", hearAnswer);
}

// The answer: recorded, or refused anew for what is wrong with it.
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
  const said = [...page.querySelectorAll(".errors li, main .notice[role=status] li, #hands .wrong")];
  const refused = (said.length ? said : [page.querySelector("h1")]).map((part) => part?.textContent.trim());
  /** @type {HTMLInputElement | null} */
  const field = page.querySelector("[name=after]");
  const seen = Number(field?.value) || undefined;
  queue.drop(replaces, { ...entryOf(place(), form, requestConfig.formData), refused, seen });
}

// After a correction: if it was of a round that waits here, recorded with other hands, that waits no more.
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
