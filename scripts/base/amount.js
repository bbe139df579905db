// The tap that focuses an amount selects it, so that typing replaces it; a second tap sets the cursor.

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
