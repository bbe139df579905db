// The outbox: one sender for all unsent facts (box.js), those of forms that waited and those of the carried
// app. Facts are sent in order, as soon as the site can be reached. Each has a key or identifies itself, so
// a fact sent twice is recorded once. A refused fact becomes a conflict, and holds back those behind it,
// until a person decides (conflicts.js). Pages and the service worker both load this, so it is no module.

/** @import { Fact, Held, Unsent } from "./box.js" */

/**
 * @typedef {object} Outbox
 * @property {() => string} newKey
 * @property {(entry: Typed) => Fact} factOf
 * @property {(person: string, fact: Fact, why?: Partial<Held>) => Promise<boolean>} add queues a fact, or
 *   holds it for this reason
 * @property {(person: string, key: string) => Promise<boolean>} drop removes a fact from the queue; resolves
 *   to whether it was still there
 * @property {(person: string, act: (unsent: Unsent) => { unsent: Unsent } | null) => Promise<boolean>} change
 *   changes the unsent facts; resolves to whether `act` returned any
 * @property {() => Promise<number>} send resolves to how many facts wait that this phone can send now
 * @property {() => Promise<void>} refresh fetches the copy of a carried app that has no unsent facts
 * @property {(person: string) => Promise<void>} wipe
 * @property {(listener: (news: News) => void) => void} heard
 *
 * An entry of a form. Its address, below its game or table, tells which form it is.
 * @typedef {object} Typed
 * @property {string} address
 * @property {Record<string, any>} fields
 * @property {number} after the number of the last event that the person had seen
 * @property {string} key
 * @property {number} [at] when it was saved
 *
 * A token against forgery, and the mark of the person who is signed in.
 * @typedef {{ token?: string, person?: string }} Token
 *
 * News for listeners: the server was reached, facts were sent, or, without either, the unsent facts changed.
 * @typedef {{ reached?: boolean, sent?: boolean }} News
 */

