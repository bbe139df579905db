// Draws a picture for the group's chat in the light of the page: a game and a season as a poster, a night
// and the accounts as a list, 1080 pixels wide and as high as needed. `draw(result)` returns a PNG;
// `build_picture` in games/money/presenters/sharing.py makes `result`.

import { band, CLOTH, cloth, face, ground, lines, RIGHT, WIDE, write } from "./brush.js";
import { debts, people } from "./picture_rows.js";
import { poster, TALL } from "./poster.js";

export async function draw(result) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  const ink = canvas.getContext("2d", { willReadFrequently: true }); // software: the same everywhere
  canvas.height = result.isPoster ? TALL : list(ink, result); // the first pass measures the height
  ink.textBaseline = "middle"; // a new height resets it
  (result.isPoster ? poster : list)(ink, result);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png");
  });
}

function list(ink, result) {
  const on = ground();
  band(ink, 0, ink.canvas.height, on.paper);
  const hem = head(ink, result); // the first pass measures the cloth
  cloth(ink, hem);
  head(ink, result);
  let y = result.people.length ? people(ink, result.people, hem + 40) : hem + 16;
  const note = { size: 27, colour: on.soft };
  for (const line of result.notes) y = lines(ink, line, y + 16, note);
  if (result.debts) y = debts(ink, result.debts, y + 40, on);
  y = lines(ink, result.rules, y + 36, note) + 34;
  write(ink, result.by, RIGHT, y, { ...note, bold: true, colour: on.gold, align: "right" });
  return y + 50;
}

// Draws whose list it is; returns the height of the cloth.
function head(ink, { occasion, winners, title, reason }) {
  let y = lines(ink, occasion, 52, { size: 30, colour: CLOTH.soft, align: "center" });
  if (winners.length) y += 140;
  winners.forEach((winner, index) => {
    face(ink, winner, WIDE / 2 + 130 * (index - (winners.length - 1) / 2), y - 54, 48, true);
  });
  y = lines(ink, title, y + 24, { size: 72, bold: true, serif: true, colour: CLOTH.ink, align: "center" });
  return lines(ink, reason, y + 10, { size: 32, colour: CLOTH.soft, align: "center" }) + 44;
}
