// What the pad says to users who do not see it.

import { memory } from "../base/state.js";
import { say } from "../base/voice.js";

// A typed key, the points of the hand, and the total if it is bust.
export const sayTyped = (key, points, bust) =>
  say([key.length === 1 && `${key}:`, points, bust].filter(Boolean).join(" "));

/** @type {(region: HTMLElement) => { said: Set<string> }} */
const spoken = memory(() => ({ said: new Set() })); // the consequences shown last, without their numbers

// The consequences that are new. One is not said again because only its numbers changed.
export function sayConsequences(region) {
  const state = spoken(region);
  const sentences = [...region.querySelectorAll("li")].map(({ textContent }) =>
    textContent.replace(/\s+/g, " "),
  );
  const mark = (sentence) => sentence.replace(/\d+/g, "0");
  say(...sentences.filter((sentence) => !state.said.has(mark(sentence))));
  state.said = new Set(sentences.map(mark));
}
