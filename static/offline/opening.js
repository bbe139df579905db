// Opening a refused entry of this page's game: on the pad, or on the page that corrects the round.

import { fill, piece } from "../base/pieces.js";
import { pending } from "../play/course.js";
import { replace } from "./keeping.js";
import { choice, dropChoice, fillList } from "./list.js";
import { begin, load, ready } from "./onpad.js";
import { pad, queue } from "./place.js";

/** @import { Waiting } from "./queue.js" */

let edited = null; // the round to show on the correction page

export function listEntries({ here, one, entries, isStopped }) {
  const { refused, one: single, many } = here.dataset;
  const count = entries.length;
  const counted = count === 1 ? single : count ? fill(many, { count }) : "";
  one("count").textContent = isStopped ? refused : counted;
  fillList(here, one("items"), entries, choicesFor);
}

// The buttons of a refused entry, or of one behind it: open it on the pad with the game as it is now, or
// drop it. A round that was recorded before with other hands, whose answer was lost, opens on its correction
// page.
function choicesFor(here, entry) {
  const drop = dropChoice(here, entry);
  if (!entry.round) return [drop];
  if (entry.recorded) return [correction(here, entry), drop];
  return pad() ? [choice(here.dataset.open, () => openOnPad(here, entry)), drop] : [drop];
}

async function openOnPad(here, entry) {
  const numbers = await queue.numbers(entry.game);
  const isNone = numbers.over || pending(numbers).length; // no round can be entered now
  if (isNone) return location.assign(here.dataset.sheet);
  if (entry.held) await stay(entry);
  await begin(here, numbers);
  replace(pad(), entry);
  return load(entry.round);
}

// Hold an entry that would be released in a moment while it is open.
/** @type {(entry: Waiting) => Promise<void>} */
const stay = ({ stopped, ...entry }) => queue.add({ ...entry, seen: entry.seen ?? entry.held, held: true });

function correction(here, entry) {
  const link = piece("a", "btn text", here.dataset.open);
  link.href = `/g/${entry.game}/correct/${entry.recorded}/`;
  link.onclick = () => {
    edited = { round: entry.round, address: link.pathname };
  };
  return link;
}

async function hearArrival() {
  if (!edited || pad()?.getAttribute("action") !== edited.address) return;
  const { round } = edited;
  edited = null;
  await ready(pad());
  pad().dispatchEvent(new CustomEvent("pad:edit", { detail: round }));
}

document.addEventListener("htmx:load", hearArrival);
