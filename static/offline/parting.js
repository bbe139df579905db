// One person leaves this phone, or another comes: what it stores for one alone.

import { drafts, stored, unstore } from "../base/memory.js";
import { box, outbox } from "./place.js";

// the table of a person, beside what they entered
const OURS = /^(solo|view):/;

// Remove the copies that were stored for the person before. What they entered stays, under their mark:
// perhaps the session has only ended. A guest who signed in takes along what they entered.
export async function part(here, was) {
  const before = stored("person");
  if (before !== here) name(before);
  if (was) await inherit(was, here);
  if (here === before) return;
  await letGo(here).catch(forgetPages);
  // If nobody was here before, this is a guest's first page, and all games are theirs.
  if (before) await forgetGames();
  stored("person", here);
}

// Drafts of version 1.0.0 have no person in their key: they are of the one before.
function name(before) {
  unstore((key) => {
    const isNameless = /^draft:\w+:\d+$/.test(key);
    if (isNameless) stored(key.replace(":", `:${before}:`), stored(key));
    return isNameless;
  });
}

async function inherit(was, here) {
  const facts = await box.unsent(was).catch(() => []);
  if (facts.length) {
    await box.change(here, (known) => [...known, ...facts]);
    await box.change(was, () => []);
  }
  for (const key of drafts(was)) {
    stored(key.replace(was, here), stored(key));
    stored(key, null);
  }
}

// Remove every cached page that is not marked as this person's.
async function letGo(here) {
  const pages = await self.caches?.open("pages");
  for (const request of (await pages?.keys()) ?? []) {
    const page = await pages.match(request);
    if (!(await page.text()).includes(`data-person="${here}"`)) await pages.delete(request);
  }
}

// On signing out.
export async function forget(person) {
  for (const key of drafts(person)) stored(key, null);
  await outbox.wipe(person).catch(() => {});
  await forgetGames();
}

export const forgetPages = () => self.caches?.delete("pages").catch(() => {});

async function forgetGames() {
  await box.wipe().catch(() => {});
  unstore((key) => OURS.test(key));
}
