// What waits, one by one: what it is, why it was refused, and what can be done about it.

import { fill, piece } from "../base/pieces.js";
import { warnings } from "../base/page.js";
import { pending } from "../play/course.js";
import { replace } from "./keeping.js";
import { begin, load, ready } from "./onpad.js";
import { pad, placeOf, queue } from "./place.js";
import { flush } from "./sending.js";

/** @import { Waiting } from "./queue.js" */

const GRACE = 5000; // as long as what was dropped can come back before those behind it go on

let edited = null; // what is on its way to the page that corrects it

export function listEntries({ here, one, entries, isStopped }) {
  const { refused, one: single, many } = here.dataset;
  const count = entries.length;
  const counted = count === 1 ? single : count ? fill(many, { count }) : "";
  one("count").textContent = isStopped ? refused : counted;
  fillList(here, one("items"), entries, choicesFor);
}

// On the first page of the app, which needs no grant: what waits of every game, to be dropped where nobody
// can open it.
export function presentAll(here, entries) {
  fillList(here, here.querySelector("ul"), entries, (place, entry) => [dropChoice(place, entry)]);
  here.hidden = !entries.length && !placeOf(here).dropped;
}

function fillList(here, list, entries, choices) {
  const rows = entries.map((entry) => {
    const about = aboutOf(entry.title, entry.detail);
    for (const sentence of sentencesOf(entry)) about.append(piece("span", "wrong", sentence));
    const isOpen = entry.stopped || entry.fact;
    return piece("li", "", about, ...againChoice(here, entry), ...(isOpen ? choices(here, entry) : []));
  });
  const { dropped } = placeOf(here);
  if (dropped) {
    const about = aboutOf(dropped.title, here.dataset.dropped);
    rows.push(piece("li", "", about, undoChoice(here, dropped)));
  }
  list.replaceChildren(...rows);
  list.hidden = !rows.length;
  window.htmx.process(list);
}

const aboutOf = (title, detail) => piece("span", "grow", piece("b", "", title), piece("span", "sub", detail));

// Why it was refused. A server that broke down may not have found words for it.
const sentencesOf = ({ refused = [], broken }) => (broken && !refused.length ? [warnings().broken] : refused);

function choice(label, act) {
  const button = piece("button", "btn text", label);
  button.onclick = act;
  return button;
}

function dropChoice(here, entry) {
  const known = placeOf(here);
  return choice(here.dataset.drop, async () => {
    localStorage.removeItem(`draft:${entry.game}:${entry.after + 1}`); // begun on top of it
    const seen = entry.recorded ?? entry.seen ?? entry.held;
    const isTaken = await queue.drop(entry, null, { seen, now: seen });
    if (isTaken) known.dropped = entry; // read once what waits was looked up
    setTimeout(async () => {
      if (await queue.release()) known.dropped = null;
    }, GRACE);
  });
}

/** @type {(here: HTMLElement, dropped: Waiting) => HTMLElement} */
const undoChoice = (here, { stopped, ...entry }) =>
  choice(here.dataset.undo, () => {
    placeOf(here).dropped = null;
    queue.add(entry);
  });

// What was refused for nothing in the game, a fact or what broke something on the server, can be sent once
// more as it is.
function againChoice(here, entry) {
  if (!entry.refused || !(entry.fact || entry.broken)) return [];
  return [choice(here.dataset.again, () => queue.again(entry).then(flush))];
}

// A refused entry, or one behind it, is looked at: opened on the pad against the game as it is, or dropped.
// One that is recorded already with other hands, its answer got lost, is opened where the round is corrected.
function choicesFor(here, entry) {
  const drop = dropChoice(here, entry);
  if (!entry.round) return [drop];
  if (entry.recorded) return [correction(here, entry), drop];
  return pad() ? [choice(here.dataset.open, () => openOnPad(here, entry)), drop] : [drop];
}

async function openOnPad(here, entry) {
  const numbers = await queue.numbers(entry.game);
  const isNone = numbers.over || pending(numbers).length; // there is no next round now
  if (isNone) return location.assign(here.dataset.sheet);
  if (entry.held) await stay(entry);
  await begin(here, numbers);
  replace(pad(), entry);
  return load(entry.round);
}

// What would go on by itself in a moment stays while it is being looked at.
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
