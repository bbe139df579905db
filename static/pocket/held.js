// The conflict page: both versions of a game, and the buttons to decide between them. Nothing is recorded
// after or instead of what others recorded until a person decides.

import { warnings } from "../base/page.js";
import { fill, piece } from "../base/pieces.js";
import { newKey } from "../offline/keeping.js";
import { send, unsent } from "./carried.js";

/** @import { Fact, Held } from "./box.js" */

const section = document.getElementById("held");

// The facts renumbered to follow `by` more events, with their references to one another.
/** @type {(held: Held, by: number) => Fact[]} */
function shifted({ facts }, by) {
  const [{ after: base }] = facts;
  const moved = ({ number, ...data }) =>
    number > base ? { ...data, number: number + by } : { ...data, number };
  return facts.map((fact) => ({
    ...fact,
    ...("after" in fact ? { after: fact.after + by } : {}),
    ...("events" in fact
      ? {
          events: fact.events.map((event) =>
            "number" in event.data ? { ...event, data: moved(event.data) } : event,
          ),
        }
      : {}),
  }));
}

// A fact that strikes what others recorded since, the last event first.
/** @type {(held: Held) => Fact} */
function strikes({ facts, now }) {
  const { table, game, at, after } = facts[0];
  const numbers = Array.from({ length: now - after }, (_, place) => now - place);
  const events = numbers.map((number) => ({ kind: "struck", data: { number } }));
  return { kind: "record", table, game, at, after: now, key: newKey(), events };
}

/** @type {Record<string, (held: Held) => Fact[]>} the facts to send for each choice */
const CHOICES = {
  behind: (held) => shifted(held, held.now - held.facts[0].after),
  instead: (held) => [strikes(held), ...shifted(held, 2 * (held.now - held.facts[0].after))],
  same: ({ facts }) => facts.slice(1),
  again: ({ facts }) => facts,
};

async function decide(held, facts) {
  const copyState = await self.box.get("said");
  const key = self.box.keyOf(copyState.person);
  await self.box.change([key], (known) => ({
    [key]: {
      ...known,
      held: known.held.flatMap((one) => {
        if (one.id !== held.id) return [one];
        return facts.length ? [{ ...one, chosen: facts }] : [];
      }),
    },
  }));
  await send();
  draw();
}

const rows = (sentences) => sentences.map((sentence) => piece("li", "", sentence));

function article(held) {
  const { facts, sentences, here, there, title } = held;
  const [{ kind }] = facts;
  const shown = section.querySelector("template").content.firstElementChild.cloneNode(true);
  const one = (part) => shown.querySelector(`[data-${part}]`);
  const isTwo = Boolean(here?.length && there?.length);
  if (title) one("title").textContent = title;
  one("why").textContent = held.chosen ? section.dataset.unsent : sentences.join(" ") || warnings().broken;
  one("ways").hidden = !isTwo || Boolean(held.chosen); // after the decision it is only sent
  one("here").replaceChildren(...rows(here ?? []));
  one("there").replaceChildren(...rows(there ?? []));
  shown.querySelector("[data-choice=same]").hidden = kind !== "guest" || Boolean(held.chosen);
  shown.querySelector("[data-choice=again]").hidden = isTwo || Boolean(held.chosen);
  for (const [name, factsOf] of Object.entries(CHOICES)) {
    shown.querySelector(`[data-choice=${name}]`).onclick = () => decide(held, factsOf(held));
  }
  const drop = shown.querySelector("[data-choice=drop]");
  drop.onclick = () => {
    drop.textContent = fill(drop.dataset.sure, { count: facts.length });
    drop.onclick = () => decide(held, []);
  };
  return shown;
}

async function draw() {
  const { held } = await unsent();
  for (const shown of section.querySelectorAll("article")) shown.remove();
  section.append(...held.map(article));
  section.querySelector(":scope > p").hidden = Boolean(held.length);
}

navigator.serviceWorker.addEventListener("message", ({ data }) => data.sent && draw());
draw();
