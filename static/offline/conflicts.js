// The conflict page: what was refused and why, both versions of the game, and the buttons to decide.

import { piece } from "../base/pieces.js";
import { DECISIONS } from "./deciding.js";
import { reasonsOf, unsent } from "./entries.js";
import { aboutOf, dropping, link } from "./list.js";
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

const rows = (sentences = []) => sentences.map((sentence) => piece("li", "", sentence));

// The entries of forms: the first can be opened, and dropped without those behind it.
/** @param {Held} held */
function entriesOf(held) {
  const typed = held.facts.filter(({ shown }) => shown);
  return typed.map(({ form, shown }, place) => {
    const drop = () => decide(held, DECISIONS.first);
    const isFirst = place === 0;
    return piece(
      "li",
      "",
      aboutOf(shown),
      ...(isFirst && form === "round" ? [link(section.dataset.open, addressOf(held))] : []),
      ...(isFirst && typed.length > 1 ? [dropping(piece("button", "btn text"), 1, drop)] : []),
    );
  });
}

/** @param {Held} held */
function article(held) {
  const { facts, here, there, title, recorded, late = false } = held;
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
    today: late,
    again: !isTwo && !recorded,
  };
  for (const [name, isOffered] of Object.entries(choices)) {
    const button = shown.querySelector(`[data-choice=${name}]`);
    button.hidden = !isOffered;
    button.onclick = () => decide(held, DECISIONS[name]);
  }
  const drop = () => decide(held, DECISIONS.drop);
  dropping(shown.querySelector("[data-choice=drop]"), facts.length, drop);
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
