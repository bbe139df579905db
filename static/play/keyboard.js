// The pad by a keyboard: digits and cards, Enter for the next hand, Backspace and Delete. Loaded once the
// page is idle, or with the first key.

/** @import { Pad } from "./pad.js" */

/** @type {(pad: Pad, event: KeyboardEvent) => void} */
export function press(pad, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.toUpperCase();
  const { target } = event;
  const button = target instanceof Element && target.closest("a, button, input, summary");
  if (pad.entry.state.step !== "hands" || !type(pad, key, button)) return;
  event.preventDefault();
  if (key === "ENTER") return;
  const [points, total] = pad.one("[data-sum]").children;
  pad.tell(
    "typed",
    key,
    points.textContent,
    points.textContent && !total.matches(".red") ? "" : total.textContent,
  );
}

// Applies a key to the open hand; returns false if it has no meaning there.
function type(pad, key, button) {
  const { entry, kind } = pad;
  const isDigits = entry.state.view === "digits";
  if (key === "ENTER" && !button) pad.one("[data-go]").click();
  else if (key === "BACKSPACE") pad.erase();
  else if (key === "DELETE") pad.change(() => kind.clear());
  else if (isDigits && /^\d$/.test(key)) pad.change(() => entry.addDigit(key));
  else if (isDigits && key === "-" && pad.one("[data-minus]")) pad.change(() => entry.turnSign());
  else return !isDigits && kind.press(key);
  return true;
}