/** @type {Outbox} */
self.outbox = (() => {
  const MOST = 200; // facts in one request: games/pocket/taking.py
  const SITE = "/pocket/";
  const PATIENCE = 30000;
  const GONE = [401, 403, 404];
  const OF_MONEY = ["payment", "tick", "paid", "turned"];
  const channel = self.BroadcastChannel && new BroadcastChannel("queue");
  const listeners = [];
  let turn = Promise.resolve();

  // Run one at a time over all pages and the worker, also those of older releases. Without locks the keys
  // prevent doubles.
  function alone(act) {
    if (navigator.locks) return navigator.locks.request("queue", act);
    turn = turn.catch(() => {}).then(act);
    return turn;
  }

  /** @param {News} news */
  function tell(news = {}) {
    channel?.postMessage(news);
    for (const listener of listeners) listener(news);
  }
  if (channel)
    channel.onmessage = ({ data }) => {
      for (const listener of listeners) listener(data);
    };

  const newKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12))));

  /** @param {Typed} entry */
  function factOf({ address, fields, after, key, at = Date.now() }) {
    const [, place, code, dues] = /^\/([gt])\/([\w-]+)\/(dues)?/.exec(address);
    const table = place === "t" ? code : "";
    const game = table ? "" : code;
    const form = table ? "payment" : dues ? "tick" : fields.answer ? "reentry" : "round";
    return { kind: "typed", form, table, game, fields, after, key, at: new Date(at).toISOString() };
  }

  // --- conflicts ----------------------------------------------------------------------------------------

  // Facts of one game wait for each other, and so do a payment and its steps.
  const lineOf = ({ kind, form = kind, game, key }) => (OF_MONEY.includes(form) ? key : game);

  // A new member holds back the whole table, and so does the table itself.
  const isBehind = (fact, first) =>
    /table|guest/.test(first.kind) ? fact.table === first.table : lineOf(fact) === lineOf(first);

  const conflictOf = (held, fact) => held.find(({ facts: [first] }) => isBehind(fact, first));

  // The facts that wait for none of these conflicts; the others join theirs.
  const free = (facts, held) =>
    facts.filter((fact) => {
      const conflict = conflictOf(held, fact);
      conflict?.facts.push(fact);
      return !conflict;
    });

  // Most have no `wait`, which is in seconds.
  const hold = (fact, why) => {
    const until = Date.now() + 1000 * why.wait;
    return { sentences: [], ...why, until, id: newKey(), facts: [fact] };
  };

  /** @type {(unsent: Unsent, fact: Fact, why?: Partial<Held>) => Unsent} */
  const added = ({ facts, queued, held }, fact, why) =>
    why
      ? { facts, queued, held: [...held, hold(fact, why)] }
      : { facts, held, queued: [...queued, ...free([fact], held)] };

  async function change(person, act) {
    const isChanged = await self.box.changeUnsent(person, act);
    tell();
    return isChanged;
  }

  const add = (person, fact, why) => change(person, (unsent) => ({ unsent: added(unsent, fact, why) }));

  // A fact that is being sent is not removed before its answer.
  function drop(person, key) {
    const without = ({ queued, ...others }) => {
      const left = queued.filter((fact) => fact.key !== key);
      return left.length < queued.length ? { unsent: { ...others, queued: left } } : null;
    };
    return alone(() => change(person, without));
  }

  // --- sending ------------------------------------------------------------------------------------------

  // An old browser without such signals waits as long as it likes.
  const fetched = (address, options = {}) =>
    fetch(address, { ...options, redirect: "error", signal: AbortSignal.timeout?.(PATIENCE) });

  const read = (answer) => answer.json().catch(() => ({}));
  /** @type {() => Promise<Token>} */
  const token = () => fetched("/token/").then(read, () => ({}));

  // Send facts and return the answers, perhaps only to the first of them; none without a connection.
  // Anything but answers counts as no connection: the sign-in page of a hotel network says 200 to
  // everything. After a status 500 the first fact is sent alone. If that breaks the site again, it is held.
  async function post(facts, who) {
    const sent = facts.slice(0, MOST).map(({ shown, ...fact }) => fact);
    /** @type {any} */
    const answer = await fetched(SITE, {
      method: "POST",
      body: JSON.stringify({ person: who.person, facts: sent }),
      headers: { "Content-Type": "application/json", "X-CSRFToken": who.token },
    }).catch(() => ({}));
    if (answer.status !== 500) return (answer.ok && (await read(answer)).answers) || [];
    return facts.length > 1 ? post(facts.slice(0, 1), who) : [{ status: "held", broken: true }];
  }

  const textOf = (fact) => JSON.stringify(fact);
  const same = (facts, others) => textOf(facts) === textOf(others);

  // The fact with the site's codes of its game and table.
  const follow = (moved) => (fact) => {
    const { game, table } = fact;
    return { ...fact, game: moved[game] ?? game, table: moved[table] ?? table };
  };

  // What follows from the answers: the facts that need not be sent again, the conflicts, and the site's
  // codes of games and tables that have another one there.
  function outcome(facts, answers) {
    const gone = new Set();
    const held = [];
    const moved = {};
    for (const [place, { status, numbers, ...why }] of answers.entries()) {
      const fact = facts[place];
      for (const place of ["game", "table"])
        if (status === "done" && why[place] && why[place] !== fact[place]) moved[fact[place]] = why[place];
      const there = follow(moved)(fact);
      if (status === "held") held.push(hold(there, why));
      // the site may have put it behind a fact that it could not read
      if (status === "waits" && free([there], held).length) continue;
      gone.add(textOf(fact));
    }
    return { gone, held, moved };
  }

  // Store the answers, and remove the recorded facts. Those of the carried app are removed together with
  // storing the copy that contains them. If it recorded more meanwhile that copy lacks them: then all are
  // sent again. Returns false without a connection.
  async function settle(person, { queued, facts }, answers) {
    const isOfApp = answers.length > queued.length;
    const response = isOfApp ? await fetched(SITE).catch(() => null) : null;
    if (isOfApp && !response?.ok) return false;
    const copy = await response?.text();
    const { gone, held, moved } = outcome([...queued, ...facts], answers);
    const left = (known) => free(known.filter((fact) => !gone.has(textOf(fact))).map(follow(moved)), held);
    for (const [place, { numbers }] of answers.entries())
      if (numbers) await self.box.know(queued[place].game, numbers);
    await self.box.changeUnsent(person, (now, copyState) => {
      if (isOfApp && !same(now.facts, facts)) return null;
      const unsent = {
        queued: left(now.queued),
        facts: isOfApp ? left(now.facts) : now.facts,
        held: [...now.held, ...held],
      };
      if (copyState?.person !== person) return { unsent };
      const said = { ...copyState, moved: { ...copyState.moved, ...moved } };
      if (!isOfApp) return { unsent, said };
      Object.assign(said, self.box.about(response));
      said.settled = Date.now(); // the database is made again even if the copy is the same
      if (!unsent.facts.length) said.places = [];
      return { unsent, said, copy };
    });
    return true;
  }

  async function sendSome(who) {
    const unsent = await self.box.unsent(who.person);
    const answers = await post([...unsent.queued, ...unsent.facts], who);
    return answers.length > 0 && (await settle(who.person, unsent, answers));
  }

  // Send what waits. Only facts of the person who is signed in are sent: the others wait until their person
  // is back.
  function send() {
    return alone(async () => {
      await self.older?.takeOver().catch(() => {});
      const counts = await self.box.waiting();
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
      const who = all ? await token() : {};
      if (!who.token) return all;
      tell({ reached: true });
      let isNews = false;
      while ((await self.box.waiting())[who.person] && (await sendSome(who))) isNews = true;
      if (isNews) await refresh().catch(() => {}); // no copy has the facts of conflicts yet
      if (isNews) tell({ sent: true });
      return (await self.box.waiting())[who.person] ?? 0;
    });
  }

  // Fetch the copy and its time. A person without access has no copy; any other refusal leaves the copy.
  async function refresh() {
    const known = await self.box.get("said").catch(() => null);
    if (!known || known.places?.length || navigator.connection?.saveData) return;
    const response = await fetch(SITE, { signal: AbortSignal.timeout(PATIENCE) });
    if (response.redirected || GONE.includes(response.status)) return void (await self.box.wipe());
    if (!response.ok) throw new Error(SITE);
    const about = self.box.about(response);
    const copy = await response.text();
    await self.box.change(["said"], (copyState) => {
      // removed, or newer
      if (copyState?.settled !== known.settled || copyState?.places?.length) return null;
      return { said: { ...copyState, ...about }, ...(about.etag === copyState.etag ? {} : { copy }) };
    });
  }

  async function wipe(person) {
    await alone(() => self.box.wipe(person));
    tell();
  }

  return {
    newKey,
    factOf,
    add,
    drop,
    change,
    send,
    refresh,
    wipe,
    heard: (listener) => listeners.push(listener),
  };
})();
