// The frame of every pad: the seats with their figures, the closings, the open hand's title, and the buttons
// that lead to other hands.

import { playing } from "./arithmetic.js";
import { counted, fill, grouped, minus, piece, say, setText } from "../base/dom.js";

export function drawFrame(pad) {
  const { entry, form } = pad;
  const { closer, closing, step } = entry.state;
  const whole = entry.whole();
  form.dataset.step = step;
  form.dataset.view = entry.state.view;
  form.toggleAttribute("data-selected", step === "hands" && entry.isSelected());
  for (const radio of pad.all("[name=closer]")) radio.checked = radio.value === closer;
  for (const radio of pad.all("[name=closing]")) radio.checked = radio.value === closing;
  const here = new Set(playing(entry.numbers).map((player) => player.id));
  for (const seat of entry.seats) {
    seat.field.value = whole.hands[seat.id];
    seat.button.hidden = !here.has(seat.id);
    if (here.has(seat.id)) drawSeat(pad, seat);
  }
  pad.one(".nobody")?.toggleAttribute("aria-current", closer === "nobody" && step === "hands");
  drawClosings(pad);
  drawTitle(pad);
  drawDock(pad);
}

function drawSeat(pad, seat) {
  const { entry, words } = pad;
  const isHands = entry.state.step === "hands";
  const isCloser = entry.isCloser(seat);
  const isMissing = entry.isMissing(seat);
  const { button } = seat;
  button.dataset.state = isMissing
    ? "missing"
    : isCloser
      ? "closer"
      : entry.score(seat) === 0
        ? "zero"
        : "counted";
  button.dataset.tone = isHands ? entry.tone(seat) : "";
  button.ariaCurrent = isHands && entry.open === seat ? "true" : null;
  const after = entry.after(seat);
  const most = mark(pad, seat);
  const state = isMissing ? words.missing : after === null ? "" : `→ ${most}${minus(entry.shown(after))}`;
  setText(button.querySelector("b"), most + figure(pad, seat));
  const how = isHands && isCloser && pad.kind.closerState();
  button.toggleAttribute("data-how", Boolean(how));
  setText(button.querySelector(".state"), how || (isHands ? state : totalText(entry, seat)));
}

function totalText(entry, seat) {
  const total = entry.total(seat);
  return total === null ? "…" : minus(entry.shown(total));
}

// The prefix of a figure that may still decrease.
const mark = ({ kind, entry }, seat) => (!entry.isMissing(seat) && kind.mayFall(seat) ? "≤" : "");

// Returns the score of a hand; a dot if it is missing, dots if the server has not counted it yet.
function figure({ entry, kind }, seat) {
  if (entry.isMissing(seat)) return "·";
  const score = entry.score(seat);
  return score !== null ? minus(score) : kind.isWrong(seat) ? "?" : "…";
}

// Returns the message for a hand that only the server can count, while the server does not answer.
function later({ entry, kind, readings, words }, seat) {
  const isOpen = !entry.isMissing(seat) && entry.score(seat) === null && !kind.isWrong(seat);
  return isOpen && (readings.isLost || !navigator.onLine) ? words.later : "";
}

// Shows the closings beside the player who went out, with the first hand: theirs, if they have one to enter.
// They are hidden if they all count the same.
function drawClosings({ entry, kind, one }) {
  const box = one("[data-closings]");
  const offered = entry.offered();
  const differ = new Set(offered.map(({ key }) => JSON.stringify(entry.numbers.closings[key]))).size > 1;
  for (const closing of entry.closings) {
    closing.button.hidden = !offered.includes(closing);
    closing.button.ariaPressed = String(closing === entry.closing);
  }
  const isOthers = entry.isOwn && !entry.isCloser(entry.seats[0]);
  box.hidden = !differ || !kind.hasClosings() || isOthers || Boolean(entry.before());
  const closer = entry.seat(entry.state.closer);
  const face = closer?.button.querySelector(".av");
  if (!face) return;
  const [coin, name] = box.children;
  coin.dataset.colour = face.dataset.colour;
  setText(coin, face.textContent);
  drawName(name, closer);
}

function drawName(element, { name }) {
  setText(element, name);
  element.title = name;
}

