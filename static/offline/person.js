// The person who uses this phone, and what it stores for them alone.

import { drafts, stored, unstore } from "../base/memory.js";
import { warn, warnings } from "../base/page.js";
import { box, isOld, main, outbox, words } from "./place.js";

// the table of a person, beside what they entered
const OURS = /^(solo|view):/;

// A cached page may be of another person, and the page for dead spots has no person.
export function person() {
  const printed = main().dataset.person;
  return (isOld() ? null : printed) ?? stored("person") ?? printed;
}

let met; // as whom the site knew this phone last
export const meet = (mark) => {
  met = mark;
};

// Whether the site knows somebody else, or nobody any more.
export const isAway = () => met !== undefined && met !== person();

/** @returns {import("./box.js").Owner} */
export const owner = () => ({ name: main().dataset.called, isGuest: "guest" in main().dataset });

// When the person changes, remove the copies that were stored for the one before. What they entered stays,
// under their mark: perhaps the session has only ended.
export async function keepApart() {
  const here = person();
  const before = stored("person");
  const { was } = main().dataset;
  if (was) await inherit(was, here);
  if (here === before) return;
  await letGo(here).catch(forgetPages);
  // If nobody was here before, this is a guest's first page, and all games are theirs.
  if (before) await forgetGames();
  stored("person", here);
}

// What a guest entered belongs to the person as whom they signed in.
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

const requested = new Set(); // games for which the home page was fetched: it may not list them

// Have the home page cached too, with the game of the open page in it.
export async function fetchHome() {
  if (isOld() || !navigator.serviceWorker?.controller || location.pathname === "/") return;
  const [, game = ""] = /^\/g\/([\w-]+)\//.exec(location.pathname) ?? [];
  const home = (await (await self.caches?.match("/", { ignoreVary: true }))?.text()) ?? "";
  const hasGame = !game || home.includes(`/g/${game}/`) || requested.has(game);
  if (home.includes(`data-person="${person()}"`) && hasGame) return;
  requested.add(game);
  await fetch("/").catch(() => {});
}

// On signing out.
export async function forget() {
  for (const key of drafts(person())) stored(key, null);
  await outbox.wipe(person()).catch(() => {});
  await forgetGames();
}

export const forgetPages = () => self.caches?.delete("pages").catch(() => {});

async function forgetGames() {
  await box.wipe().catch(() => {});
  unstore((key) => OURS.test(key));
}

// Send a form that leaves this page only if the site is there: otherwise the browser would replace the page
// by an error.
export function goOut(event) {
  const { target: form, submitter } = event;
  if (!form.matches("[method=post][hx-boost=false]")) return;
  event.preventDefault();
  const lost = () => warn(warnings().record);
  import(words().leaving).then((leaving) => leaving.goOut(form, submitter, lost), lost);
}
