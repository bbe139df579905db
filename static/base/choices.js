// Another game, or another way to settle it: the page comes anew with what goes with it. Whatever was tapped
// or typed while it was on its way counts, so that it is then asked for once more.

document.addEventListener("click", ({ target, detail }) => {
  if (!detail || !target.matches("#game [name=variant]")) return; // an arrow key looks at the next one
  const { game, form } = { game: target.closest("#game"), form: target.form };
  if (target.value !== form.elements.shown.value) return;
  game.removeAttribute("open");
  form.querySelector("[data-add] input").focus();
});

/** @type {WeakMap<HTMLFormElement, string>} */
const asked = new WeakMap(); // what each form asked with last

const said = (form) => new URLSearchParams(/** @type {any} */ (new FormData(form))).toString();

document.addEventListener("htmx:beforeRequest", ({ target }) => {
  const form = target.closest("form");
  if (target.matches("[data-choices]")) asked.set(form, said(form));
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  const { elt } = detail.requestConfig;
  const form = elt.closest("form");
  if (!elt.matches("[data-choices]")) return;
  const isLeft = !form || form.matches(".htmx-request"); // dealt, as it stands
  if (!isLeft && said(form) === asked.get(form)) return;
  detail.shouldSwap = false;
  if (!isLeft) setTimeout(() => window.htmx.trigger(elt, "change"));
});
