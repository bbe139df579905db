// The person who uses this phone.

import { stored } from "../base/state.js";
import { warn, messages } from "../base/page.js";
import { isOld, links, main } from "./place.js";

// A cached page may be another person's, and the page for dead spots has no person.
export function person() {
  const printed = main().dataset.person;
  return (isOld() ? null : printed) ?? stored("person") ?? printed;
}

let met; // the person that the site last knew this phone as
export const meet = (mark) => {
  met = mark;
};

// Whether the site knows this phone as somebody else, or as nobody.
export const isAway = () => met !== undefined && met !== person();

/** @returns {import("./queue.js").Owner} */
export const owner = () => ({ name: main().dataset.called, isGuest: "guest" in main().dataset });

// When the person changes, the previous person's copies have to be removed (unload.js). If that script cannot
// be loaded, the next page tries again.
export async function keepApart() {
  const here = person();
  const { was } = main().dataset;
  if (!was && here === stored("person")) return;
  const leaving = await import(links().leaving).catch(() => null);
  await leaving?.part(here, was);
}

// Send a form that leaves this page only if the site can be reached: otherwise the browser would replace the
// page with an error.
export function goOut(event) {
  const { target: form, submitter } = event;
  if (!form.matches("[method=post][hx-boost=false]")) return;
  event.preventDefault();
  const lost = () => warn(messages().record);
  import(links().leaving).then((leaving) => leaving.goOut(form, submitter, lost), lost);
}
