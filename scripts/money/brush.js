// What the pictures for the group's chat are drawn with: texts that fit, faces, rows and cards, in the
// colors of the day or, where the page is dark, of the evening.

export const WIDE = 1080;
export const EDGE = 64;
export const RIGHT = WIDE - EDGE;
export const INNER = RIGHT - EDGE;
export const CLOTH = { top: "#1a523f", deep: "#0d3427", step: "#2a6753", ink: "#f7f0dd", soft: "#c8dacf" };
export const COIN = "#f3c75f";
export const ON_COIN = "#2b2006";
export const IVORY = { sheet: "#fdf8ea", line: "#d9cba6", ink: "#17211c", soft: "#535d4e", gold: "#7a5600" };
export const TONES = { green: "#17603c", red: "#a8201a", soft: IVORY.soft };
const DAY = { paper: "#e6ede1", ink: "#17301f", soft: "#40574a", gold: "#6b4a00" };
const EVENING = { paper: "#0b2a20", ink: "#f6efdc", soft: "#bdd0c3", gold: COIN };
const CORNER = 28;
const LEAST = 0.45; // texts are scaled down to this, if their style does not say more, then cut

// The colors of the ground and of the text on it.
export function ground() {
  return getComputedStyle(document.documentElement).colorScheme.includes("dark") ? EVENING : DAY;
}

export function band(ink, y, high, colour) {
  ink.fillStyle = colour;
  ink.fillRect(0, y, WIDE, high);
}

// Draws the cloth from the top to `high`, with its golden hem.
export function cloth(ink, high) {
  const shade = ink.createLinearGradient(0, high * 0.5, 0, high);
  shade.addColorStop(0, CLOTH.top);
  shade.addColorStop(1, CLOTH.deep);
  box(ink, 0, -CORNER * 2, WIDE, high + CORNER * 2 + 6, CORNER * 2, COIN);
  box(ink, 0, -CORNER * 2, WIDE, high + CORNER * 2, CORNER * 2, shade);
}

export function box(ink, x, y, wide, high, corner, fill) {
  ink.fillStyle = fill;
  ink.beginPath();
  ink.roundRect(x, y, wide, high, corner);
  ink.fill();
}

// Draws rows of one height on ivory, separated by lines, in one or two columns; returns where they end.
export function rows(ink, all, top, high, columns, drawRow) {
  const lines = Math.ceil(all.length / columns);
  const wide = INNER / columns;
  box(ink, EDGE - 24, top, INNER + 48, lines * high, CORNER, IVORY.sheet);
  ink.fillStyle = IVORY.line;
  for (let line = 1; line < lines; line++) ink.fillRect(EDGE - 24, top + line * high - 1, INNER + 48, 2);
  all.forEach((row, index) => {
    const column = index % columns;
    const x = EDGE + column * (wide + 12);
    drawRow(ink, row, top + (Math.floor(index / columns) + 0.5) * high, x, x + wide - (columns - 1) * 12);
  });
  return top + lines * high;
}

export function face(ink, { initial, colour }, x, y, radius, won) {
  ink.fillStyle = colourAt(colour);
  ink.beginPath();
  ink.arc(x, y, radius, 0, 2 * Math.PI);
  ink.fill();
  const size = initial[1] ? radius * 0.8 : radius;
  write(ink, initial, x, y + 2, { size, bold: true, colour: "#fff", align: "center" });
  if (won) ring(ink, x, y, radius * 1.12 + 3, COIN, Math.max(6, radius * 0.07));
}

export function ring(ink, x, y, radius, colour, wide = 6) {
  ink.strokeStyle = colour;
  ink.lineWidth = wide;
  ink.beginPath();
  ink.arc(x, y, radius, 0, 2 * Math.PI);
  ink.stroke();
}

// Writes text over several lines, from the edge or centered; returns where it ends.
export function lines(ink, text, y, style) {
  const high = style.size * 1.3;
  const wrapped = text ? broken(ink, text, style) : [];
  wrapped.forEach((line, index) => {
    write(ink, line, style.align ? WIDE / 2 : EDGE, y + high * (index + 0.5), style);
  });
  return y + high * wrapped.length;
}

// Writes one line, scaled down or cut if it does not fit; returns its width.
export function write(ink, text, x, y, style) {
  const { colour = IVORY.ink, align = "left" } = style;
  const shown = fitted(ink, text, style);
  ink.fillStyle = colour;
  ink.textAlign = align;
  ink.fillText(shown, x, y);
  return ink.measureText(shown).width;
}

// Returns the width of a line as it would be written with room to spare.
export function width(ink, text, { size, bold = false, serif = false }) {
  ink.font = font(size, bold, serif);
  return ink.measureText(text).width;
}

function fitted(ink, text, { size, bold, serif, wide = INNER, least = LEAST }) {
  ink.font = font(size, bold, serif);
  const share = wide / ink.measureText(text).width;
  if (share >= 1) return text;
  ink.font = font(size * Math.max(share, least), bold, serif);
  if (share >= least) return text;
  const letters = [...text];
  while (letters.length > 1 && ink.measureText(`${letters.join("")}…`).width > wide) letters.pop();
  return `${letters.join("")}…`;
}

function broken(ink, text, { size, bold, serif, wide = INNER }) {
  ink.font = font(size, bold, serif);
  const wrapped = [""];
  for (const word of text.split(" ")) {
    const longer = wrapped.at(-1) ? `${wrapped.at(-1)} ${word}` : word;
    if (!wrapped.at(-1) || ink.measureText(longer).width <= wide) wrapped[wrapped.length - 1] = longer;
    else wrapped.push(word);
  }
  return wrapped;
}

function font(size, bold = false, serif = false) {
  const family = serif
    ? 'ui-serif, "New York", "Noto Serif", Georgia, serif'
    : 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
  return `${bold ? 700 : 400} ${size}px ${family}`;
}

// The players' colors are those of the page, the same in both themes.
export function colourAt(number) {
  const probe = document.createElement("i");
  probe.dataset.colour = number;
  document.body.append(probe);
  const colour = getComputedStyle(probe).backgroundColor;
  probe.remove();
  return colour;
}
