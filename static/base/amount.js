// The tap that focuses an amount selects it, so that typing replaces it; a second tap sets the cursor. Forms
// that say their amounts again have a script of their own.

/** @type {Element | null} */
let entered = null; // the element with the focus before this tap

document.addEventListener(
  "pointerdown",
  () => {
    entered = document.activeElement;
  },
  true,
);
document.addEventListener("click", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field !== entered && field.matches("input[data-amount]")) field.select();
});

// These scripts find their forms themselves, also on the pages that follow.
function load() {
  if (document.querySelector("[data-sentence]")) import("../money/sentence.js").catch(() => {});
  if (document.querySelector("[data-expense]")) import("../money/expense.js").catch(() => {});
  if (document.querySelector("[data-balances]")) import("../money/balances.js").catch(() => {});
}

document.addEventListener("htmx:load", load);
load();
