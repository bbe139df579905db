// What the site has not heard of goes up, in order, as soon as it can be reached: as facts, which need
// neither a page nor the engine. Each has a key or stands for itself, so that what is sent twice is done
// once. What the site would not do is held: somebody has to look at it. Loaded into the service worker, so no
// module.

/** @import { Fact, Held } from "./box.js" */

/**
 * @typedef {object} Sending
 * @property {() => Promise<void>} send all that waits, of whoever is signed in
 * @property {() => Promise<void>} refresh the copy, where all that waited is done
 */

/** @type {Sending} */
self.sending = (() => {
  const COPY = "/pocket/";
  const MOST = 200; // facts in one go
  const PATIENCE = 30000;
  let going = null;

  const fetched = (address, options = {}) =>
    fetch(address, { ...options, signal: AbortSignal.timeout(PATIENCE) });

  async function asked(address, options) {
    const answer = await fetched(address, { ...options, redirect: "error" }).catch(() => null);
    return answer?.ok ? answer.json().catch(() => null) : null;
  }

  // What became of each; null where the site does not say. A game that goes there by another code is
  // followed.
  async function post(facts, { token, person }) {
    const answers = [];
    const moved = {};
    for (let from = 0; from < facts.length; from += MOST) {
      const part = facts
        .slice(from, from + MOST)
        .map((fact) => (moved[fact.game] ? { ...fact, game: moved[fact.game] } : fact));
      const told = await asked(COPY, {
        method: "POST",
        body: JSON.stringify({ person, facts: part }),
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      });
      if (!told) return null;
      for (const [place, { game, status }] of told.answers.entries()) {
        if (status === "done" && game && game !== part[place].game) moved[part[place].game] = game;
      }
      answers.push(...told.answers);
    }
    return { answers, moved };
  }

  function isBehind(fact, first) {
    if (fact.table !== first.table) return false;
    return first.kind === "guest" || (fact.game ? fact.game === first.game : fact.key === first.key);
  }

  // What was not done: each fact that was refused, with those that wait for it.
  /** @type {(facts: Fact[], answers: Record<string, any>[]) => Held[]} */
  function heldOf(facts, answers) {
    const groups = [];
    for (const [place, { status, ...why }] of answers.entries()) {
      if (status === "done") continue;
      const fact = why.game ? { ...facts[place], game: why.game } : facts[place];
      const group = groups.find(({ facts: [first] }) => isBehind(fact, first));
      if (group) group.facts.push(fact);
      else groups.push({ sentences: [], ...why, id: crypto.randomUUID(), table: fact.table, facts: [fact] });
    }
    return groups;
  }

  const same = (facts, others) => JSON.stringify(facts) === JSON.stringify(others);

  // The site has done what was sent: it leaves this phone with the copy that has it. What was entered
  // meanwhile is beyond that copy too: then all is sent once more.
  async function settle(person, facts, { answers, moved }) {
    const found = await fetched(COPY).catch(() => null);
    if (!found?.ok || found.redirected) return false;
    const about = self.box.about(found);
    const copy = await found.text();
    const key = self.box.keyOf(person);
    const held = heldOf(facts, answers);
    await self.box.change(["said", key], (said, unsent) => {
      if (!same(unsent?.facts, facts)) return null;
      const rest = { [key]: { facts: [], held: [...unsent.held, ...held] } };
      if (said?.person !== person) return rest;
      const settled = Date.now(); // the database is made anew, though the copy may be the same
      const now = { ...said, ...about, settled, places: [], moved: { ...said.moved, ...moved } };
      return { ...rest, said: now, copy };
    });
    return true;
  }

  // What somebody has decided about.
  async function sendChosen(token, chosen) {
    const done = await post(chosen.facts, token);
    if (!done) return false;
    const key = self.box.keyOf(token.person);
    const rest = heldOf(chosen.facts, done.answers);
    return self.box.change(["said", key], (said, { facts, held }) => ({
      ...(said ? { said: { ...said, moved: { ...said.moved, ...done.moved } } } : {}),
      [key]: { facts, held: held.flatMap((one) => (one.id === chosen.id ? rest : [one])) },
    }));
  }

  async function sendAll() {
    const waiting = await self.box.waiting();
    const token = waiting.length ? await asked("/token/") : null;
    if (!token?.token || !waiting.includes(token.person)) return;
    let isNews = false;
    for (let isGoing = true; isGoing; isNews ||= isGoing) {
      const { facts, held } = await self.box.unsent(token.person);
      const chosen = held.find((one) => one.chosen);
      if (!facts.length && !chosen) break;
      const done = facts.length ? await post(facts, token) : null;
      if (facts.length) isGoing = Boolean(done) && (await settle(token.person, facts, done));
      else isGoing = await sendChosen(token, chosen);
    }
    if (!isNews) return;
    for (const client of await self.clients.matchAll({ type: "window" })) client.postMessage({ sent: true });
  }

  // The copy, where it changed, and when that was said. Who is let in no more has none.
  async function refresh() {
    const known = await self.box.get("said").catch(() => null);
    if (!known || known.places?.length || navigator.connection?.saveData) return;
    const found = await fetched(COPY);
    if (found.status >= 500) throw new Error(COPY);
    if (!found.ok || found.redirected) return void (await self.box.wipe());
    const about = self.box.about(found);
    const copy = await found.text();
    await self.box.change(["said"], (said) => {
      if (said?.settled !== known.settled || said?.places?.length) return null; // taken away, or newer
      return { said: { ...said, ...about }, ...(about.etag === said.etag ? {} : { copy }) };
    });
  }

  return {
    send() {
      going ??= sendAll().finally(() => {
        going = null;
      });
      return going;
    },
    refresh,
  };
})();
