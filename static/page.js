// What every page needs after htmx has swapped it in: the focus, the newest round in view, whole names, word of a failure,
// the scripts of its parts.

// The script for a part of a page stands under `data-for-` and the part's own attribute.
const { attributes: scripts } = document.getElementById("scripts");
const FOR = "data-for-";
const SOON = 500;

// A script is loaded when a part it is for first stands on a page, the pad of a game already on its sheet. Where it does
// not come, what the part says without it does.
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
  // A page come anew under somebody's hands leaves him where he is.
  if (root.id === "main" && !root.contains(document.activeElement)) root.querySelector("h1")?.focus({ preventScroll: true });
}

function say(text) {
  const trouble = document.getElementById("trouble");
  trouble.textContent = text || "";
  trouble.hidden = !text;
}

// A failed preview is no news: the hands are still on the phone and saving asks again.
function fail(event, kind) {
  if (event.target.id !== "consequences") say(document.getElementById("trouble").dataset[kind]);
}

document.addEventListener("htmx:load", (event) => arrive(event.target));
document.addEventListener("htmx:beforeRequest", (event) => { if (event.target.id !== "consequences") say(""); });
document.addEventListener("htmx:sendError", (event) => fail(event, "offline"));
document.addEventListener("htmx:timeout", (event) => fail(event, "offline"));
document.addEventListener("htmx:responseError", (event) => fail(event, "broken"));
document.addEventListener("click", (event) => {
  say("");
  const name = event.target.closest("[data-whole]");
  if (name) name.setAttribute("aria-expanded", String(name.getAttribute("aria-expanded") !== "true"));
});
arrive(document.body);
