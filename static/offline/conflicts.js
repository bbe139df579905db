// The conflict page: what was refused and why, both versions of the game, and the buttons to decide.

import { counted, piece } from "../base/pieces.js";
import { compare } from "./comparing.js";
import { DECISIONS, decide as queue } from "./deciding.js";
import { reasonsOf, unsent } from "./entries.js";
import { aboutOf, dropping, link } from "./list.js";
import { addressOf } from "./opening.js";
import { person } from "./person.js";
import { outbox } from "./place.js";
import { flush } from "./sending.js";

/** @import { Fact, Held } from "./box.js" */

const section = document.getElementById("conflicts");

// What a person decides is about the events that the page showed.
/** @type {(held: Held, decision: (held: Held) => Fact[]) => Promise<void>} */
async function decide({ id, now }, decision) {
  await queue(person(), id, (held) => decision({ ...held, now }));
  await flush();
  await draw(true);
}

// Drop the first facts, which the site probably has already. They can be brought back.
/** @type {(held: Held, count: number) => Promise<void>} */
async function keepTheirs(held, count) {
  const [first, ...others] = held.facts.slice(0, count);
  const undone = section.querySelector("[data-dropped]");
  undone.querySelector("button").onclick = async () => {
    undone.hidden = true;
    await outbox.add(person(), first, held);
    for (const fact of others) await outbox.add(person(), fact);
    await draw();
  };
  undone.hidden = false;
  await decide(held, ({ facts }) => facts.slice(count));
}

// Have a button say what it does to the entries of others, and do it at the second tap.
function striking(button, count, strike) {
  button.onclick = () => {
    button.textContent = counted(section.dataset, "strikes", count);
    button.classList.add("danger");
    button.onclick = strike;
  };
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
  const { facts, here, there, title, recorded, late = false, gone = false } = held;
  const isTwo = Boolean(here?.length && there?.length);
  const shown = section.querySelector("template").content.firstElementChild.cloneNode(true);
  const one = (part) => shown.querySelector(`[data-${part}]`);
  if (title) one("title").textContent = title;
  one("why").textContent = reasonsOf(held).join(" ");
  one("ways").hidden = !isTwo;
  one("here").replaceChildren(...rows(here));
  one("there").replaceChildren(...rows(there));
  one("entries").replaceChildren(...entriesOf(held));
  one("typed").hidden = !facts[0].shown;
  const choices = {
    behind: isTwo && !recorded,
    instead: isTwo && !recorded,
    same: facts[0].kind === "guest",
    today: late,
    again: !isTwo && !recorded,
  };
  const choice = (name) => shown.querySelector(`[data-choice=${name}]`);
  for (const [name, isOffered] of Object.entries(choices)) {
    choice(name).hidden = !isOffered;
    choice(name).onclick = () => decide(held, DECISIONS[name]);
  }
  one("rescue").hidden = !gone;
  if (gone || facts[0].kind === "table") choice("drop").textContent = section.dataset.mine;
  if (isTwo) striking(choice("instead"), held.now - facts[0].after, choice("instead").onclick);
  const drop = () => decide(held, DECISIONS.drop);
  dropping(choice("drop"), facts.length, drop);
  if (isTwo) compareIn(shown, held).catch(() => {});
  return shown;
}

// Show both versions event by event, and below each choice the totals and money that it leads to.
/** @type {(shown: HTMLElement, held: Held) => Promise<void>} */
async function compareIn(shown, held) {
  const compared = await compare(held);
  if (!compared) return;
  const { now, same, why, page } = compared;
  held.now = now;
  for (const way of page.querySelectorAll("[data-way]")) {
    const { way: name, refused } = way.dataset;
    shown.querySelector(`[data-outcome=${name}]`).replaceChildren(...way.childNodes);
    const button = shown.querySelector(`[data-choice=${name}]`);
    if (button) button.disabled = refused !== undefined;
    way.remove();
  }
  const instead = shown.querySelector("[data-choice=instead]");
  striking(instead, now - held.facts[0].after, () => decide(held, DECISIONS.instead));
  const known = shown.querySelector("[data-choice=known]");
  known.hidden = held.recorded || !same;
  known.onclick = () => keepTheirs(held, same);
  if (!held.recorded) shown.querySelector("[data-why]").textContent = why;
  shown.querySelector("[data-versions]").replaceChildren(...page.children);
  shown.querySelector("[data-ways]").hidden = true;
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
