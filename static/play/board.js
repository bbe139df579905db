// The board: on the whole screen, and in the order of the places, on wish. How this phone likes it is
// remembered.

import { stored } from "../base/memory.js";

const ORDER = "board:by-place";

const one = (selector) => document.querySelector(selector);
const isByPlace = () => stored(ORDER) === "yes";

// The seats stand in the order of the table, or by their places; whoever shares one, as they sit.
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
