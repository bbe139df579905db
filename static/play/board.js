// The board can fill the screen and be sorted by places; this phone stores the choice.

import { stored } from "../base/memory.js";

const ORDER = "board:by-place";

const one = (selector) => document.querySelector(selector);
const isByPlace = () => stored(ORDER) === "yes";

// Sorts the seats by the table's order, or by places; players on the same place by the table's order.
function arrange() {
  const board = one("[data-board]");
  if (!board) return;
  const seats = [...board.children];
  for (const [seat, spot] of seats.entries()) spot.dataset.seat ??= String(seat);
  const by = isByPlace() ? ["place", "seat"] : ["seat"];
  const rank = (spot) => by.reduce((sum, key) => sum * 100 + Number(spot.dataset[key]), 0);
  const wanted = [...seats].sort((left, right) => rank(left) - rank(right));
  if (wanted.some((spot, place) => spot !== seats[place])) board.replaceChildren(...wanted);
  one("[data-by-place]").setAttribute("aria-pressed", String(isByPlace()));
  one("[data-full]").hidden = !document.fullscreenEnabled;
  one("[data-full]").setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
}

function turnScreen() {
  if (document.fullscreenElement) return document.exitFullscreen();
  return document.documentElement.requestFullscreen({ navigationUI: "hide" });
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-by-place]")) {
    stored(ORDER, isByPlace() ? null : "yes");
    arrange();
  } else if (target.closest("[data-full]")) turnScreen().catch(() => {});
});
document.addEventListener("fullscreenchange", arrange);
document.addEventListener("htmx:load", arrange);
arrange();
