// After a save, here or on another phone, the sheet shows what changed: totals count, the newest round
// comes in, the pot grows, and whoever is out leaves. Only what is seen moves: the
// page has the new figures at once. Nothing moves for those who ask for that.

import { minus } from "../base/pieces.js";

const LASTS = 600;
const EASY = { duration: LASTS, easing: "cubic-bezier(.2, .8, .3, 1)" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const seen = new Map(); // by game, what the sheet showed last

const all = (selector) => [...document.querySelectorAll(selector)];
const numberOf = (text) => Number(text.replace("−", "-").replace(/[^\d-]/g, ""));
const move = (element, ...frames) => element?.animate(frames, EASY);

function read() {
  const totals = all(".score .total");
  return {
    rounds: all(".score tbody:first-of-type tr").length,
    pot: document.querySelector("[data-now=pot]")?.textContent,
    seats: new Map(
      all(".score .who").map((head, place) => {
        const total = totals[place];
        const isGone = head.classList.contains("gone");
        const isLeading = total.classList.contains("lead");
        return [head.title, { head, total, isGone, isLeading, number: numberOf(total.firstChild.data) }];
      }),
    ),
  };
}

function count(total, from, to) {
  const begun = performance.now();
  const step = (now) => {
    const left = (1 - Math.min(Math.max(now - begun, 0) / LASTS, 1)) ** 3;
    if (left === 0) return total.removeAttribute("data-counting");
    total.dataset.counting = minus(Math.round(to + (from - to) * left));
    requestAnimationFrame(step);
  };
  step(begun);
}

function show(before, now) {
  for (const [name, { head, total, number, isGone, isLeading }] of now.seats) {
    const was = before.seats.get(name);
    if (!was) continue;
    if (was.number !== number) count(total, was.number, number);
    if (isLeading && !was.isLeading) move(total, { transform: "scale(1.3)" }, { transform: "none" });
    if (isGone && !was.isGone) {
      const face = head.querySelector(".av");
      move(face, { transform: "scale(1.5)", filter: "none" }, { transform: "rotate(-1turn)" });
    }
  }
  if (now.rounds > before.rounds) {
    const [newest] = all(".score tbody:first-of-type tr").slice(-1);
    move(newest, { opacity: 0, transform: "translateY(12px)" }, { opacity: 1, transform: "none" });
  }
  if (now.pot !== before.pot) {
    const pot = document.querySelector("[data-now=pot]");
    move(pot?.parentElement, { transform: "scale(1.15)" }, { transform: "none" });
  }
}

function look() {
  const game = /** @type {HTMLDataElement} */ (document.querySelector("[data-text-half]"))?.value;
  if (!game) return;
  const now = read();
  const before = seen.get(game);
  seen.set(game, now);
  if (before && !calm.matches) show(before, now);
}

document.addEventListener("htmx:load", look);
look();
