// The list of waiting entries: what each is, and why it was refused.

import { counted, piece } from "../base/pieces.js";
import { person } from "./person.js";
import { CONFLICTS, outbox, words } from "./place.js";

/** @import { Entry } from "./entries.js" */

// List the entries of all games, on pages that need no grant. Payments can be dropped while they wait.
export function presentAll(here, entries) {
  const drop = ({ key }) => dropping(piece("button", "btn text"), 1, () => outbox.drop(person(), key));
  const rows = rowsOf(entries, (entry) => (entry.game ? [] : [drop(entry)]));
  here.querySelector("ul").replaceChildren(...rows);
  here.hidden = !rows.length;
}

// A refused entry leads to the page where a person decides.
/** @param {Entry[]} entries */
export function rowsOf(entries, choices = (_entry) => []) {
  return entries.map((entry) => {
    const { held, refused = [] } = entry;
    const about = aboutOf(entry);
    about.append(...refused.map((sentence) => piece("span", "wrong", sentence)));
    const look = refused.length ? [link(words().look, CONFLICTS)] : [];
    return piece("li", "", about, ...(held ? look : choices(entry)));
  });
}

export const aboutOf = ({ title, detail }) =>
  piece("span", "grow", piece("b", "", title), piece("span", "sub", detail));

export function link(label, address) {
  const made = piece("a", "btn text", label);
  made.href = address;
  made.setAttribute("hx-boost", "false");
  return made;
}

// Have a button say first how many entries are lost, and drop them at the second tap.
export function dropping(button, count, drop) {
  button.textContent ||= words().drop;
  button.onclick = () => {
    button.textContent = counted(words(), "sure", count);
    button.onclick = drop;
  };
  return button;
}