function drawTitle({ entry, kind, words, warning }) {
  const title = document.getElementById("step");
  if (entry.state.step === "closer" || !entry.open) {
    setText(title, warning || words.closer);
    return;
  }
  const { name } = entry.open;
  const [before, after = ""] = kind.title(entry.open).split("{name}");
  if (title.textContent !== before + name + after) title.replaceChildren(before, piece("b", "", name), after);
}

// Draws the error of the open hand, and its keys.
export function drawTools(pad, seat) {
  const { view } = pad.entry.state;
  const printed = document.getElementById(`${seat.button.dataset.field}-error`);
  const isPrinted = seat.field.value === seat.field.defaultValue && printed?.textContent;
  say(pad.one("[data-wrong]"), pad.warning || isPrinted || pad.kind.wrong(seat) || "");
  for (const button of pad.all("[data-way]"))
    button.ariaPressed = String(button.dataset.way === pad.kind.way(seat));
  pad.one("[data-keys]")?.toggleAttribute("hidden", view !== "cards");
  pad.one("[data-digits]").hidden = view !== "digits";
  const { begun = null, isMinus } = pad.entry.state;
  pad.one("[data-erase]").ariaDisabled = String(!pad.entry.hand && !isMinus && begun === null);
  setText(pad.one("[data-note]"), pad.warning ? "" : pad.kind.note(seat));
}

// Draws the large figure of the open hand, and the new total.
export function drawSum(pad, seat) {
  const { entry, words, kind } = pad;
  const [sum, to] = pad.one("[data-sum]").children;
  drawName(pad.one("[data-whose]"), seat);
  const after = entry.isMissing(seat) ? null : entry.after(seat);
  const tone = entry.tone(seat);
  const total = totalText(entry, seat);
  const most = mark(pad, seat);
  const points = figure(pad, seat);
  const sign = entry.state.isMinus ? "−" : "";
  setText(sum, entry.isMissing(seat) ? sign : most ? fill(words.up_to, { points }) : points);
  sum.classList.toggle("most", Boolean(most));
  const has = fill(words.has, { total });
  const bust = tone === "red" ? ` ${words.bust}` : "";
  const parts =
    after === null
      ? [later(pad, seat) || has, !later(pad, seat) && (kind.lacking(seat) || margin(pad, entry.total(seat)))]
      : [
          `${total} → ${most}${minus(entry.shown(after))}${bust}`,
          tone !== "red" && margin(pad, after),
          entry.isCloser(seat) && kind.closerState(),
        ];
  setText(to, parts.filter(Boolean).join(" · "));
  to.className = `to ${tone}`;
}

// Returns how far a total is from the limit or the target, in words.
function margin({ entry: { numbers }, words }, total) {
  const { limit, target = null, down } = numbers;
  const points = limit === null ? target - total : limit - total;
  if (total === null || down || (limit ?? target) === null || points <= 0) return "";
  return counted(words, "margin", points, { points: grouped(points) });
}

function drawDock(pad) {
  const { entry, one, facts, words } = pad;
  const isHands = entry.state.step === "hands";
  const next = isHands ? entry.nextMissing() : entry.open;
  one("[data-dock]").hidden = !isHands && !entry.state.closer;
  const before = entry.before();
  // Do not show two buttons that lead to the same hand.
  const isNowhere = before ? next === before : !entry.asksCloser || entry.isFixed;
  if (entry.isOwn) one("[data-previous]").ariaPressed = String(entry.isCloser(entry.seats[0]));
  one("[data-previous]").hidden = !isHands || isNowhere;
  label(one("[data-previous]"), before, words.own || words.back, words.previous);
  label(one("[data-go]"), next, facts.save, words.next, true);
}

// A name may be cut to fit the button, other text may not.
function label(button, seat, otherwise, template, isWhole = false) {
  const element = button.querySelector("span");
  const sentence = seat && fill(template, { name: seat.name });
  const text = seat ? (isWhole ? sentence : seat.name) : otherwise;
  setText(element, text);
  element.classList.toggle("name", Boolean(seat));
  element.title = seat ? text : "";
  button.ariaLabel = sentence || null;
}
