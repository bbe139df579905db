// Vibrates, if the phone can: shortly for a key, longer for bad news. Each phone stores its own choice; the
// default follows the system's setting for reduced motion.

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

// Shows the switch if the phone can vibrate.
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
