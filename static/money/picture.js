// Draws a result as a picture for the group's chat: 1080 pixels wide, as high as needed, the same in every
// theme. `draw(result)` returns a PNG; `picture` in games/money/presenters/sharing.py builds `result`.

const WIDE = 1080;
const EDGE = 64;
const RIGHT = WIDE - EDGE;
const INNER = RIGHT - EDGE;
const CLOTH = "#12382b";
const ON_CLOTH = "#fffdf7";
const SOFT_ON_CLOTH = "#c6d8cd";
const COIN = "#f2c14e";
const PAPER = "#faf6ec";
const SHEET = "#fffdf7";
const LINE = "#d9cfb8";
const INK = "#1c2733";
const SOFT = "#565f6b";
const GOLD = "#855600";
const TONES = { green: "#25633a", red: "#a8201a", soft: SOFT };
const HIGH = 118; // a row
const COURSE = 130; // the chart of the totals
const FIGURE = { size: 46, bold: true, align: "right", wide: 340 };
const NAME = { size: 42, bold: true };
const BELOW = { size: 30, colour: SOFT };
const NOTE = { size: 27, colour: SOFT };
const LEAST = 0.45; // texts are scaled down to this, then cut

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
  ink.textBaseline = "middle";
  band(ink, 0, ink.canvas.height, PAPER);
  const cloth = head(ink, result); // the first pass measures the cloth
  band(ink, 0, cloth, CLOTH);
  band(ink, cloth, 8, COIN);
  head(ink, result);
  let y = rows(ink, result.people, cloth + 40, person);
  for (const note of result.notes) y = lines(ink, note, y + 16, NOTE);
  if (result.course.length) y = course(ink, result.course, y + 40);
  if (result.debts) y = debts(ink, result.debts, y + 56);
  y = lines(ink, result.rules, y + 40, NOTE) + 34;
  write(ink, result.by, RIGHT, y, { ...NOTE, bold: true, colour: GOLD, align: "right" });
  if (!result.site) return y + 50;
  write(ink, result.site, RIGHT, y + 40, { ...NOTE, align: "right" });
  return y + 90;
}

// Draws the winners and their prize; returns the height of the cloth.
function head(ink, { occasion, winners, title, prize, reason }) {
  let y = lines(ink, occasion, 52, { size: 30, colour: SOFT_ON_CLOTH, align: "center" });
  if (winners.length) y += 140;
  winners.forEach((winner, index) => {
    face(ink, winner, WIDE / 2 + 130 * (index - (winners.length - 1) / 2), y - 54, 48, true);
  });
  y = lines(ink, title, y + 24, { size: 76, bold: true, colour: ON_CLOTH, align: "center" });
  if (prize) y = lines(ink, prize, y + 2, { size: 62, bold: true, colour: COIN, align: "center" });
  return lines(ink, reason, y + 10, { size: 32, colour: SOFT_ON_CLOTH, align: "center" }) + 44;
}

// Draws the debts and payments with their time: the same rows and ticks as the page. Below them stands why
// a debt goes to its payee.
function debts(ink, { title, moment, note, rows: owed }, y) {
  const left = INNER - write(ink, moment, RIGHT, y, { ...BELOW, align: "right" }) - 24;
  write(ink, title, EDGE, y, { size: 34, bold: true, colour: SOFT, wide: left });
  let end = rows(ink, owed, note ? lines(ink, note, y + 20, NOTE) + 18 : y + 36, debt);
  for (const { why } of owed) if (why) end = lines(ink, why, end + 16, NOTE);
  return end;
}

// Draws everybody's totals round by round as lines in their colors; returns where they end.
function course(ink, all, y) {
  const totals = all.flatMap((one) => one.totals).filter((total) => total !== null);
  const least = Math.min(...totals);
  const span = Math.max(...totals) - least || 1;
  const step = INNER / (Math.max(...all.map((one) => one.totals.length)) - 1);
  ink.lineWidth = 5;
  for (const one of all) {
    ink.strokeStyle = colourAt(one.colour);
    ink.beginPath();
    one.totals.forEach((total, round) => {
      if (total !== null) ink.lineTo(EDGE + step * round, y + COURSE * (1 - (total - least) / span));
    });
    ink.stroke();
  }
  return y + COURSE;
}

