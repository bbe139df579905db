// The half-entered round of this phone, as a row of the sheet that leads back to it.

import { fill, icon, piece } from "../base/pieces.js";
import { draftOf } from "./drafts.js";

/** @import { Numbers } from "./arithmetic.js" */

// Draws the row of the round after these numbers, if a hand of it was entered.
/** @param {Numbers} numbers */
export function drawHalf({ seats, round, after }) {
  /** @type {HTMLTableSectionElement} */
  const body = document.querySelector("#sheet tbody");
  if (!body) return; // the page was left while this script came
  const wasAtEnd = body.scrollTop + body.clientHeight >= body.scrollHeight - 8;
  body.querySelector("[data-half]")?.remove();
  /** @type {HTMLDataElement} */
  const words = document.querySelector("[data-text-half]");
  const faces = document.querySelector(".closers");
  const draft = faces && draftOf(`${words.value}:${after}`);
  if (!draft || !Object.values(draft.state.hands).some(Boolean)) return;
  const figures = seats.map(({ id }) => piece("span", "", draft.figures?.[id] ?? ""));
  const link = piece("a", "cell", ...figures);
  link.href = words.dataset.entry;
  link.ariaLabel = link.title = fill(words.dataset.textHalf, { number: round });
  const head = piece("th", "", icon("pen"), String(round));
  head.role = "rowheader";
  const cell = piece("td", "", link);
  cell.role = "cell";
  const row = piece("tr", "half", head, cell);
  row.role = "row";
  row.dataset.half = "";
  body.append(row);
  window.htmx.process(row);
  if (wasAtEnd) body.scrollTop = body.scrollHeight;
}

// Draws the printed page; offline/ draws it again with the numbers of entries that wait on this phone.
function start() {
  const waiting = document.getElementById("waiting");
  if (waiting && document.getElementById("sheet")) drawHalf(JSON.parse(waiting.dataset.numbers));
}

document.addEventListener("htmx:load", start);
window.addEventListener("pageshow", ({ persisted }) => persisted && start());
start();
