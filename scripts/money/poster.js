// Draws a game or a season as a poster to brag with: the winner's face, the sum in gold, the podium, and
// below it everybody else, who pays whom, and the best moment. Everything below the cloth shrinks to fit.

import {
  band,
  box,
  CLOTH,
  COIN,
  cloth,
  colourAt,
  EDGE,
  face,
  ground,
  INNER,
  lines,
  ON_COIN,
  RIGHT,
  WIDE,
  width,
  write,
} from "./brush.js";
import { debts } from "./picture_rows.js";

export const TALL = 1350;
const LEAST_PODIUM = 650; // with the sum above it, so that each step can be seen to be lower
const LEAST_LINE = 190; // of faces
const ROW = 104;
const ROOM = [1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.52, 0.44, 0.36]; // the shares of ROW that are tried
const LONG_NAME = 12;
const CHIP = 56; // a line of people without a step
const LEAST_NOTE = 0.75; // the share that small texts keep
const COURSE = 110; // the chart of the totals
const ON_A_STEP = 4; // more people fill lines of LINE
const LINE = 5;
const STEP = 142; // the least that holds its three texts

export function poster(ink, result) {
  const on = ground();
  const crowds = result.standing > ON_A_STEP ? Math.ceil(result.standing / LINE) : 0;
  const least = head(ink, result) + (crowds ? 150 + LEAST_LINE * crowds : LEAST_PODIUM);
  const fits = (share, hasCourse) => lower(ink, result, 0, on, share, hasCourse) <= TALL - least;
  const share = ROOM.find((share) => fits(share, false)) ?? ROOM[ROOM.length - 1];
  const hasCourse = result.course.length > 0 && fits(share, true);
  const hem = TALL - lower(ink, result, 0, on, share, hasCourse);
  band(ink, 0, TALL, on.paper);
  cloth(ink, hem);
  stand(ink, result, head(ink, result), hem);
  lower(ink, result, hem, on, share, hasCourse);
}

// Draws whose game or season it is; returns where the heading ends.
function head(ink, { occasion, title, reason }) {
  const small = { size: 30, colour: CLOTH.soft, align: "center" };
  const size = Math.max(24, (30 * INNER) / Math.max(INNER, width(ink, occasion, small))); // to fit one line
  let y = lines(ink, occasion, 44, { ...small, size });
  y = lines(ink, title, y + 8, { size: 68, bold: true, serif: true, colour: CLOTH.ink, align: "center" });
  write(ink, reason, WIDE / 2, y + 20, small);
  return y + 44;
}

// Draws the sum, and below it the people on the cloth, down to its hem.
function stand(ink, result, top, hem) {
  const all = result.people.slice(0, result.standing);
  const room = hem - top;
  const sum = result.prize ? Math.min(160, room * 0.2) : 0;
  const style = { size: sum, bold: true, serif: true, colour: COIN, align: "center" };
  const { high, paint } =
    all.length > ON_A_STEP ? crowd(all, room - sum) : podium(all, room - sum - 20, result.prize);
  write(ink, result.prize, WIDE / 2, top + (room - high) / 2, style);
  paint(ink, hem - high, hem);
}

// Returns the height of a podium in this much room, and what paints it. People who share a place are level.
function podium(all, room, prize) {
  const wide = Math.min(320, INNER / Math.max(all.length, 1));
  const isLevel = all.every(({ place }) => !place);
  const radius = Math.min(room * 0.16, 108, wide * 0.36);
  const crown = isLevel ? 0 : radius * 0.7;
  const most = isLevel ? 190 : 330;
  const step = Math.min(room - crown - 2 * radius - 100, most);
  const high = crown + 2 * radius + 100 + step;
  const spare = Math.max(0, step - STEP);
  const steps = { 1: step, 2: step - Math.min(70, spare / 2), 3: step - Math.min(130, spare) };
  const shown = isLevel || all.length < 2 ? all : [all[1], all[0], ...all.slice(2)];
  const paint = (ink, _top, hem) => {
    shown.forEach((one, index) => {
      const x = WIDE / 2 + wide * (index - (shown.length - 1) / 2);
      const tall = steps[Number.parseInt(one.place, 10)] ?? step;
      const figure = one.figure === prize ? "" : one.figure; // each sum once
      person(
        ink,
        { ...one, figure: one.place ? figure : one.figure },
        { x, wide, tall, hem, radius: one.won || isLevel ? radius : radius * 0.78 },
      );
    });
  };
  return { high, paint };
}

