// The list of waiting entries: what each is, why it was refused, and buttons to drop it or send it again.

import { warnings } from "../base/page.js";
import { piece } from "../base/pieces.js";
import { placeOf, queue } from "./place.js";
import { flush } from "./sending.js";

/** @import { Waiting } from "./queue.js" */

const GRACE = 5000; // a dropped entry can be restored for so long; then those behind it go on

// List the entries of all games on the home page, which needs no grant: they can be dropped there even if
// their game cannot be opened.
export function presentAll(here, entries) {
  fillList(here, here.querySelector("ul"), entries, (place, entry) => [dropChoice(place, entry)]);
  here.hidden = !entries.length && !placeOf(here).dropped;
}

export function fillList(here, list, entries, choices) {
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

// The reasons of a refusal. A server that broke down gave none.
const sentencesOf = ({ refused = [], broken }) => (broken && !refused.length ? [warnings().broken] : refused);

export function choice(label, act) {
  const button = piece("button", "btn text", label);
  button.onclick = act;
  return button;
}

export function dropChoice(here, entry) {
  const known = placeOf(here);
  return choice(here.dataset.drop, async () => {
    localStorage.removeItem(`draft:${entry.game}:${entry.after + 1}`); // the draft of the next round
    const seen = entry.recorded ?? entry.seen ?? entry.held;
    const isTaken = await queue.drop(entry, null, { seen, now: seen });
    if (isTaken) known.dropped = entry; // is read after the entries
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

// A refused payment, and an entry that broke something on the server, can be sent again as they are.
function againChoice(here, entry) {
  if (!entry.refused || !(entry.fact || entry.broken)) return [];
  return [choice(here.dataset.again, () => queue.again(entry).then(flush))];
}
