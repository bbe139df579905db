// The outbox: one sender for all entries that wait (queue.js). They are sent in order, as soon as the site
// can be reached. Each has a key, so one sent twice is recorded once. A refused entry stays and holds back
// those of its game behind it, until a person decides. Pages and the service worker both load this, so it is
// no module.

/** @import { Fact, Refusal } from "./queue.js" */

/**
 * @typedef {object} Outbox
 * @property {() => string} newKey
 * @property {(person: string, fact: Fact, why?: Refusal) => Promise<boolean>} add
 * @property {(person: string, key: string) => Promise<boolean>} drop removes an entry that waits
 * @property {(person: string, key: string, instead?: Fact) => Promise<boolean>} decide
 *   replaces a refused entry, or removes it; resolves to whether it was still there
 * @property {() => Promise<number>} send resolves to how many entries wait that this phone can send now
 * @property {(person: string) => Promise<void>} wipe
 * @property {(listener: (news: News) => void) => void} heard
 *
 * A token against forgery, and the mark of the person who is signed in.
 * @typedef {{ token?: string, person?: string }} Token
 *
 * News for listeners: the server was reached and knows this phone as a person, or what waits has changed.
 * @typedef {{ reached?: boolean, person?: string }} News
 */

/** @type {Outbox} */
self.outbox = (() => {
  const MOST = 200; // entries in one request: games/play/presenters/offline_queue.py
  const SITE = "/waiting/";
  const PATIENCE = 30000;
  const channel = self.BroadcastChannel && new BroadcastChannel("waiting");
  const listeners = [];
  let turn = Promise.resolve();

  // Run one at a time over all pages and the worker. Without locks the keys prevent doubles.
  function alone(act) {
    if (navigator.locks) return navigator.locks.request("waiting", act);
    turn = turn.catch(() => {}).then(act);
    return turn;
  }

  /** @param {News} news */
  function tell(news = {}, isOurs = true) {
    if (isOurs) channel?.postMessage(news);
    for (const listener of listeners) listener(news);
  }
  channel?.addEventListener("message", ({ data }) => tell(data, false));

  const newKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(12))));

  async function change(person, act) {
    const isChanged = await self.box.change(person, act);
    tell();
    return isChanged;
  }

  // An own hand takes the place of the one before.
  function add(person, fact, refused) {
    const isBefore = ({ form, game }) => form === "hand" && fact.form === form && fact.game === game;
    const added = refused ? { ...fact, refused } : fact;
    return change(person, (facts) => [...facts.filter((one) => !isBefore(one)), added]);
  }

  // An entry that is being sent is not removed before its answer.
  const drop = (person, key) => alone(() => decide(person, key));

  // The entries of a game behind a refused one, once it is dropped or replaced: they follow the last event
  // that the person saw, or what replaces the refused one. If others recorded more than that one entry
  // since, one of their events may be an entry that waits here: then these keep their numbers, and the site
  // compares.
  /** @type {(behind: Fact[], seen: number, last: number) => Fact[]} */
  function followed(behind, seen, last) {
    const by = behind[0]?.after >= seen ? last - behind[0].after : 0;
    return behind.map((fact) => ({ ...fact, after: fact.after + by }));
  }

  async function decide(person, key, instead) {
    const { queueName } = self.box;
    const { game, after } = (await self.box.unsent(person)).find((fact) => fact.key === key) ?? {};
    const numbers = game && (await self.box.numbers(game));
    const seen = instead?.after ?? numbers?.after ?? after;
    return change(person, (facts) => {
      const place = facts.findIndex((fact) => fact.key === key);
      if (place < 0) return null;
      const line = queueName(facts[place]);
      const isBehind = (fact, number) => number > place && queueName(fact) === line;
      const behind = followed(facts.filter(isBehind), seen, instead ? seen + 1 : seen);
      const others = facts.filter((fact, number) => number !== place && !isBehind(fact, number));
      return [...others, ...(instead ? [instead] : []), ...behind];
    });
  }

  // An old browser without such signals waits as long as it likes.
  const fetched = (address, options = {}) =>
    fetch(address, { ...options, redirect: "error", signal: AbortSignal.timeout?.(PATIENCE) });

  const read = (answer) => answer.json().catch(() => ({}));
  /** @type {() => Promise<Token>} */
  const token = () => fetched("/token/").then(read, () => ({}));

  // Send entries and return the answers, perhaps only to the first of them; none without a connection.
  // Anything but answers counts as no connection: the sign-in page of a hotel network says 200 to
  // everything. What is too large is sent by halves, and after a status 500 the first entry alone. An entry
  // for which that happens alone is refused.
  async function post(facts, who) {
    const entries = facts.slice(0, MOST).map(({ shown, ...entry }) => entry);
    /** @type {any} */
    const answer = await fetched(SITE, {
      method: "POST",
      body: JSON.stringify({ person: who.person, entries }),
      headers: { "Content-Type": "application/json", "X-CSRFToken": who.token },
    }).catch(() => ({}));
    if (![413, 500].includes(answer.status)) return (answer.ok && (await read(answer)).answers) || [];
    const fewer = answer.status === 500 ? 1 : entries.length / 2;
    return entries.length > 1 ? post(facts.slice(0, fewer), who) : [{ status: "refused" }];
  }

  // Send what can be sent, and store the answers: recorded entries are removed, refused ones are marked.
  // Resolves to whether there was any answer; one that waits is behind one that was refused.
  async function sendSome(who) {
    const sent = self.box.free(await self.box.unsent(who.person));
    const answers = await post(sent, who);
    const answered = new Map(answers.map((answer, place) => [sent[place].key, answer]));
    for (const [place, { numbers }] of answers.entries())
      if (numbers) await self.box.know(sent[place].game, numbers);
    const after = (fact) => {
      const { status, sentences, meanwhile, used, sure } = answered.get(fact.key) ?? {};
      if (status === "done") return [];
      return [status === "refused" ? { ...fact, refused: { sentences, meanwhile, used, sure } } : fact];
    };
    await self.box.change(who.person, (facts) => facts.flatMap(after));
    return answers.some(({ status }) => status !== "waits");
  }

  // Send what waits. Only entries of the person who is signed in are sent: the others wait until their person
  // is back.
  function send() {
    return alone(async () => {
      const all = Object.values(await self.box.everybody()).flatMap(self.box.free).length;
      const who = all ? await token() : {};
      if (!who.token) return all;
      tell({ reached: true, person: who.person });
      const left = async () => self.box.free(await self.box.unsent(who.person)).length;
      let isNews = false;
      while ((await left()) && (await sendSome(who))) isNews = true;
      if (isNews) tell();
      return left();
    });
  }

  async function wipe(person) {
    await alone(() => self.box.wipe(person));
    tell();
  }

  return { newKey, add, drop, decide, send, wipe, heard: (listener) => listeners.push(listener) };
})();
