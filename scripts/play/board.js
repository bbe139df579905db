// The board can fill the screen.

const button = () => document.querySelector("button[data-full]");

function show() {
  if (!button()) return;
  button().hidden = !document.fullscreenEnabled;
  button().setAttribute("aria-pressed", String(Boolean(document.fullscreenElement)));
}

function turnScreen() {
  if (document.fullscreenElement) return document.exitFullscreen();
  return document.documentElement.requestFullscreen({ navigationUI: "hide" });
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("button[data-full]")) turnScreen().catch(() => {});
});
document.addEventListener("fullscreenchange", show);
document.addEventListener("htmx:load", show);
show();
