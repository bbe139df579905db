// Draws a result as a picture for the group's chat: 1080 pixels wide, as high as needed, the same in every
// theme. `draw(result)` returns a PNG; `picture_of` in games/money/pages/sending.py builds `result`.

const WIDE = 1080;
const EDGE = 64;
const INNER = WIDE - 2 * EDGE;
const RIGHT = WIDE - EDGE;
const CLOTH = "#12382b";
const ON_CLOTH = "#fffdf7";
const SOFT_ON_CLOTH = "#c6d8cd";
const COIN = "#f2c14e";
const PAPER = "#faf6ec";
const SHEET = "#fffdf7";
const LINE = "#d9cfb8";
const BAND = "#f7e8bf";
const INK = "#1c2733";
const SOFT = "#565f6b";
const GOLD = "#855600";
const TONES = { green: "#25633a", red: "#a8201a", soft: SOFT };
const FACE = 66; // a small face and the space after it
const ARROW = 72;
const TICK = 72; // the tick and the space before it
const FIGURE = { size: 48, bold: true, align: "right", wide: 340 };
const NAME = { size: 44, bold: true };
const SAID = { size: 40, bold: true }; // a name in who pays whom
const NAME_AT = 100; // behind a face
const PLACE = 52;
const LEAST = 0.45; // the smallest scale of a text before it is cut
const CROWD = 4; // winners whose faces have less room

export async function draw(result) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  const ink = canvas.getContext("2d", { willReadFrequently: true }); // software: the same everywhere
  canvas.height = paint(ink, result); // the first pass measures the height
  paint(ink, result);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png");
  });
}

function paint(ink, result) {
  ink.fillStyle = PAPER;
  ink.fillRect(0, 0, WIDE, ink.canvas.height);
  ink.textBaseline = "middle";
  let y = head(ink, result, 52); // the first pass measures the cloth
  ink.fillStyle = CLOTH;
  ink.fillRect(0, 0, WIDE, y);
  ink.fillStyle = COIN;
  ink.fillRect(0, y, WIDE, 8);
  y = sheet(ink, result.people, head(ink, result, 52) + 40, 118, person);
  if (result.pot) y = pot(ink, result.pot, y + 28);
  y = notes(ink, result.notes, y);
  if (result.debts) y = debts(ink, result.debts, y);
  return foot(ink, result, y + 40);
}

// Draws the winners and their prize.
function head(ink, { occasion, winners, title, prize, reason }, top) {
  let y = lines(ink, occasion, top, { size: 30, colour: SOFT_ON_CLOTH });
  if (winners.length) y = cheered(ink, winners, y + 34);
  y = lines(ink, title, y + 24, { size: 76, bold: true, colour: ON_CLOTH });
  if (prize) y = lines(ink, prize, y + 2, { size: 62, bold: true, colour: COIN });
  return lines(ink, reason, y + 10, { size: 32, colour: SOFT_ON_CLOTH }) + 44;
}

function cheered(ink, winners, top) {
  const radius = winners.length === 1 ? 92 : winners.length < CROWD ? 74 : 50;
  const apart = 2 * radius + (winners.length < CROWD ? 44 : 20);
  const y = top + radius;
  winners.forEach(({ initial, colour }, index) => {
    const x = WIDE / 2 + (index - (winners.length - 1) / 2) * apart;
    face(ink, x, y, radius, initial, colour);
    ring(ink, x, y, radius + 9, COIN, 8);
  });
  return y + radius + 14;
}

// Writes text over several lines, centred for the head; returns where it ends.
function lines(ink, text, y, style, isCentred = true) {
  const high = style.size * (isCentred ? 1.22 : 1.4);
  const rows = wrapped(ink, text, style);
  rows.forEach((row, index) => {
    const align = isCentred ? "center" : "left";
    write(ink, row, isCentred ? WIDE / 2 : EDGE, y + high * (index + 0.5), { ...style, align });
  });
  return y + high * rows.length;
}

const paragraph = (ink, text, y) => lines(ink, text, y, { size: 27, colour: SOFT }, false);

// Draws the amount of the pot and its sources.
function pot(ink, { title, grown }, top) {
  const high = 96 + 42 * wrapped(ink, grown, { size: 30 }).length;
  box(ink, EDGE - 28, top, INNER + 56, high, BAND, COIN);
  write(ink, title, EDGE, top + 46, { size: 40, bold: true, colour: GOLD });
  lines(ink, grown, top + 74, { size: 30 }, false);
  return top + high;
}

// Draws who pays whom, with the moment at which that was so: the same rows and ticks as the page.
function debts(ink, { title, moment, note, rows }, top) {
  const y = top + 56;
  const left = INNER - write(ink, moment, RIGHT, y, { size: 30, colour: SOFT, align: "right" }) - 24;
  write(ink, title, EDGE, y, { size: 34, bold: true, colour: SOFT, wide: left });
  const below = note ? paragraph(ink, note, y + 20) + 18 : y + 36;
  if (!rows.length) return y + 20;
  const detail = rows.some((row) => row.detail) ? 36 : 0;
  return sheet(ink, rows, below, 92 + detail, (_ink, row, middle) => {
    tick(ink, row, middle);
    debt(ink, row, row.detail ? middle - detail / 2 : middle);
    if (!row.detail) return;
    write(ink, row.detail, EDGE + FACE, middle + 24, { size: 30, colour: SOFT, wide: INNER - FACE - TICK });
  });
}

