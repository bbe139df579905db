// Ignores the second tap of a double tap: soon after a tap has led to a page, another one at about
// its place was not meant for what is there now. A tap beside a sheet over the page only closes the
// sheet. Keys and the clicks of scripts are no taps. The browser runs this before it draws the page,
// since a link works before any other script is there.

{
  const SOON = 700; // milliseconds
  const NEAR = 32; // CSS pixels

  /** @typedef {{ x: number, y: number }} Place */
  /** @type {Place | null} */
  let last = null; // the last tap
  /** @type {Place | null} */
  let leading = null; // the last tap that led to a page
  let since = 0; // when it was made or, once the page is there, when that came
  /** @type {unknown} */
  let isBeside; // the finger came down beside an open sheet

  const arrive = () => {
    since = performance.now();
  };

  const lead = () => {
    leading = last;
    arrive();
  };

  // A preview has other causes than a tap on a button or a link.
  const isTapped = ({ detail }) => /click|submit/.test(detail.requestConfig.triggeringEvent?.type);

  const hear = (event) => {
    const { clientX: x, clientY: y, timeStamp } = event;
    if (!event.isTrusted || !event.detail) return;
    const isNear = leading && Math.hypot(x - leading.x, y - leading.y) < NEAR;
    if (isBeside || (isNear && timeStamp - since < SOON)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else {
      last = { x, y };
      if (event.target.closest("a[href]")) lead();
    }
  };

  // Without storage, which a browser may refuse, a page does not know the tap that led to it.
  const keep = () => {
    try {
      sessionStorage.tap = JSON.stringify(last);
    } catch {}
  };

  const take = () => {
    try {
      leading = JSON.parse(sessionStorage.tap);
    } catch {}
    arrive();
  };

  // The browser closes the sheet; what is under the finger gets nothing. The sheet's own button closes it by
  // its click. Old browsers know no `:popover-open` and skip it inside `:is()`.
  addEventListener(
    "pointerdown",
    ({ target }) => {
      const sheet = document.querySelector(":is(:popover-open)");
      isBeside = sheet && !target.closest(`#${sheet.id}, [popovertarget=${sheet.id}]`);
    },
    true,
  );
  // It would focus a field.
  addEventListener("mousedown", (event) => isBeside && event.preventDefault(), true);
  addEventListener("click", hear, true);
  addEventListener("submit", (event) => event.defaultPrevented || lead());
  addEventListener("htmx:beforeRequest", (event) => isTapped(event) && lead());
  addEventListener("htmx:beforeSwap", (event) => isTapped(event) && arrive());
  addEventListener("rules:shown", arrive);
  addEventListener("pagehide", keep);
  addEventListener("pageshow", ({ persisted }) => persisted && take());
  take();
  requestAnimationFrame(arrive); // the page is drawn
}
