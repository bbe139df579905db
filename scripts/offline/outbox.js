// The outbox, like Workbox's background sync, but in every browser, and a refusal holds back its game.
//
// It is one sender for all queued entries (queue.js). They are sent in order, as soon as the site can be
// reached (site.js). Each has an idempotency key, so one sent twice is recorded once. A refused entry stays
// and holds back later entries of its game until the user decides (decisions.js).

/** @import { Fact, Refusal } from "./queue.js" */

/**
 * @typedef {object} Outbox
 * @property {() => string} newKey
 * @property {(person: string, fact: Fact, why?: Refusal) => Promise<boolean>} add
 * @property {(person: string, act: (facts: Fact[]) => Fact[] | null) => Promise<boolean>} change
 *   changes the queue (queue.js), and tells the listeners
 * @property {<Result>(act: () => Promise<Result>) => Promise<Result>} alone acts while nothing is being sent
 * @property {() => Promise<number>} send resolves to the number of entries left that this phone can send now
 * @property {(listener: (news: News) => void) => void} heard
 *
 * News for listeners: the server was reached and knows this phone as a person, or the queue has changed;
 * `done` are the keys of entries that were recorded.
 * @typedef {{ reached?: boolean, person?: string, done?: string[] }} News
 */

/** @type {Outbox} */
self.outbox = (() => {
  const MOST = 200; // entries in one request: games/play/presenters/offline_queue.py
  const SITE = "/waiting/";
  const PATIENCE = 30000;
  const channel = self.BroadcastChannel && new BroadcastChannel("waiting");
  const listeners = [];
  let turn = Promise.resolve();

  // Run one at a time across all pages and the worker. Without locks, the keys prevent duplicates.
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

  // An offered hand replaces the earlier one.
  function add(person, fact, refused) {
    const isBefore = ({ form, game }) => form === "hand" && fact.form === form && fact.game === game;
    const added = refused ? { ...fact, refused } : fact;
    return change(person, (facts) => [...facts.filter((one) => !isBefore(one)), added]);
  }

  // Send entries and return the answers, perhaps only for the first of them; none without the site. A request
  // that is too large, even for a proxy, is halved, and after the site's status 500 the first entry is sent
  // alone. If that happens to a single entry, it is refused.
  async function post(facts, who) {
    const entries = facts.slice(0, MOST).map(({ shown, ...entry }) => entry);
    /** @type {any} */
    const answer = await fetch(SITE, {
      method: "POST",
      redirect: "error",
      signal: AbortSignal.timeout?.(PATIENCE),
      body: JSON.stringify({ person: who.person, entries }),
      headers: { "Content-Type": "application/json", "X-CSRFToken": who.token },
    }).catch(() => ({}));
    if (answer.status !== 413) {
      if (!answer.status || !(await self.site.isOurs(answer))) return [];
      if (answer.status !== 500) return (answer.ok && (await answer.json().catch(() => ({}))).answers) || [];
    }
    const fewer = answer.status === 500 ? 1 : entries.length / 2;
    return entries.length > 1 ? post(facts.slice(0, fewer), who) : [{ status: "refused" }];
  }

  // Send the entries that can be sent, and store the answers: recorded entries are removed, their keys added
  // to `done`; refused ones are marked. Resolves to whether any was answered; one that waits is behind a
  // refused one.
  async function sendSome(who, done) {
    const sent = self.box.free(await self.box.unsent(who.person));
    const answers = await post(sent, who);
    const answered = new Map(answers.map((answer, place) => [sent[place].key, answer]));
    for (const [place, { numbers }] of answers.entries())
      if (numbers) await self.box.know(sent[place].game, numbers);
    const after = (fact) => {
      const { status, sentences, meanwhile, used, sure } = answered.get(fact.key) ?? {};
      if (status === "done") {
        done.push(fact.key);
        return [];
      }
      return [status === "refused" ? { ...fact, refused: { sentences, meanwhile, used, sure } } : fact];
    };
    await self.box.change(who.person, (facts) => facts.flatMap(after));
    return answers.some(({ status }) => status !== "waits");
  }

  // Send the queued entries of the signed-in person. Entries of others wait until they are back.
  function send() {
    return alone(async () => {
      const all = Object.values(await self.box.everybody()).flatMap(self.box.free).length;
      const who = all ? await self.site.token(PATIENCE) : {};
      if (!who.token) return all;
      tell({ reached: true, person: who.person });
      const left = async () => self.box.free(await self.box.unsent(who.person)).length;
      let isNews = false;
      const done = [];
      while ((await left()) && (await sendSome(who, done))) isNews = true;
      if (isNews) tell({ done });
      return left();
    });
  }

  return { newKey, add, change, alone, send, heard: (listener) => listeners.push(listener) };
})();
