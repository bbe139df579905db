// A phone that can shakes a little under the thumb: shortly for a key, longer for bad news. It is chosen once
// on each phone; unless it was, one whose system asks for less motion lies still.

import { stored } from "./memory.js";

const STORE = "vibration";
const SHORT = 12; // milliseconds
const LONG = 90;

const choice = () => stored(STORE);
const isAsked = () =>
  choice() ? choice() === "on" : !matchMedia("(prefers-reduced-motion: reduce)").matches;

function shake(time) {
  if (isAsked()) navigator.vibrate?.(time);
}

export const tick = () => shake(SHORT);
export const thud = () => shake(LONG);

// The switch shows itself where there is anything to be switched.
function start() {
  const box = document.querySelector("[data-vibration]");
  if (!box || !navigator.vibrate) return;
  box.querySelector("input").checked = isAsked();
  box.hidden = false;
}

document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.closest("[data-vibration]")) {
    stored(STORE, target.checked ? "on" : "off");
    tick();
  }
});
document.addEventListener("htmx:load", start);
start();
