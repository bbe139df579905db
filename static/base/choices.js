// Another game, or another way to settle it: the page comes anew with what goes with it. Whatever was tapped
// or typed while it was on its way counts, so that it is then asked for once more.

// The game that is chosen already leads on to who plays.
document.addEventListener("click", (event) => {
  const picked = event.target.closest("#game [name=variant]");
  const form = picked?.closest("form");
  // An arrow key looks at the next game, which is no tap.
  if (!event.detail || !form || picked.value !== form.elements.shown.value) return;
  form.querySelector("#game").removeAttribute("open");
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
