// The list of waiting entries: what each is, why it was refused, and what the person can do about it.

import { counted, piece } from "../base/pieces.js";
import { addressOf, opened } from "./onpad.js";
import { person } from "./person.js";
import { outbox, words } from "./place.js";
import { flush } from "./sending.js";

/** @import { Entry } from "./entries.js" */

// List the entries of all games, on pages that need no access. Payments can be dropped while they wait.
export function presentAll(here, entries) {
  const drop = ({ key }) => dropping(() => outbox.drop(person(), key));
  const rows = rowsOf(entries, (entry) => (entry.game ? [] : [drop(entry)]));
  here.querySelector("ul").replaceChildren(...rows);
  here.querySelector("textarea").value = entries.map(textOf).join("\n");
  here.hidden = !rows.length;
}

// An entry as a line that a person can read and enter elsewhere.
/** @param {Entry} entry */
function textOf({ fact, title, detail }) {
  const when = new Date(fact.at).toLocaleString(document.documentElement.lang, { hourCycle: "h23" });
  const where = new URL(fact.game ? `/g/${fact.game}/` : `/t/${fact.table}/`, location.href);
  return [when, title, detail, where].join(" · ");
}

/** @param {Entry[]} entries */
export function rowsOf(entries, choices = (_entry) => []) {
  return entries.map((entry) => {
    const { title, detail, held, refused } = entry;
    const about = piece("span", "grow", piece("b", "", title), piece("span", "sub", detail));
    about.append(...refused.map((sentence) => piece("span", "wrong", sentence)));
    const decisions = refused.length ? decisionsOf(entry) : [];
    return piece("li", "", about, ...(held ? decisions : choices(entry)));
  });
}

// A refused round can be opened on the pad, anything else sent again as it is, and all can be deleted.
/** @param {Entry} entry */
function decisionsOf({ fact, key }) {
  const decide = (instead) => outbox.decide(person(), key, instead).then(flush);
  return [fact.form === "round" ? opening(fact) : again(fact, decide), dropping(() => decide())];
}

function opening(fact) {
  const link = piece("a", "btn text", words().open);
  link.href = addressOf(fact);
  link.setAttribute("hx-boost", "false");
  link.onclick = (event) => {
    if (opened(fact)) event.preventDefault();
  };
  return link;
}

// A key that belongs to something else gets a sign: the same one on every page, so that two taps are one
// payment. A question is answered with yes.
/** @type {(fact: import("./box.js").Fact, decide: (instead: object) => Promise<unknown>) => Element} */
function again({ refused, ...fact }, decide) {
  const { used, sure } = refused ?? {};
  const button = piece("button", "btn text", sure ? words().yes : words().again);
  const fields = sure ? { ...fact.fields, sure } : fact.fields;
  button.onclick = () => decide({ ...fact, fields, key: used ? `${fact.key}+` : fact.key });
  return button;
}

// A button that says first that the entry is lost, and drops it at the second tap.
function dropping(drop) {
  const button = piece("button", "btn text", words().drop);
  button.onclick = () => {
    button.textContent = counted(words(), "sure", 1);
    button.onclick = drop;
  };
  return button;
}
