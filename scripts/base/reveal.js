// Shows the parts of a page that count only later. They print in how many seconds (`data-in`), because the
// clocks of phones differ.

const counts = new WeakMap(); // the moment from which a part counts, by this phone's clock
let timer = 0;

function reveal() {
  clearTimeout(timer);
  let rest = Number.POSITIVE_INFINITY;
  for (const part of document.querySelectorAll("[data-in]:not(.due)")) {
    if (!counts.has(part)) counts.set(part, Date.now() + Number(part.dataset.in) * 1000);
    const left = counts.get(part) - Date.now();
    if (left > 0) rest = Math.min(rest, left);
    else part.classList.add("due");
  }
  if (Number.isFinite(rest)) timer = setTimeout(reveal, Math.min(rest, 60_000));
}

document.addEventListener("htmx:load", reveal);
reveal();
