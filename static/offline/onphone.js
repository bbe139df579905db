// The list of games that open without a network: those with cached pages, with the waiting entries counted
// in.

import { fill, icon, minus, piece } from "../base/pieces.js";
import { pending } from "../play/course.js";
import { entries } from "./entries.js";
import { foreseen } from "./foresight.js";

const SHEET = /^\/g\/([\w-]+)\/$/;
const RESULT = /^\/g\/([\w-]+)\/settlement\/$/;

// List the games that the page does not list already; update those that it does, or mark them as missing.
export async function present(place, person) {
  const games = await heldBy(person);
  for (const tile of document.querySelectorAll("main :is(.tile, .menu a)[href^='/g/']")) {
    const [, code] = /^\/g\/([\w-]+)\//.exec(tile.pathname);
    const game = games.get(code);
    games.delete(code);
    const sub = tile.querySelector(".sub");
    if (!game) sub.append(` · ${place.dataset.missing}`);
    else if (tile.matches(".live") && game.sheet) {
      sub.textContent = await standing(place.dataset, game.sheet);
      for (const older of tile.querySelectorAll(".pill, .tally, .figure")) older.remove();
    }
    if (game && !game.result) tile.href = `/g/${code}/`;
  }
  const tiles = await Promise.all(
    [...games].map(async ([code, { sheet, result }]) => {
      const heading = (sheet ?? result).querySelector("h1");
      const text = sheet
        ? `${sheet.title} · ${await standing(place.dataset, sheet)}`
        : heading.lastElementChild.textContent;
      const about = piece(
        "span",
        "grow",
        piece("b", "", heading.firstChild.data.trim()),
        piece("span", "sub", text),
      );
      const tile = piece("a", "", about, icon("next"));
      tile.href = sheet ? `/g/${code}/` : `/g/${code}/settlement/`;
      return tile;
    }),
  );
  place.querySelector(".menu").replaceChildren(...tiles);
  place.hidden = !tiles.length;
}

// The cached sheets and results of this person by game code, the last opened game first.
async function heldBy(person) {
  const pages = await caches.open("pages");
  const games = new Map();
  for (const request of [...(await pages.keys())].reverse()) {
    const { pathname } = new URL(request.url);
    const [, code] = SHEET.exec(pathname) ?? RESULT.exec(pathname) ?? [];
    if (!code) continue;
    const page = new DOMParser().parseFromString(await (await pages.match(request)).text(), "text/html");
    if (page.getElementById("main")?.dataset.person === person) {
      games.set(code, { ...games.get(code), [SHEET.test(pathname) ? "sheet" : "result"]: page });
    }
  }
  return games;
}

// The state of a game in one line; for a game that is only watched, as printed on its sheet.
async function standing(words, sheet) {
  const here = sheet.getElementById("waiting");
  if (!here) {
    const totals = sheet.querySelectorAll(".total");
    return totalsOf(
      [...sheet.querySelectorAll(".who")].map(({ title }, seat) => [title, totals[seat].firstChild.data]),
    );
  }
  const names = JSON.parse(here.dataset.names);
  const known = (await entries().catch(() => [])).filter(({ game }) => game === here.dataset.game);
  const numbers = await foreseen(here, known);
  const sign = numbers.waits ? "≈" : "";
  const totals = totalsOf(
    numbers.seats
      .filter(({ seat }) => seat !== "left")
      .map(({ id, total }) => [names[id], total === null ? "?" : sign + minus(total)]),
  );
  const [pendingSeat] = pending(numbers);
  const when = numbers.over
    ? words.over
    : pendingSeat
      ? fill(words.question, { name: names[pendingSeat.id] })
      : fill(words.round, { number: numbers.round });
  return [when, totals, sign && words.provisional].filter(Boolean).join(" · ");
}

const totalsOf = (figures) => figures.map(([name, total]) => `${name} ${total}`).join(", ");
