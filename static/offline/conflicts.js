// The conflict page: what was refused and why, both versions of the game, and the buttons to decide.

import { fill, piece } from "../base/pieces.js";
import { DECISIONS } from "./deciding.js";
import { reasonsOf, unsent } from "./entries.js";
import { aboutOf, link } from "./list.js";
import { addressOf } from "./opening.js";
import { person } from "./person.js";
import { outbox } from "./place.js";
import { flush } from "./sending.js";

/** @import { Held } from "./box.js" */

const section = document.getElementById("conflicts");

async function decide({ id }, decision) {
  await outbox.decide(person(), id, decision);
  await flush();
  await draw(true);
}

// What is lost is said first, and dropped at the second tap.
function dropAtSecondTap(button, held, decision, count) {
  button.onclick = () => {
    button.textContent = fill(section.dataset.sure, { count });
    button.onclick = () => decide(held, decision);
  };
}

const rows = (sentences = []) => sentences.map((sentence) => piece("li", "", sentence));

// The entries of forms: the first can be opened, and dropped without those behind it.
/** @param {Held} held */
function entriesOf(held) {
  const typed = held.facts.filter(({ shown }) => shown);
  return typed.map(({ form, shown: { title, detail } }, place) => {
    const row = piece("li", "", aboutOf(title, detail));
    if (place) return row;
    if (form === "round") row.append(link(section.dataset.open, addressOf(held)));
    if (typed.length === 1) return row;
    const drop = piece("button", "btn text", section.dataset.drop);
    dropAtSecondTap(drop, held, DECISIONS.first, 1);
    row.append(drop);
    return row;
  });
}

/** @param {Held} held */
function article(held) {
  const { facts, here, there, title, recorded } = held;
  const isTwo = Boolean(here?.length && there?.length);
  const shown = section.querySelector("template").content.firstElementChild.cloneNode(true);
  const one = (part) => shown.querySelector(`[data-${part}]`);
  if (title) one("title").textContent = title;
  one("why").textContent = reasonsOf(held).join(" ");
  one("ways").hidden = !isTwo;
  one("here").replaceChildren(...rows(here));
  one("there").replaceChildren(...rows(there));
  one("entries").replaceChildren(...entriesOf(held));
  one("entries").hidden = !facts[0].shown;
  const choices = {
    behind: isTwo && !recorded,
    instead: isTwo && !recorded,
    same: facts[0].kind === "guest",
    again: !isTwo && !recorded,
  };
  for (const [name, isOffered] of Object.entries(choices)) {
    const button = shown.querySelector(`[data-choice=${name}]`);
    button.hidden = !isOffered;
    button.onclick = () => decide(held, DECISIONS[name]);
  }
  dropAtSecondTap(shown.querySelector("[data-choice=drop]"), held, DECISIONS.drop, facts.length);
  return shown;
}

// After an attempt to send, what still waits has no connection.
async function draw(isTried = false) {
  const { held, queued } = await unsent();
  for (const shown of section.querySelectorAll("article")) shown.remove();
  section.append(...held.map(article));
  section.querySelector("[data-none]").hidden = Boolean(held.length || queued.length);
  section.querySelector("[data-unsent]").hidden = !(isTried && queued.length);
}

outbox.heard(({ reached }) => reached || draw());
draw();
