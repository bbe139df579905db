// The games that open without a network: those whose pages this phone keeps, as they stand here with what
// waits.

import { fill, icon, minus, piece } from "../base/pieces.js";
import { pending } from "../play/course.js";
import { foreseen } from "./foresight.js";
import { queue } from "./place.js";

const SHEET = /^\/g\/([\w-]+)\/$/;
const RESULT = /^\/g\/([\w-]+)\/settlement\/$/;

// Lists them in this place, but for those the page lists already; there it says of each how it stands, or
// that it is not here.
export async function present(place, person) {
  const games = await heldBy(person);
  for (const tile of document.querySelectorAll("main a.tile[href^='/g/']")) {
    const [, code] = /^\/g\/([\w-]+)\//.exec(tile.pathname);
    const game = games.get(code);
    games.delete(code);
    const sub = tile.querySelector(".sub");
    if (!game) sub.append(` · ${place.dataset.missing}`);
    else if (tile.matches(".live") && game.sheet)
      sub.textContent = await standing(place.dataset, game.sheet, person);
    if (game && !game.result) tile.href = `/g/${code}/`;
  }
  const tiles = await Promise.all(
    [...games].map(async ([code, { sheet, result }]) => {
      const heading = (sheet ?? result).querySelector("h1");
      const said = sheet
        ? `${sheet.title} · ${await standing(place.dataset, sheet, person)}`
        : heading.lastElementChild.textContent;
      const about = piece(
        "span",
        "grow",
        piece("b", "", heading.firstChild.data.trim()),
        piece("span", "sub", said),
      );
      const tile = piece("a", "tile", about, icon("next"));
      tile.href = sheet ? `/g/${code}/` : `/g/${code}/settlement/`;
      return tile;
    }),
  );
  place.querySelector(".list").replaceChildren(...tiles);
  place.hidden = !tiles.length;
}

// By code, the game opened last first, each with the pages of it that this phone keeps. A page says whose it
// is.
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

// How a game stands, in a line; of one that is only watched what the sheet says.
async function standing(words, sheet, person) {
  const here = sheet.getElementById("waiting");
  if (!here) {
    const totals = sheet.querySelectorAll(".total");
    return totalsOf(
      [...sheet.querySelectorAll(".who")].map(({ title }, seat) => [title, totals[seat].firstChild.data]),
    );
  }
  const names = JSON.parse(here.dataset.names);
  const entries = (await queue.all().catch(() => [])).filter(
    (entry) => entry.game === here.dataset.game && entry.person === person,
  );
  const numbers = await foreseen(here, entries);
  const sign = numbers.waits ? "≈" : "";
  const totals = totalsOf(
    numbers.seats
      .filter(({ seat }) => seat !== "left")
      .map(({ id, total }) => [names[id], total === null ? "?" : sign + minus(total)]),
  );
  const [asked] = pending(numbers);
  const when = numbers.over
    ? words.over
    : asked
      ? fill(words.question, { name: names[asked.id] })
      : fill(words.round, { number: numbers.round });
  return [when, totals, sign && words.provisional].filter(Boolean).join(" · ");
}

const totalsOf = (figures) => figures.map(([name, total]) => `${name} ${total}`).join(", ");
