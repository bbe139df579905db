// Quick amounts and a stepper beside the field of the stake, which stays an ordinary field.

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-stake] [data-to], [data-stake] [data-by]");
  if (!button) return;
  const field = button.closest("[data-stake]").querySelector("input");
  const now = Number(field.value.replace(/\D/g, "")) || 0;
  field.value = button.dataset.to ?? Math.max(0, now + Number(button.dataset.by));
  mark(field);
});
document.addEventListener("input", (event) => {
  if (event.target.closest("[data-stake]")) mark(event.target);
});

function mark(field) {
  for (const chip of field.closest("[data-stake]").querySelectorAll("[data-to]")) {
    chip.setAttribute("aria-pressed", String(chip.dataset.to === field.value));
  }
}

function start() {
  for (const field of document.querySelectorAll("[data-stake] input")) mark(field);
}

document.addEventListener("htmx:load", start);
start();