function person(ink, one, { x, wide, tall, hem, radius }) {
  const top = hem - tall;
  const inner = wide - 28;
  box(ink, x - wide / 2 + 8, top, wide - 16, tall, [24, 24, 0, 0], one.won ? COIN : CLOTH.step);
  const colour = one.won ? ON_COIN : CLOTH.ink;
  const texts = [
    [one.place || one.figure, { size: 46, bold: true, serif: true }],
    [one.place ? one.figure : "", { size: 34, bold: true }],
    [one.below, { size: 26, colour: one.won ? ON_COIN : CLOTH.soft }],
  ];
  let y = top + 14;
  for (const [text, style] of texts) {
    if (!text) continue;
    write(ink, text, x, y + style.size * 0.6, { colour, align: "center", wide: inner, ...style });
    y += style.size * 1.2;
  }
  write(ink, one.name, x, top - 34, {
    size: 40,
    bold: true,
    colour: CLOTH.ink,
    align: "center",
    wide: inner,
  });
  const middle = top - 76 - radius;
  face(ink, one, x, middle, radius, one.won);
  if (one.won) crownAt(ink, x, middle - radius * 1.22, radius * 0.36);
}

function crownAt(ink, x, y, size) {
  ink.fillStyle = COIN;
  ink.beginPath();
  const corners = [
    [-1, 0],
    [-1.15, -1.1],
    [-0.5, -0.55],
    [0, -1.35],
    [0.5, -0.55],
    [1.15, -1.1],
    [1, 0],
  ];
  for (const [across, up] of corners) ink.lineTo(x + across * size, y + up * size);
  ink.closePath();
  ink.fill();
}

// Returns the height of many faces in lines, and what paints them.
function crowd(all, room) {
  const count = Math.ceil(all.length / LINE);
  const line = Math.min(230, (room - 24) / count);
  const radius = Math.min(64, line * 0.27);
  const paint = (ink, top) => {
    all.forEach((one, index) => {
      const row = Math.floor(index / LINE);
      const across = Math.min(LINE, all.length - row * LINE);
      const wide = INNER / Math.min(LINE, all.length);
      const x = WIDE / 2 + wide * ((index % LINE) - (across - 1) / 2);
      const y = top + line * row;
      const style = { size: line * 0.15, bold: true, colour: CLOTH.ink, align: "center", wide: wide - 12 };
      face(ink, one, x, y + radius + 10, radius, one.won);
      write(ink, one.name, x, y + 2 * radius + line * 0.16, style);
      const below = { ...style, size: line * 0.125, bold: false, colour: CLOTH.soft };
      write(ink, one.figure, x, y + 2 * radius + line * 0.31, below);
    });
  };
  return { high: line * count + 24, paint };
}

// Draws everything below the cloth, from `top`; returns its height.
function lower(ink, result, top, on, share, hasCourse) {
  const rest = result.people.slice(result.standing);
  const note = { size: 27 * Math.max(share, LEAST_NOTE), colour: on.soft };
  const gap = 30 * Math.max(share, LEAST_NOTE);
  let y = top + gap;
  if (rest.length) y = others(ink, rest, y, on, Math.max(share, LEAST_NOTE)) + gap * 0.6;
  for (const line of result.notes) y = lines(ink, line, y, note) + 8;
  if (hasCourse) y = course(ink, result.course, y + gap) + gap;
  const owed = result.debts;
  if (owed) {
    const names = owed.rows.flatMap(({ payer, payee }) => [payer.name, payee.name]);
    const most = names.some((name) => name.length > LONG_NAME) ? 4 : 2;
    const columns = owed.rows.length > most ? 2 : 1;
    y = debts(ink, owed, y + gap * 0.6, on, columns, ROW * share) + gap * 0.6;
  }
  y = lines(ink, result.rules, y + 4, note) + 22;
  if (result.site) write(ink, result.site, EDGE, y, { ...note, wide: INNER / 2 });
  write(ink, result.by, RIGHT, y, { ...note, bold: true, colour: on.gold, align: "right" });
  return y + 36 - top;
}

// Draws the people without a step, each with a small face and the figure, as many side by side as fit.
function others(ink, all, top, on, share) {
  const style = { size: 30 * share, bold: true, colour: on.ink };
  const light = { size: 30 * share, colour: on.soft };
  const [radius, high, indent, gap] = [22 * share, CHIP * share, 54 * share, 14 * share];
  let [x, y] = [EDGE, top + high / 2];
  for (const one of all) {
    const text = [one.place, one.name].filter(Boolean).join(" ");
    const wide = indent + width(ink, text, style) + gap + width(ink, one.figure, light);
    if (x > EDGE && x + wide > RIGHT) [x, y] = [EDGE, y + high];
    face(ink, one, x + radius, y, radius);
    const after = x + indent + write(ink, text, x + indent, y, { ...style, wide: INNER * 0.6 }) + gap;
    write(ink, one.figure, after, y, light);
    x += wide + 36 * share;
  }
  return y + high / 2;
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