function tick(ink, { isPaid }, y) {
  const x = RIGHT - 24;
  ring(ink, x, y, 24, isPaid ? TONES.green : SOFT, 4);
  if (!isPaid) return;
  ink.fillStyle = TONES.green;
  ink.fill();
  write(ink, "✓", x, y + 2, { size: 34, bold: true, colour: SHEET, align: "center" });
}

function notes(ink, sentences, y) {
  for (const sentence of sentences) y = paragraph(ink, sentence, y + 16);
  return y;
}

// Draws rows on a sheet, separated by lines.
function sheet(ink, rows, top, high, one) {
  const bottom = top + rows.length * high;
  box(ink, EDGE - 28, top, INNER + 56, bottom - top, SHEET, LINE);
  rows.forEach((row, index) => {
    const y = top + index * high;
    if (index) {
      ink.fillStyle = LINE;
      ink.fillRect(EDGE, y - 1, INNER, 2);
    }
    one(ink, row, y + high / 2);
  });
  return bottom;
}

function box(ink, x, y, wide, high, colour, edge) {
  ink.fillStyle = colour;
  ink.strokeStyle = edge;
  ink.lineWidth = 2;
  ink.beginPath();
  if (ink.roundRect) ink.roundRect(x, y, wide, high, 28);
  else ink.rect(x, y, wide, high);
  ink.fill();
  ink.stroke();
}

function person(ink, { place, won, name, initial, colour, below, figure, tone }, y) {
  let x = EDGE;
  if (place) {
    write(ink, place, x + 18, y, { size: 36, bold: true, colour: won ? GOLD : SOFT, align: "center" });
    x += PLACE;
  }
  face(ink, x + 40, y, 36, initial, colour);
  if (won) ring(ink, x + 40, y, 43, COIN, 7);
  x += NAME_AT;
  const shade = { ...FIGURE, colour: TONES[tone] ?? INK };
  const left = RIGHT - write(ink, figure, RIGHT, y, shade) - 24 - x;
  write(ink, name, x, below ? y - 20 : y, { ...NAME, wide: left });
  if (below) write(ink, below, x, y + 26, { size: 30, colour: SOFT, wide: left });
}

function debt(ink, { payer, payee, amount, isPaid }, y) {
  const colour = isPaid ? SOFT : INK;
  const edge = RIGHT - TICK;
  const right = edge - write(ink, amount, edge, y, { ...FIGURE, size: 44, colour }) - 24;
  const room = right - FACE - widthOf(ink, payee.name, SAID);
  const left = Math.max(room - ARROW, (EDGE + right - ARROW) / 2);
  const x = named(ink, payer, EDGE, y, { left, colour }) + ARROW;
  write(ink, "→", x - ARROW / 2, y, { size: 40, colour: SOFT, align: "center" });
  named(ink, payee, x, y, { left: right, colour });
}

function widthOf(ink, text, { size, bold }) {
  ink.font = font(size, bold);
  return ink.measureText(text).width;
}

// Draws a face and a name; returns where they end.
function named(ink, { name, initial, colour: own }, x, y, { left, colour }) {
  face(ink, x + 26, y, 26, initial, own);
  return x + FACE + write(ink, name, x + FACE, y, { ...SAID, colour, wide: left - x - FACE });
}

function foot(ink, { rules, by, site }, y) {
  const last = paragraph(ink, rules, y);
  write(ink, by, RIGHT, last + 34, { size: 27, bold: true, colour: GOLD, align: "right" });
  if (!site) return last + 84;
  write(ink, site, RIGHT, last + 74, { size: 27, colour: SOFT, align: "right" });
  return last + 124;
}

function face(ink, x, y, radius, initial, colour) {
  ink.fillStyle = colourOf(colour);
  ink.beginPath();
  ink.arc(x, y, radius, 0, 2 * Math.PI);
  ink.fill();
  write(ink, initial, x, y + 2, {
    size: initial[1] ? radius * 0.8 : radius,
    bold: true,
    colour: "#fff",
    align: "center",
  });
}

function ring(ink, x, y, radius, colour, thick) {
  ink.strokeStyle = colour;
  ink.lineWidth = thick;
  ink.beginPath();
  ink.arc(x, y, radius, 0, 2 * Math.PI);
  ink.stroke();
}

// Writes one line, scaled down or cut if it does not fit; returns its width.
function write(ink, text, x, y, { size, bold = false, colour = INK, align = "left", wide = INNER }) {
  const shown = fitted(ink, text, { size, bold, wide });
  ink.fillStyle = colour;
  ink.textAlign = align;
  ink.fillText(shown, x, y);
  return ink.measureText(shown).width;
}

function fitted(ink, text, { size, bold, wide }) {
  ink.font = font(size, bold);
  const share = wide / ink.measureText(text).width;
  if (share >= 1) return text;
  ink.font = font(size * Math.max(share, LEAST), bold);
  if (share >= LEAST) return text;
  const letters = [...text];
  while (letters.length > 1 && ink.measureText(`${letters.join("")}…`).width > wide) letters.pop();
  return `${letters.join("")}…`;
}

function wrapped(ink, text, { size, bold = false }) {
  ink.font = font(size, bold);
  const rows = [""];
  for (const word of text.split(" ")) {
    const longer = rows.at(-1) ? `${rows.at(-1)} ${word}` : word;
    if (!rows.at(-1) || ink.measureText(longer).width <= INNER) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

function font(size, bold) {
  return `${bold ? 700 : 400} ${size}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
}

// The players' colours are those of the page, the same in both themes.
function colourOf(number) {
  const probe = document.createElement("i");
  probe.dataset.colour = number;
  document.body.append(probe);
  const colour = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return colour;
}
