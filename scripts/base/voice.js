// For users who do not see or touch the page: says once what a tap did, and puts the focus where the page
// goes on. The page has one live region for it (`#said` in base.html).

const said = document.getElementById("said");
const AFTER_FOCUS = 150; // milliseconds: what gets the focus is read out first
const CHOICE = "[data-choices], [data-choices] *, .presets *";
const SHEET = ".sheetover[popover]";

/** @type {string[]} */
let waiting = []; // sentences to be said
let timer = 0;

// Says these sentences, after those that still wait.
export function say(...sentences) {
  waiting.push(
    ...sentences
      .map((one) => one?.trim())
      .filter(Boolean)
      .map(ended),
  );
  if (!waiting.length) return;
  said.textContent = ""; // the same sentence again is read out again
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.textContent = [...new Set(waiting)].join(" ");
    waiting = [];
  }, AFTER_FOCUS);
}

const ended = (sentence) => sentence.replace(/[^.:!?…]$/, "$&.");

// The text of an element as it is read out, without its keys.
function spoken(element) {
  const copy = /** @type {HTMLElement} */ (element.cloneNode(true));
  for (const key of copy.querySelectorAll("a, button, form, [hidden], [aria-hidden]")) key.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

// What the page has to say: its newest entry, notices and questions.
function news() {
  const entry = /** @type {HTMLElement | null} */ (document.querySelector("#main #news[data-said]"));
  return [entry?.dataset.said, ...[...document.querySelectorAll("#main [data-says]")].map(spoken)];
}

let known = new Set(news());

// Says what was not on the page before.
export function sayNews() {
  const now = news();
  say(...now.filter((sentence) => !known.has(sentence)));
  known = new Set(now);
}

// --- the answer to a form --------------------------------------------------------------------------------

/** @type {{ id: string, name: string, value: string } | null} */
let chosen = null; // the focused choice of a form that is printed again

document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig } }) => {
  const focused = /** @type {HTMLInputElement | null} */ (document.activeElement);
  const isChoice = requestConfig?.elt.matches(CHOICE) && focused?.closest("form");
  chosen = isChoice ? { id: focused.id, name: focused.name, value: focused.value } : null;
});

document.addEventListener("htmx:afterSwap", ({ target, detail: { requestConfig } }) => {
  const main = document.getElementById("main");
  const choice = chosen && sameChoice(main, chosen);
  queueMicrotask(() => choice?.focus({ preventScroll: true })); // once its sheet is open
  const box = /** @type {HTMLElement} */ (target);
  if (box.matches(SHEET)) box.querySelector("h2").focus({ preventScroll: true }); // filled while open
  if (requestConfig?.elt.id === "consequences") return;
  if (requestConfig?.boosted || requestConfig?.verb === "post") said.textContent = ""; // of the page before
  if (requestConfig?.verb === "post") sayNews();
  else known = new Set(news());
});

function sameChoice(main, { id, name, value }) {
  if (id) return main.querySelector(`#${CSS.escape(id)}`);
  const fields = [...main.querySelectorAll(`[name="${CSS.escape(name)}"]`)];
  return fields.find((one) => one.value === value) ?? fields[0];
}

// --- sheets over the page --------------------------------------------------------------------------------

// The focus moves into an open sheet, and back to what opened it.
document.addEventListener(
  "toggle",
  (event) => {
    const { target, newState } = /** @type {ToggleEvent & { target: HTMLElement }} */ (event);
    if (!target.matches(SHEET)) return;
    const focused = document.activeElement;
    if (newState === "open" && !target.contains(focused)) {
      target.querySelector("h2").focus({ preventScroll: true });
    } else if (newState === "closed" && (focused === document.body || target.contains(focused))) {
      /** @type {HTMLElement | null} */
      const opener = document.querySelector(`[popovertarget="${target.id}"]:not(.close, ${SHEET} *)`);
      opener?.focus({ preventScroll: true });
    }
  },
  true,
);

// Browsers do not scroll to what is only partly in view, such as a column of a wide sheet.
document.addEventListener("focusin", ({ target }) => {
  const focused = /** @type {HTMLElement} */ (target);
  if (focused.matches(".score :focus-visible"))
    focused.scrollIntoView({ block: "nearest", inline: "nearest" });
});
