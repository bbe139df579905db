// The person who uses this phone, and what it stores for them alone.

import { stored, unstore } from "../base/memory.js";
import { warn, warnings } from "../base/page.js";
import { box, isOld, main, words } from "./place.js";

// drafts and the table of a person, beside the outbox
const OURS = /^(draft|solo|view):/;

// A cached page may be of another person, and the page for dead spots has no person.
export function person() {
  const printed = main().dataset.person;
  return (isOld() ? null : printed) ?? stored("person") ?? printed;
}

// When the person changes, remove what was stored for the one before.
export async function keepApart() {
  const here = person();
  const before = stored("person");
  if (here === before) return;
  await letGo(here).catch(forgetPages);
  // If nobody was here before, this is a guest's first page, and all games are theirs.
  if (before) await forgetGames();
  stored("person", here);
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

export async function forget() {
  await forgetPages();
  await forgetGames();
}

const forgetPages = () => self.caches?.delete("pages").catch(() => {});

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
