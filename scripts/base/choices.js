// Choosing another game, or another way to settle, reloads the form with its fields. If something was tapped
// or typed during the request, the response is dropped and the form is requested again.

/** @type {WeakMap<HTMLFormElement, string>} */
const lastSent = new WeakMap(); // the fields of each form's last request

const formFields = (form) => new URLSearchParams(/** @type {any} */ (new FormData(form))).toString();

document.addEventListener("htmx:beforeRequest", ({ target }) => {
  const form = target.closest("form");
  if (target.matches("[data-choices]")) lastSent.set(form, formFields(form));
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { detail } = event;
  const { elt } = detail.requestConfig;
  const form = elt.closest("form");
  if (!elt.matches("[data-choices]")) return;
  const isLeft = !form || form.matches(".htmx-request"); // the game itself is being started
  if (!isLeft && formFields(form) === lastSent.get(form)) return;
  detail.shouldSwap = false;
  if (!isLeft) setTimeout(() => window.htmx.trigger(elt, "change"));
});
