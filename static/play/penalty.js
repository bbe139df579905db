// Quick points and reasons beside the fields of a penalty, and keys that replace the phone's keyboard, which
// may have no minus. The fields stay ordinary fields.

import { tick } from "../base/vibration.js";

const LONGEST = 6; // a sign and the digits of the largest penalty there is

const fieldsOf = (box) => ({
  points: box.querySelector("[name=points]"),
  reason: box.querySelector("[name=reason]"),
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-penalty] :is(.chip, .k)");
  if (!button) return;
  const box = button.closest("[data-penalty]");
  const { points, reason } = fieldsOf(box);
  const { to, because, add } = button.dataset;
  const isReplaced = "chosen" in box.dataset && add;
  const now = isReplaced ? "" : points.value.trim().replace("−", "-");
  if (because) reason.value = reason.value === because ? "" : because;
  else if (to) points.value = to;
  else if ("less" in button.dataset) points.value = now.slice(0, -1);
  else if ("sign" in button.dataset) points.value = now.startsWith("-") ? now.slice(1) : `-${now}`;
  else if (now.length < LONGEST) points.value = now + add;
  // The first digit replaces points that were entered by one tap.
  if (!because) box.toggleAttribute("data-chosen", Boolean(to));
  if (button.matches(".k")) tick();
  mark(box);
});

function mark(box) {
  const { points, reason } = fieldsOf(box);
  for (const chip of box.querySelectorAll(".chip")) {
    const { to, because } = chip.dataset;
    chip.setAttribute("aria-pressed", String(because ? because === reason.value : to === points.value));
  }
}

document.addEventListener("input", ({ target }) => {
  const box = target.closest("[data-penalty]");
  if (box) mark(box);
});
document.addEventListener("focusin", ({ target }) => {
  if (target.matches("[data-penalty] [name=points]")) {
    const keys = target.closest("[data-penalty]").querySelector("[data-points-keys]");
    keys.hidden = false;
    keys.scrollIntoView({ block: "nearest" });
  }
});

function start() {
  for (const box of document.querySelectorAll("[data-penalty]")) {
    fieldsOf(box).points.inputMode = "none";
    for (const quick of box.querySelectorAll("[data-quick]")) quick.hidden = false;
    mark(box);
  }
}

document.addEventListener("htmx:load", start);
start();
