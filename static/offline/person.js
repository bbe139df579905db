// In whose hands this phone is, and what it keeps for one person and not for the next.

import { stored, unstore } from "../base/memory.js";
import { warn, warnings } from "../base/page.js";
import { isOld, main, queue, words } from "./place.js";

export const OURS = /^(draft|ticks):/; // what is kept of a person's games, beside what waits

// A page of a while ago does not say who looks at it now, and the page for dead spots is nobody's.
export function person() {
  const printed = main().dataset.person;
  return (isOld() ? null : printed) ?? stored("person") ?? printed;
}

export const isMine = (entry) => entry.person === person();

// What this phone keeps for one person is nothing to the next.
export async function keepApart() {
  const here = person();
  const before = stored("person");
  if (here === before) return;
  await import("./pages.js").then(({ letGo }) => letGo(here)).catch(forgetPages);
  if (before) await forgetGames(); // else it is a guest's first page: there are no games yet but theirs
  stored("person", here);
}

export async function forget() {
  await forgetPages();
  await forgetGames();
}

const forgetPages = () => self.caches?.delete("pages").catch(() => {});

async function forgetGames() {
  await import("../pocket/box.js").then(() => self.box.wipe()).catch(() => {});
  stored("carried", null);
  await queue.forget().catch(() => {});
  unstore((key) => OURS.test(key));
}

// What lay aside while somebody else had this phone is its person's again; whether there was anything.
export function takeBack() {
  const aside = `aside:${person()}`;
  const back = JSON.parse(stored(aside)) ?? [];
  for (const [key, text] of back) stored(key, text);
  stored(aside, null);
  return back.length > 0;
}

// A form that leaves this page goes out once the site is known to be there: else the browser would take the
// page away, and what this phone keeps would be gone.
export function goOut(event) {
  const { target: form, submitter } = event;
  if (!form.matches("[method=post][hx-boost=false]")) return;
  event.preventDefault();
  const lost = () => warn(warnings().record);
  import(words().leaving).then((leaving) => leaving.goOut(form, submitter, lost), lost);
}
