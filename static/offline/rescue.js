// The rescue file: what waits on this phone, saved as a file, and the file of another phone, whose entries
// join this phone's outbox and are sent like its own, once the server has read the whole file.

import { download, filesOf } from "../base/files.js";
import { counted } from "../base/pieces.js";
import { unsent } from "./entries.js";
import { person } from "./person.js";
import { box, outbox, words } from "./place.js";
import { flush } from "./sending.js";
import { show } from "./toast.js";

/** @import { Fact, Unsent } from "./box.js" */

const FORMAT = "anotador-unsent"; // games/pocket/rescue.py
const VERSION = 1;
const WITH_TABLES = 2; // an older site says that the file is from a newer one
const LARGEST = 1_000_000;

const section = document.getElementById("rescue");
const one = (part) => section.querySelector(`[data-${part}]`);
/** @type {HTMLInputElement} */
const chosen = section.querySelector("input[type=file]");

// A fact as it is sent: without the words of this phone's pages.
/** @type {(fact: Fact) => Fact} */
const bare = ({ shown, brought, ...fact }) => fact;
/** @type {(unsent: Unsent) => Fact[]} */
const allOf = ({ queued, facts, held }) => [
  ...held.flatMap((conflict) => conflict.facts),
  ...queued,
  ...facts,
];

// --- saving -----------------------------------------------------------------------------------------------

/** @type {(facts: Fact[]) => File[]} */
function filesWith(facts) {
  const now = new Date().toISOString();
  const content = {
    format: FORMAT,
    version: facts.some(({ kind }) => kind === "table") ? WITH_TABLES : VERSION,
    person: person(),
    saved_at: now,
    facts: facts.map(bare),
  };
  return filesOf(JSON.stringify(content), `anotador-${now.slice(0, 10)}`);
}

function save(file) {
  download(file);
  one("saved").hidden = false;
}

async function presentOwn() {
  const facts = allOf(await unsent());
  one("own").hidden = !facts.length;
  one("none").hidden = Boolean(facts.length);
  if (!facts.length) return;
  one("count").textContent = counted(words(), "many", facts.length);
  const files = filesWith(facts);
  const shared = files.find((file) => navigator.canShare?.({ files: [file] }));
  one("hand").hidden = !shared;
  one("hand").onclick = () => navigator.share({ files: [shared] }).catch(() => {});
  one("save").onclick = () => save(files[0]);
}

// --- bringing ---------------------------------------------------------------------------------------------

function refuse(...sentences) {
  one("wrong").textContent = sentences.join(" ");
  chosen.ariaInvalid = sentences.length ? "true" : null;
}

async function preview(file) {
  one("contents").replaceChildren();
  one("outcome").hidden = true;
  refuse();
  const { dataset } = section;
  if (file.size > LARGEST) return refuse(dataset.large);
  const text = await file.text();
  const who = await (await fetch("/token/")).json();
  if (!who.person) return refuse(dataset.nobody);
  const answer = await fetch(dataset.preview, {
    method: "POST",
    body: text,
    headers: { "Content-Type": "application/json", "X-CSRFToken": who.token },
  });
  if (answer.status === 422) return refuse(...(await answer.json()).sentences);
  if (!answer.ok) throw new Error(dataset.preview);
  const page = new DOMParser()
    .parseFromString(await answer.text(), "text/html")
    .querySelector("[data-preview]");
  one("contents").append(page);
  const button = page.querySelector("[data-bring]");
  if (button) button.onclick = () => bring(who.person, JSON.parse(text).facts, "brought" in page.dataset);
}

// Queue the facts that do not wait here already, and send them.
async function bring(who, facts, isBrought) {
  const coming = isBrought ? facts.map((fact) => ({ ...fact, brought: true })) : facts;
  one("contents").replaceChildren();
  chosen.value = "";
  await box.changeUnsent(who, (known) => {
    const here = new Set(allOf(known).map((fact) => JSON.stringify(bare(fact))));
    const missing = coming.filter((fact) => !here.has(JSON.stringify(bare(fact))));
    return { unsent: { ...known, queued: [...known.queued, ...missing] } };
  });
  await flush();
  await presentOutcome(who);
}

async function presentOutcome(who) {
  const { queued, held } = await box.unsent(who);
  const refused = held.filter(({ facts: [first] }) => first.brought).length;
  const { dataset } = section;
  const text = refused ? counted(dataset, "refused", refused) : queued.length ? dataset.unsent : dataset.done;
  one("outcome").querySelector("p").textContent = text;
  one("outcome").querySelector("a").hidden = !refused;
  one("outcome").hidden = false;
}

function look() {
  const [file] = chosen.files;
  if (file) preview(file).catch(() => refuse(section.dataset.lost));
}

chosen.onchange = look;
look(); // a file that was chosen before this script was loaded
outbox.heard(({ reached }) => reached || presentOwn());
presentOwn();
show();
