// Another game, or another way to settle it: the page comes anew with what goes with it. Whatever was tapped
// or typed while it was on its way counts, so that it is then asked for once more.

const said = (form) => new URLSearchParams(new FormData(form)).toString();

document.addEventListener("htmx:beforeRequest", ({ target }) => {
  const form = target.closest("form");
  if (target.matches("[data-choices]")) form.asked = said(form);
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  const { elt } = detail.requestConfig;
  const form = elt.closest("form");
  if (!elt.matches("[data-choices]")) return;
  const isLeft = !form || form.matches(".htmx-request"); // dealt, as it stands
  if (!isLeft && said(form) === form.asked) return;
  detail.shouldSwap = false;
  if (!isLeft) setTimeout(() => window.htmx.trigger(elt, "change"));
});