// Draws rows on a sheet, separated by lines.
function rows(ink, all, top, one) {
  const bottom = top + all.length * HIGH;
  band(ink, top, bottom - top, SHEET);
  all.forEach((row, index) => {
    band(ink, top + index * HIGH, 2, LINE);
    one(ink, row, top + (index + 0.5) * HIGH);
  });
  return bottom;
}

function person(ink, { place, won, below, figure, tone, ...one }, y) {
  const x = place ? EDGE + 52 : EDGE;
  write(ink, place, EDGE + 18, y, { size: 36, bold: true, colour: won ? GOLD : SOFT, align: "center" });
  const left = RIGHT - write(ink, figure, RIGHT, y, { ...FIGURE, colour: TONES[tone] ?? INK }) - 24;
  named(ink, one, x, y, { left, below, won });
}

function debt(ink, { payer, payee, amount, detail, isPaid }, y) {
  const colour = isPaid ? SOFT : INK;
  const edge = RIGHT - 72;
  ring(ink, RIGHT - 24, y, 24, isPaid ? TONES.green : SOFT);
  if (isPaid) write(ink, "✓", RIGHT - 24, y + 2, { size: 34, colour: TONES.green, align: "center" });
  const left = edge - write(ink, amount, edge, y, { ...FIGURE, colour }) - 24;
  const middle = detail ? y - 18 : y;
  const x = named(ink, payer, EDGE, middle, { left: (EDGE + left) / 2, colour }) + 72;
  write(ink, "→", x - 36, middle, { size: 40, colour: SOFT, align: "center" });
  named(ink, payee, x, middle, { left, colour });
  write(ink, detail, EDGE + 92, y + 36, { ...BELOW, wide: left - EDGE - 92 });
}

// Draws a face and a name, with a text below it; returns where the name ends.
function named(ink, one, x, y, { left, colour = INK, below = "", won = false }) {
  const at = x + 92;
  face(ink, one, x + 38, y, 34, won);
  if (below) write(ink, below, at, y + 26, { ...BELOW, wide: left - at });
  return at + write(ink, one.name, at, below ? y - 20 : y, { ...NAME, colour, wide: left - at });
}

function face(ink, { initial, colour }, x, y, radius, won) {
  ink.fillStyle = colourAt(colour);
  ink.beginPath();
  ink.arc(x, y, radius, 0, 2 * Math.PI);
  ink.fill();
  const size = initial[1] ? radius * 0.8 : radius;
  write(ink, initial, x, y + 2, { size, bold: true, colour: "#fff", align: "center" });
  if (won) ring(ink, x, y, radius + 7, COIN);
}

function ring(ink, x, y, radius, colour) {
  ink.strokeStyle = colour;
  ink.lineWidth = 6;
  ink.beginPath();
  ink.arc(x, y, radius, 0, 2 * Math.PI);
  ink.stroke();
}

function band(ink, y, high, colour) {
  ink.fillStyle = colour;
  ink.fillRect(0, y, WIDE, high);
}

// Writes text over several lines, from the edge or centered; returns where it ends.
function lines(ink, text, y, style) {
  const high = style.size * 1.3;
  const wrapped = broken(ink, text, style);
  wrapped.forEach((line, index) => {
    write(ink, line, style.align ? WIDE / 2 : EDGE, y + high * (index + 0.5), style);
  });
  return y + high * wrapped.length;
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

function broken(ink, text, { size, bold = false }) {
  ink.font = font(size, bold);
  const wrapped = [""];
  for (const word of text.split(" ")) {
    const longer = wrapped.at(-1) ? `${wrapped.at(-1)} ${word}` : word;
    if (!wrapped.at(-1) || ink.measureText(longer).width <= INNER) wrapped[wrapped.length - 1] = longer;
    else wrapped.push(word);
  }
  return wrapped;
}

function font(size, bold) {
  return `${bold ? 700 : 400} ${size}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
}

// The players' colors are those of the page, the same in both themes.
function colourAt(number) {
  const probe = document.createElement("i");
  probe.dataset.colour = number;
  document.body.append(probe);
  const colour = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return colour;
}
