// The sender of facts, in order, as soon as the site can be reached; it needs neither a page nor the engine.
// Each fact has a key or identifies itself, so a fact sent twice is recorded once. Refused facts become
// conflicts for a person to decide. Loaded into the service worker, so it is no module.

/** @import { Fact, Held } from "./box.js" */

/**
 * The answers to facts, and the site's codes of moved games.
 * @typedef {{ answers: Record<string, any>[], moved: Record<string, string> }} Done
 */

/**
 * @typedef {object} Sending
 * @property {() => Promise<void>} send sends all facts of the person who is signed in
 * @property {() => Promise<void>} refresh fetches the copy if no facts wait
 */

/** @type {Sending} */
self.sending = (() => {
  const COPY = "/pocket/";
  const PATIENCE = 30000;
  let going = null;

  const fetched = (address) => fetch(address, { signal: AbortSignal.timeout(PATIENCE) });

  // The outcome of the first of these facts, as many as the site took in one request; null without an
  // answer. Games that have another code at the site are followed.
  async function post(facts, who) {
    const answers = await self.queue.post(facts, who);
    const moved = {};
    for (const [place, { game, status }] of answers.entries()) {
      if (status === "done" && game && game !== facts[place].game) moved[facts[place].game] = game;
    }
    return answers.length ? { answers, moved } : null;
  }

  function isBehind(fact, first) {
    if (fact.table !== first.table) return false;
    return first.kind === "guest" || (fact.game ? fact.game === first.game : fact.key === first.key);
  }

  // The conflicts, each a refused fact with those that wait for it, and the facts still to be sent.
  /** @type {(facts: Fact[], done: Done) => [Held[], Fact[]]} */
  function left(facts, { answers, moved }) {
    const groups = [];
    for (const [place, { status, ...why }] of answers.entries()) {
      if (status === "done") continue;
      const fact = why.game ? { ...facts[place], game: why.game } : facts[place];
      const group = groups.find(({ facts: [first] }) => isBehind(fact, first));
      if (group) group.facts.push(fact);
      else groups.push({ sentences: [], ...why, id: crypto.randomUUID(), table: fact.table, facts: [fact] });
    }
    const later = facts
      .slice(answers.length)
      .map((fact) => (moved[fact.game] ? { ...fact, game: moved[fact.game] } : fact));
    const rest = later.filter((fact) => {
      const group = groups.find(({ facts: [first] }) => isBehind(fact, first));
      group?.facts.push(fact);
      return !group;
    });
    return [groups, rest];
  }

  const same = (facts, others) => JSON.stringify(facts) === JSON.stringify(others);

  // Remove recorded facts together with storing the copy that contains them. If facts were added meanwhile
  // that copy lacks them: then all are sent again.
  async function settle(person, facts, done) {
    const response = await fetched(COPY).catch(() => null);
    if (!response?.ok || response.redirected) return false;
    const about = self.box.about(response);
    const copy = await response.text();
    const key = self.box.keyOf(person);
    const [held, rest] = left(facts, done);
    await self.box.change(["said", key], (copyState, unsent) => {
      if (!same(unsent?.facts, facts)) return null;
      const kept = { [key]: { facts: rest, held: [...unsent.held, ...held] } };
      if (copyState?.person !== person) return kept;
      const settled = Date.now(); // the database is made again even if the copy is the same
      const places = rest.length ? copyState.places : [];
      const now = { ...copyState, ...about, settled, places, moved: { ...copyState.moved, ...done.moved } };
      return { ...kept, said: now, copy };
    });
    return true;
  }

  // Send the facts of a decision. If none was recorded the conflict stays, with the new reason.
  async function sendChosen(token, decided) {
    const done = await post(decided.chosen, token);
    if (!done) return false;
    const key = self.box.keyOf(token.person);
    const [[first, ...others], later] = left(decided.chosen, done);
    const isUndone = done.answers[0].status !== "done";
    const asBefore = () => ({ ...first, id: decided.id, facts: decided.facts });
    const further = later.length ? [{ ...decided, facts: later, chosen: later }] : [];
    const rest = isUndone ? [asBefore()] : [...(first ? [first] : []), ...others, ...further];
    return self.box.change(["said", key], (copyState, { facts, held }) => ({
      ...(copyState ? { said: { ...copyState, moved: { ...copyState.moved, ...done.moved } } } : {}),
      [key]: { facts, held: held.flatMap((one) => (one.id === decided.id ? rest : [one])) },
    }));
  }

  async function sendAll() {
    const waiting = await self.box.waiting();
    const token = waiting.length ? await self.queue.token() : null;
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
    await refresh().catch(() => {}); // no copy has these facts yet
    for (const client of await self.clients.matchAll({ type: "window" })) client.postMessage({ sent: true });
  }

  // Fetch the copy and its time. A person without access has no copy.
  async function refresh() {
    const known = await self.box.get("said").catch(() => null);
    if (!known || known.places?.length || navigator.connection?.saveData) return;
    const response = await fetched(COPY);
    if (response.status >= 500) throw new Error(COPY);
    if (!response.ok || response.redirected) return void (await self.box.wipe());
    const about = self.box.about(response);
    const copy = await response.text();
    await self.box.change(["said"], (copyState) => {
      // removed, or newer
      if (copyState?.settled !== known.settled || copyState?.places?.length) return null;
      return { said: { ...copyState, ...about }, ...(about.etag === copyState.etag ? {} : { copy }) };
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
