// What every page needs after htmx has swapped it in: the focus, the newest round in view, whole names, word
// of a failure, the scripts of its parts.

// The script for a part of a page stands under `data-for-` and the part's own attribute.
const { attributes: scripts } = document.getElementById("scripts");
const FOR = "data-for-";
const SOON = 500;

let isOpening = false; // whether the rules are on their way

// A script is loaded when a part it is for first stands on a page, the pad of a game already on its sheet.
// Where it does not come, what the part says without it does.
function get(address, part) {
  part?.toggleAttribute("data-awaits", true);
  import(address).catch(() => part?.removeAttribute("data-awaits"));
}

function load() {
  for (const { name, value } of scripts) {
    const part = name.startsWith(FOR) && document.querySelector(`[${name.replace(FOR, "data-")}]`);
    if (part) get(value, part);
  }
  const game = document.querySelector("[data-numbers]");
  if (game) setTimeout(() => get(scripts[`${FOR}pad${JSON.parse(game.dataset.numbers).kind}`].value), SOON);
}

function arrive(root) {
  if (root.id !== "consequences" && !root.closest("#consequences")) load();
  for (const box of root.querySelectorAll("[data-scroll-end]")) box.scrollTop = box.scrollHeight;
  // A page come anew under somebody's hands leaves them where they are.
  if (root.id === "main" && !root.contains(document.activeElement)) {
    root.querySelector("h1")?.focus({ preventScroll: true });
  }
}

const trouble = () => document.getElementById("trouble");

// The sentences a page has for what goes wrong.
export const warnings = () => trouble().dataset;

// Says one of them at the edge of the page, or nothing any more.
export function warn(text = "") {
  if (text) document.querySelector("[popover]")?.hidePopover?.(); // it would lie over the words
  trouble().textContent = text;
  trouble().hidden = !text;
}

// What is so when a request fails: by what it was for, a page to be opened, something to be recorded, or a
// look at what would be; and by whether it got lost, arrived but was not answered, or broke something. The
// words stand on #trouble. What waits on this phone is none of these: whoever keeps it says so.
const LOST = [502, 503];
const UNHEARD = [408, 504];
const SAID = {
  get: { lost: "open", unheard: "open", broken: "shut" },
  post: { lost: "record", unheard: "unheard", broken: "broken" },
  ask: { lost: "ask", unheard: "ask", broken: "shut" },
};

/** @type {WeakSet<XMLHttpRequest>} */
const sent = new WeakSet(); // requests that left this phone whole

const purposeOf = ({ verb }, element) => (verb !== "get" && !element.matches("form") ? "ask" : verb);

function fateOf(xhr) {
  const { status } = xhr;
  if (status) return LOST.includes(status) ? "lost" : UNHEARD.includes(status) ? "unheard" : "broken";
  return sent.has(xhr) ? "unheard" : "lost";
}

// A failed preview is no news: the hands are still on the phone and saving asks again. Nor is a page that was
// asked for anew by itself: it says how old it is.
function fail({ target, detail: { xhr, requestConfig } }) {
  if (target.id === "consequences" || target === document.body) return;
  warn(warnings()[SAID[purposeOf(requestConfig, target)][fateOf(xhr)]]);
}

// The rules open over the page they are asked from. Without the network, or where it is answered by a
// refusal, the link leads there like any other.
async function openRules(event) {
  const link = event.target.closest("a[data-rules]");
  if (!link || isOpening || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  isOpening = true;
  try {
    const rules = await import(scripts["data-rules"].value);
    await rules.open(link);
  } catch {
    location.href = link.href;
  }
  isOpening = false;
}

document.addEventListener("click", openRules, true);
document.addEventListener("htmx:load", (event) => arrive(event.target));
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.id !== "consequences") warn();
});
document.addEventListener("htmx:beforeSend", ({ detail: { xhr } }) => {
  xhr.upload.onload = () => {
    sent.add(xhr);
  };
});
for (const name of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(name, fail);
}
document.addEventListener("click", (event) => {
  warn();
  const name = event.target.closest("[data-whole]");
  if (name) name.setAttribute("aria-expanded", String(name.getAttribute("aria-expanded") !== "true"));
});
arrive(document.body);
