// The person who uses this phone.

import { stored } from "../base/state.js";
import { isOld, main } from "./place.js";

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
