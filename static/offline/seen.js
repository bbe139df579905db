// The note at the heading of a cached page: when it was fetched.

import { isOld, main, words } from "./place.js";

const TODAY = 12 * 3600 * 1000; // so recent that the time of day is enough

// A time as the page's region writes it, with the day unless it is recent.
function timeOf(text) {
  const at = new Date(text);
  const clock = at.toTimeString().slice(0, 5);
  if (Date.now() - at.getTime() <= TODAY) return clock;
  const { day = "j/n" } = main().dataset;
  const parts = { j: at.getDate(), n: at.getMonth() + 1 };
  return `${day.replace(/[jn]/g, (letter) => parts[letter])}, ${clock}`;
}

export function say() {
  if (!isOld()) return; // a newer one has arrived
  const note = document.createElement("small");
  note.className = "seen";
  note.textContent = words().seen.replace("{time}", timeOf(main().dataset.seen));
  main().querySelector("h1").append(note);
}
