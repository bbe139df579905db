// What the site has not heard of goes up, in order, as soon as it can be reached: as facts, which need
// neither a page nor the engine. Each has a key or stands for itself, so that what is sent twice is done
// once. What the site would not do is held: somebody has to look at it. Loaded into the service worker, so
// no module.

/** @import { Fact, Held } from "./box.js" */

/**
 * What the site says of facts.
 * @typedef {{ answers: Record<string, any>[], moved: Record<string, string> }} Done
 */

/**
 * @typedef {object} Sending
 * @property {() => Promise<void>} send all that waits, of whoever is signed in
 * @property {() => Promise<void>} refresh the copy, where all that waited is done
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

  // What was not done: each fact that was refused, with those that wait for it; and what is still to be
  // sent.
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

  // The site has done what was sent: it leaves this phone with the copy that has it. What was entered
  // meanwhile is beyond that copy too: then all is sent once more.
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
      const settled = Date.now(); // the database is made anew, though the copy may be the same
      const places = rest.length ? copyState.places : [];
      const now = { ...copyState, ...about, settled, places, moved: { ...copyState.moved, ...done.moved } };
      return { ...kept, said: now, copy };
    });
    return true;
  }

  // What somebody has decided about. Where nothing of it was done it stands as it was, with the new reason.
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
    await refresh().catch(() => {}); // what was chosen is in no copy yet
    for (const client of await self.clients.matchAll({ type: "window" })) client.postMessage({ sent: true });
  }

  // The copy, where it changed, and when that was said. Who is let in no more has none.
  async function refresh() {
    const known = await self.box.get("said").catch(() => null);
    if (!known || known.places?.length || navigator.connection?.saveData) return;
    const response = await fetched(COPY);
    if (response.status >= 500) throw new Error(COPY);
    if (!response.ok || response.redirected) return void (await self.box.wipe());
    const about = self.box.about(response);
    const copy = await response.text();
    await self.box.change(["said"], (copyState) => {
      // taken away, or newer
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
