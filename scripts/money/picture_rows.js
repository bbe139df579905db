// The rows of a picture for the group's chat: people with their figures, and debts with the page's ticks.

import { EDGE, face, INNER, IVORY, lines, RIGHT, ring, rows, TONES, write } from "./brush.js";

const HIGH = 118; // a row where there is room
const TWO_LINES = 64; // the least that holds two names

// Draws people; returns where they end.
export function people(ink, all, top) {
  return rows(ink, all, top, HIGH, 1, (ink, row, y, x, right) => {
    const { place, won, below, figure, tone, ...one } = row;
    const size = scaled(HIGH);
    const gutter = place ? size(60) : 0;
    const colour = won ? IVORY.gold : IVORY.soft;
    if (place) write(ink, place, x, y, { size: size(34), bold: true, colour, wide: gutter - 8 });
    const style = { size: size(44), bold: true, align: "right", colour: TONES[tone] ?? IVORY.ink };
    const left = right - write(ink, figure, right, y, { ...style, wide: (right - x) * 0.4 }) - size(24);
    named(ink, one, x + gutter, y, size, { left, below, won });
  });
}

// Draws the debts and payments with their time: the same rows and ticks as the page. In one column, below
// them stands why a debt goes to its payee.
export function debts(ink, { title, moment, note, rows: owed }, y, on, columns = 1, high = HIGH) {
  const size = scaled(Math.max(high, HIGH * 0.7)); // of the heading
  const small = { size: size(30), colour: on.soft };
  const middle = y + size(20);
  const left = INNER - write(ink, moment, RIGHT, middle, { ...small, align: "right" }) - 24;
  write(ink, title, EDGE, middle, { size: size(34), bold: true, colour: on.ink, serif: true, wide: left });
  let end = y + size(52);
  if (note) end = lines(ink, note, end - size(8), { ...small, size: size(27) }) + size(8);
  end = rows(ink, owed, end, high, columns, columns > 1 ? narrowDebt(high) : debt(high));
  if (columns > 1) return end;
  for (const { why } of owed) if (why) end = lines(ink, why, end + 14, { size: 27, colour: on.soft });
  return end;
}

const scaled = (high) => (size) => (size * Math.min(high, HIGH)) / HIGH;

function debt(high) {
  const size = scaled(high);
  return (ink, { payer, payee, amount, detail, isPaid }, y, x, right) => {
    const colour = isPaid ? IVORY.soft : IVORY.ink;
    const left = owed(ink, amount, isPaid, y, right, size);
    const middle = detail ? y - size(18) : y;
    const from = named(ink, payer, x, middle, size, { left: (x + left) / 2, colour });
    write(ink, "→", from + size(36), middle, { size: size(40), colour: IVORY.soft, align: "center" });
    named(ink, payee, from + size(72), middle, size, { left, colour });
    const style = { size: size(30), colour: IVORY.soft, wide: left - x - size(92) };
    write(ink, detail, x + size(92), y + size(36), style);
  };
}

// In half the width, the payee is below the payer; in low rows they share a line of larger letters.
function narrowDebt(high) {
  const isLow = high < TWO_LINES;
  const size = scaled(isLow ? high * 1.5 : high);
  return (ink, { payer, payee, amount, isPaid }, y, x, right) => {
    const colour = isPaid ? IVORY.soft : IVORY.ink;
    const left = owed(ink, amount, isPaid, y, right, size, 38);
    const names = x + size(104);
    const style = { size: size(36), bold: true, colour, wide: left - names, least: isLow ? 0.45 : 0.7 };
    face(ink, payer, x + size(22), y, size(28));
    face(ink, payee, x + size(64), y, size(28));
    if (isLow) {
      write(ink, `${payer.name} → ${payee.name}`, names, y, style);
      return;
    }
    write(ink, payer.name, names, y - size(23), style);
    write(ink, `→ ${payee.name}`, names, y + size(23), style);
  };
}

// Draws the circle with its tick, and the amount left of it; returns where that begins.
function owed(ink, amount, isPaid, y, right, size, large = 44) {
  const at = right - size(26);
  ring(ink, at, y, size(24), isPaid ? TONES.green : IVORY.soft, size(5));
  if (isPaid) {
    ink.strokeStyle = TONES.green;
    ink.lineWidth = size(6);
    ink.beginPath();
    ink.moveTo(at - size(10), y);
    ink.lineTo(at - size(3), y + size(9));
    ink.lineTo(at + size(11), y - size(9));
    ink.stroke();
  }
  const edge = right - size(70);
  const colour = isPaid ? IVORY.soft : IVORY.ink;
  const style = { size: size(large), bold: true, align: "right", colour, wide: INNER / 5 };
  return edge - write(ink, amount, edge, y, style) - size(16);
}

// Draws a face and a name, with a text below it; returns where the name ends.
function named(ink, one, x, y, size, { left, colour = IVORY.ink, below = "", won = false }) {
  const at = x + size(92);
  face(ink, one, x + size(38), y, size(34), won);
  const small = { size: size(28), colour: IVORY.soft, wide: left - at };
  if (below) write(ink, below, at, y + size(26), small);
  const style = { size: size(40), bold: true, colour, wide: left - at };
  return at + write(ink, one.name, at, below ? y - size(20) : y, style);
}
