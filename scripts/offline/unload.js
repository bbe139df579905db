// The person who uses this phone changes. Before they sign out, or somebody else signs in, the queued
// entries are sent. Signing out leaves nothing on the phone for the next person. The entries of a guest wait
// until the guest is back, apart from those of tables that came along: `data-was` is the guest's mark. If
// only some tables came along, their codes and those of their games follow it.

import { warnOfNetwork } from "../base/failures.js";
import { messages, warn } from "../base/page.js";
import { drafts, nameDrafts, stored, unstore } from "../base/state.js";
import { counted, piece } from "../base/dom.js";
import { person } from "./identity.js";
import { box, main, outbox, site } from "./place.js";

const PATIENCE = 8000;
const UNSENT = "unsent:"; // the keys of queued entries (queue.js)
const OURS = /^(solo|view|moved):/; // keys of a person's tables, apart from their entries

/** @type {WeakSet<HTMLFormElement>} */
const warned = new WeakSet(); // forms that have warned of the loss

// Send the queued entries, or warn of the loss; return whether the form may be sent. Remove cached pages,
// since a slow network would show them to the next person.
async function leave(form) {
  const count = await countUnsent();
  const isOut = form.dataset.leaves === "out"; // a sign-in may fail, so it deletes less
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
  return (await box.unsent(person()).catch(() => [])).length + drafts(person()).length;
}

// Below the button, which is still needed.
function sayLoss(form, count) {
  const warning = piece("p", "wrong", counted(messages(), "sure", count));
  warning.role = "alert";
  form.append(warning);
  warning.scrollIntoView({ block: "nearest" });
}

// Send a form that leaves this page if the site answers and nothing would be lost: without a connection the
// browser would replace the page with an error.
export async function goOut(event) {
  const { target: form, submitter } = event;
  if (!form.matches("[method=post][hx-boost=false]")) return;
  event.preventDefault();
  const { token, isForeign } = await site.token();
  if (!token) return isForeign ? warnOfNetwork() : warn(messages().record);
  if (form.dataset.leaves && !(await leave(form))) return;
  // A form sent by a script omits the value of the button.
  const { name, value } = submitter ?? {};
  if (name) form.append(Object.assign(piece("input"), { type: "hidden", name, value }));
  form.submit();
}

// Remove the copies stored for the previous person. Their entries stay under their mark, because perhaps only
// the session has ended, or they come back. What came along with a guest's tables becomes this person's.
export async function keepApart() {
  const here = person();
  const { was } = main().dataset;
  const before = stored("person");
  if (!was && here === before) return;
  nameDrafts();
  if (was) await inherit(was, here);
  if (here === before) return;
  await letGo(here).catch(forgetPages);
  // Without a previous person, this is a guest's first page, and all games are theirs.
  if (before) await forgetGames();
  stored("person", here);
}

async function inherit(was, here) {
  const [guest, ...codes] = was.split(" ");
  const isOurs = (code) => !codes.length || codes.includes(code);
  // First, because it waits for nothing: the next page may be asked for at once.
  for (const key of drafts(guest)) {
    if (!isOurs(key.split(":")[2])) continue;
    stored(key.replace(guest, here), stored(key));
    stored(key, null);
  }
  const facts = await box.unsent(guest).catch(() => []);
  const ours = facts.filter(({ game, table }) => isOurs(game || table));
  if (ours.length) {
    await box.change(here, (known) => [...known, ...ours]);
    await box.change(guest, (known) => known.filter(({ key }) => !ours.some((fact) => fact.key === key)));
  }
}

// Remove every cached page that is not this person's.
async function letGo(here) {
  const pages = await self.caches?.open("pages");
  for (const request of (await pages?.keys()) ?? []) {
    const page = await pages.match(request);
    if (!(await page.text()).includes(`data-person="${here}"`)) await pages.delete(request);
  }
}

// Forget this person on signing out.
async function forget(person) {
  for (const key of drafts(person)) stored(key, null);
  await outbox.alone(() => wipe(person)).catch(() => {});
  await forgetGames();
}

// Remove everything that this phone has stored but the queued entries of others.
const wipe = (person) =>
  self.openDisk("waiting")("readwrite", (store) => {
    const request = store.getAllKeys();
    request.onsuccess = () => {
      for (const key of request.result) {
        if (!key.startsWith(UNSENT) || key === UNSENT + person) store.delete(key);
      }
      request.transaction.commit?.();
    };
  });

const forgetPages = () => self.caches?.delete("pages").catch(() => {});

async function forgetGames() {
  await wipe().catch(() => {});
  unstore((key) => OURS.test(key));
}
