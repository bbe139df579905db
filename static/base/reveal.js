// Shows the parts of a page that count only from a time on, which they print in seconds (`data-from`).

let timer = 0;

function reveal() {
  clearTimeout(timer);
  let rest = Number.POSITIVE_INFINITY;
  for (const part of document.querySelectorAll("[data-from]:not(.due)")) {
    const left = Number(part.dataset.from) * 1000 - Date.now();
    if (left > 0) rest = Math.min(rest, left);
    else part.classList.add("due");
  }
  if (Number.isFinite(rest)) timer = setTimeout(reveal, Math.min(rest, 60_000));
}

document.addEventListener("htmx:load", reveal);
reveal();
