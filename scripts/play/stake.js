// Quick amounts, reasons and a stepper beside a field, which stays an ordinary field. Amounts count in the
// table's smallest coin; the field shows them as people type them.

import { coins as coinsIn, typed as typedAmount } from "../base/coins.js";
import { grouped } from "../base/dom.js";

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-stake] [data-to], [data-stake] [data-by]");
  if (!button) return;
  const box = button.closest("[data-stake]");
  const field = box.querySelector("input");
  const { to, by } = button.dataset;
  const isOff = to === field.value && "optional" in box.dataset;
  field.value = isOff ? "" : (to ?? typed(Math.max(0, (coins(field.value, box) || 0) + Number(by)), box));
  change(field);
  field.dispatchEvent(new Event("change", { bubbles: true })); // so that the line above the key changes too
});
document.addEventListener("click", (event) => {
  const other = event.target.closest("[data-stake] [data-other]");
  const field = other?.closest("[data-stake]").querySelector("input");
  if (!field) return;
  field.hidden = false;
  field.focus();
  field.select();
});
document.addEventListener("input", (event) => {
  if (event.target.closest("[data-stake]")) change(event.target);
});

function change(field) {
  mark(field);
  const stake = coins(field.value, field.closest("[data-stake]"));
  if (field.id !== "stake" || !stake) return;
  for (const box of document.querySelectorAll("[data-part]")) follow(box, stake);
}

// An amount that is a part of the stake follows it, unless another amount was chosen.
function follow(box, stake) {
  const [field, chip] = [box.querySelector("input"), box.querySelector("[data-to]:last-child")];
  const amount = Math.floor(stake / Number(box.dataset.part));
  const part = typed(amount, box);
  if (coins(field.value, box) === coins(chip.dataset.to, box)) field.value = part;
  chip.dataset.to = part;
  const coin = 10 ** decimalsIn(box);
  chip.textContent = grouped(amount / coin, amount % coin ? decimalsIn(box) : 0);
  mark(field);
}

const decimalsIn = (box) => Number(box.dataset.decimals ?? 0);
const coins = (text, box) => coinsIn(text, decimalsIn(box));
const typed = (amount, box) => typedAmount(amount, decimalsIn(box));

function mark(field) {
  const box = field.closest("[data-stake]");
  for (const chip of box.querySelectorAll("[data-to]")) {
    const { to } = chip.dataset;
    chip.ariaPressed = String(to === field.value || coins(to, box) === coins(field.value, box));
  }
}

// Marks the sheet of the rules if more of it is below.
function measure() {
  const sheet = document.getElementById("game");
  const rest = sheet ? sheet.scrollHeight - sheet.clientHeight - sheet.scrollTop : 0;
  sheet?.toggleAttribute("data-more", rest > 8);
}

function start() {
  for (const field of document.querySelectorAll("[data-stake] input")) {
    mark(field);
    const box = field.closest("[data-stake]");
    if (!box.querySelector("[data-other]") || "ready" in box.dataset) continue; // it may be typed in
    box.dataset.ready = "";
    field.hidden = field !== document.activeElement && Boolean(box.querySelector("[aria-pressed='true']"));
  }
  measure();
}

for (const name of ["scroll", "toggle"]) document.addEventListener(name, measure, true);

document.addEventListener("htmx:load", start);
start();
