// A tap beside an open sheet only closes the sheet: the element under the finger gets no click and no focus.
// This runs before the page is drawn, since links work before any other script is loaded.

/** @type {unknown} */
let isBeside; // whether the tap began beside an open sheet

// The sheet's own button closes it by a click. Old browsers do not know `:popover-open` and ignore it
// inside `:is()`.
addEventListener(
  "pointerdown",
  ({ target }) => {
    const sheet = document.querySelector(":is(:popover-open)");
    isBeside = sheet && !target.closest(`#${sheet.id}, [popovertarget=${sheet.id}]`);
  },
  true,
);
// Clicks by keyboard or script have no detail.
const drop = (event) => {
  if (!isBeside || !event.detail) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};
for (const name of ["mousedown", "click"]) addEventListener(name, drop, true);
