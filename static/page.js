// What every page needs after htmx has swapped it in: the focus, the newest round in view, whole names, word of a failure.

function arrive(root) {
  for (const box of root.querySelectorAll("[data-scroll-end]")) box.scrollTop = box.scrollHeight;
  if (root.id === "main") root.querySelector("h1")?.focus({ preventScroll: true });
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
