// Draws a result as a picture for the group's chat: paper, whatever the theme, 1080 points wide and as high
// as it takes. `draw(result)` gives a PNG; `result` is what `picture_of` says (games/shown/money/sending.py).

const WIDE = 1080;
const EDGE = 64;
const RIGHT = WIDE - EDGE;
const PAPER = "#faf6ec";
const SHEET = "#fffdf7";
const LINE = "#d9cfb8";
const INK = "#1c2733";
const SOFT = "#565f6b";
const GOLD = "#855600";
const TONES = { green: "#25633a", red: "#a8201a", soft: SOFT };
const FACE = 66; // a small face and the air behind it
const ARROW = 72;
const FIGURE = { size: 48, bold: true, align: "right", wide: 340 };
const LEAST = 0.55; // how small a text may become before it is cut

export async function draw(result) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDE;
  const ink = canvas.getContext("2d", { willReadFrequently: true }); // no graphics card: the same everywhere
  canvas.height = paint(ink, result); // once to see how much there is
  paint(ink, result);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png");
  });
}

function paint(ink, result) {
  ink.fillStyle = PAPER;
  ink.fillRect(0, 0, WIDE, ink.canvas.height);
  ink.textBaseline = "middle";
  let y = head(ink, result, 56);
  y = sheet(ink, result.people, y + 28, 118, person);
  if (result.paying) y = notes(ink, result.notes, paying(ink, result.paying, result.payments, y));
  for (const { title, payments } of result.below) y = paying(ink, title, payments, y);
  return foot(ink, result, y + 40);
}

// A title and the payments below it, where there are any.
function paying(ink, title, payments, y) {
  write(ink, title, EDGE, y + 56, { size: 34, bold: true, colour: SOFT });
  if (!payments.length) return y + 76;
  const isRoomy = payments.every((paid) => lengthOf(ink, paid) <= WIDE - 2 * EDGE);
  return sheet(ink, payments, y + 92, isRoomy ? 92 : 132, isRoomy ? payment : longPayment);
}

function notes(ink, sentences, y) {
  for (const sentence of sentences) y = paragraph(ink, sentence, y + 16);
  return y;
}

function head(ink, { occasion, title, reason }, y) {
  write(ink, occasion, EDGE, y + 20, { size: 32, colour: SOFT });
  write(ink, title, EDGE, y + 92, { size: 68, bold: true });
  ink.fillStyle = GOLD;
  ink.fillRect(EDGE, y + 138, 120, 7);
  write(ink, reason, EDGE, y + 182, { size: 34, colour: SOFT });
  return y + 204;
}

// Rows on a sheet, a line between them.
function sheet(ink, rows, top, high, one) {
  const bottom = top + rows.length * high;
  ink.fillStyle = SHEET;
  ink.strokeStyle = LINE;
  ink.lineWidth = 2;
  ink.beginPath();
  const box = [EDGE - 28, top, WIDE - 2 * EDGE + 56, bottom - top];
  if (ink.roundRect) ink.roundRect(...box, 28);
  else ink.rect(...box);
  ink.fill();
  ink.stroke();
  rows.forEach((row, index) => {
    const y = top + index * high;
    if (index) {
      ink.fillStyle = LINE;
      ink.fillRect(EDGE, y - 1, WIDE - 2 * EDGE, 2);
    }
    one(ink, row, y + high / 2);
  });
  return bottom;
}

function person(ink, { place, won, name, initial, colour, below, figure, tone }, y) {
  let x = EDGE;
  if (place) {
    write(ink, place, x + 18, y, { size: 36, bold: true, colour: won ? GOLD : SOFT, align: "center" });
    x += 52;
  }
  face(ink, x + 40, y, 36, initial, colour);
  if (won) ring(ink, x + 40, y, 42);
  x += 100;
  const left = RIGHT - write(ink, figure, RIGHT, y, { ...FIGURE, colour: TONES[tone] ?? INK }) - 24 - x;
  write(ink, name, x, below ? y - 20 : y, { size: 44, bold: true, wide: left });
  if (below) write(ink, below, x, y + 26, { size: 30, colour: SOFT, wide: left });
}

// In one line where all of them fit in one.
function payment(ink, { payer, payee, amount }, y) {
  write(ink, amount, RIGHT, y, { size: 44, bold: true, align: "right" });
  const x = named(ink, payer, EDGE, y, { bold: true }) + ARROW;
  write(ink, "→", x - ARROW / 2, y, { size: 40, colour: SOFT, align: "center" });
  named(ink, payee, x, y, {});
}

function longPayment(ink, { payer, payee, amount }, y) {
  const left = RIGHT - write(ink, amount, RIGHT, y, { ...FIGURE, size: 44 }) - 24;
  named(ink, payer, EDGE, y - 30, { bold: true, left });
  write(ink, "→", EDGE + ARROW / 2 - 8, y + 30, { size: 40, colour: SOFT, align: "center" });
  named(ink, payee, EDGE + ARROW, y + 30, { left });
}

function lengthOf(ink, { payer, payee, amount }) {
  const wide = [
    [payer.name, 40, true],
    [payee.name, 40, false],
    [amount, 44, true],
  ].map(([text, size, bold]) => {
    ink.font = font(size, bold);
    return ink.measureText(text).width;
  });
  return wide.reduce((sum, one) => sum + one) + 2 * FACE + ARROW + 24;
}

// A face and a name; gives where they end.
function named(ink, { name, initial, colour }, x, y, { bold = false, left = RIGHT }) {
  face(ink, x + 26, y, 26, initial, colour);
  return x + FACE + write(ink, name, x + FACE, y, { size: 40, bold, wide: left - x - FACE });
}

function foot(ink, { rules, by }, y) {
  const last = paragraph(ink, rules, y);
  write(ink, by, RIGHT, last + 34, { size: 27, bold: true, colour: GOLD, align: "right" });
  return last + 84;
}

// Small words over as many lines as they take; gives where they end.
function paragraph(ink, text, y) {
  const lines = wrapped(ink, text, { size: 27, wide: WIDE - 2 * EDGE });
  lines.forEach((line, index) => {
    write(ink, line, EDGE, y + 18 + index * 38, { size: 27, colour: SOFT });
  });
  return y + lines.length * 38;
}

function face(ink, x, y, radius, initial, colour) {
  ink.fillStyle = colourOf(colour);
  ink.beginPath();
  ink.arc(x, y, radius, 0, 2 * Math.PI);
  ink.fill();
  write(ink, initial, x, y + 2, { size: radius, bold: true, colour: "#fff", align: "center" });
}

function ring(ink, x, y, radius) {
  ink.strokeStyle = GOLD;
  ink.lineWidth = 6;
  ink.beginPath();
  ink.arc(x, y, radius, 0, 2 * Math.PI);
  ink.stroke();
}

// Writes one line, smaller where it must be to fit, cut where that is not enough; gives its width.
function write(
  ink,
  text,
  x,
  y,
  { size, bold = false, colour = INK, align = "left", wide = WIDE - 2 * EDGE },
) {
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

function wrapped(ink, text, { size, wide }) {
  ink.font = font(size, false);
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (ink.measureText(longer).width <= wide) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
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
