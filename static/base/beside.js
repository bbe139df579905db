// A tap beside a sheet over the page only closes the sheet: what is under the finger gets nothing, and no
// field the focus. The browser runs this before it draws the page, since a link works before any other
// script is there.

{
  /** @type {unknown} */
  let isBeside; // the finger came down beside an open sheet

  // The sheet's own button closes it by its click. Old browsers know no `:popover-open` and skip it inside
  // `:is()`.
  addEventListener(
    "pointerdown",
    ({ target }) => {
      const sheet = document.querySelector(":is(:popover-open)");
      isBeside = sheet && !target.closest(`#${sheet.id}, [popovertarget=${sheet.id}]`);
    },
    true,
  );
  // Keys and the clicks of scripts have no detail.
  const drop = (event) => {
    if (!isBeside || !event.detail) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const name of ["mousedown", "click"]) addEventListener(name, drop, true);
}
