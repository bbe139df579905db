// Vibrates for a key, if the phone can. Each phone stores its own choice; the default follows the system's
// setting for reduced motion.

import { stored } from "./memory.js";

const STORE = "vibration";
const SHORT = 12; // milliseconds

const choice = () => stored(STORE);
const isAsked = () =>
  choice() ? choice() === "on" : !matchMedia("(prefers-reduced-motion: reduce)").matches;

export function tick() {
  if (isAsked()) navigator.vibrate?.(SHORT);
}

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
