// The list of waiting entries: what each is, and why it was refused.

import { piece } from "../base/pieces.js";
import { entriesIn, unsent } from "./entries.js";
import { person } from "./person.js";
import { outbox, words } from "./place.js";

/** @import { Entry } from "./entries.js" */

const GRACE = 5000; // a dropped entry can be restored for so long

/** @type {Entry | null} */
let dropped = null;

// List the entries of all games, on pages that need no grant. Payments can be dropped while they wait.
export function presentAll(here, entries) {
  const choices = (entry) => (entry.game ? [] : [dropChoice(here, entry)]);
  const rows = rowsOf(entries, choices);
  if (dropped) {
    const undo = choice(here.dataset.undo, () => restore(dropped));
    rows.push(piece("li", "", aboutOf(dropped.title, here.dataset.dropped), undo));
  }
  here.querySelector("ul").replaceChildren(...rows);
  here.hidden = !rows.length;
}

// A refused entry leads to the page where a person decides.
/** @param {Entry[]} entries */
export function rowsOf(entries, choices = (_entry) => []) {
  return entries.map((entry) => {
    const { title, detail, held, refused = [] } = entry;
    const about = aboutOf(title, detail);
    about.append(...refused.map((sentence) => piece("span", "wrong", sentence)));
    return piece("li", "", about, ...(held ? (refused.length ? [look()] : []) : choices(entry)));
  });
}

export const aboutOf = (title, detail) =>
  piece("span", "grow", piece("b", "", title), piece("span", "sub", detail));

export function link(label, address) {
  const made = piece("a", "btn text", label);
  made.href = address;
  return made;
}

const look = () => link(words().look, words().conflicts);

function choice(label, act) {
  const button = piece("button", "btn text", label);
  button.onclick = act;
  return button;
}

function dropChoice(here, entry) {
  return choice(here.dataset.drop, async () => {
    const isTaken = await outbox.drop(person(), entry.key);
    if (!isTaken) return;
    dropped = entry;
    const show = async () => presentAll(here, entriesIn(await unsent()));
    await show();
    setTimeout(() => {
      dropped = null;
      show();
    }, GRACE);
  });
}

function restore({ fact }) {
  dropped = null;
  outbox.add(person(), fact);
}
