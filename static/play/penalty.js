// Quick points and reasons beside the fields of a penalty, which stay ordinary fields.

const fieldsOf = (box) => ({
  points: box.querySelector("[name=points]"),
  reason: box.querySelector("[name=reason]"),
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-penalty] .chip");
  if (!button) return;
  const box = button.closest("[data-penalty]");
  const { points, reason } = fieldsOf(box);
  const { to, because } = button.dataset;
  if (because) reason.value = reason.value === because ? "" : because;
  else points.value = to;
  mark(box);
});

function mark(box) {
  const { points, reason } = fieldsOf(box);
  for (const chip of box.querySelectorAll(".chip")) {
    const { to, because } = chip.dataset;
    chip.setAttribute("aria-pressed", String(because ? because === reason.value : to === points.value));
  }
}

document.addEventListener("input", ({ target }) => {
  const box = target.closest("[data-penalty]");
  if (box) mark(box);
});

function start() {
  for (const box of document.querySelectorAll("[data-penalty]")) {
    for (const quick of box.querySelectorAll("[data-quick]")) quick.hidden = false;
    mark(box);
  }
}

document.addEventListener("htmx:load", start);
start();
