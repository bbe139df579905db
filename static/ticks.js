// What has been paid is ticked off, and stays so on this phone. A correction that changes a payment takes its tick away.

function place(box) {
  return `ticks:${box.closest("[data-ticks]").dataset.ticks}`;
}

function ticked(box) {
  try {
    return new Set(JSON.parse(localStorage.getItem(place(box)) || "[]"));
  } catch {
    return new Set();
  }
}

function keep(box) {
  const keys = ticked(box);
  if (box.checked) keys.add(box.dataset.tick);
  else keys.delete(box.dataset.tick);
  try {
    localStorage.setItem(place(box), JSON.stringify([...keys]));
  } catch {
    // a phone that keeps nothing still ticks until the page is left
  }
}

function start() {
  for (const box of document.querySelectorAll("[data-tick]")) box.checked = ticked(box).has(box.dataset.tick);
}

document.addEventListener("change", (event) => { if (event.target.matches("[data-tick]")) keep(event.target); });
document.addEventListener("htmx:load", start);
start();
