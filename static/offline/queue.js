// The outbox of forms: rounds, re-entry answers, payments and ticks saved without a network, in order, each
// with its own key, and the newest numbers of each game. Entries are sent as typed facts
// (games/pocket/typed.py). Pages and the service worker both load this, so it is no module.
//
// Pages and workers of older releases open this store too and send its entries: the version stays 1, since
// an open page of theirs would block a newer one; an entry has an `address`, `fields`, `after`, `key` and
// `person`, which is all they post; and its `game` is the code of the page it is shown on. Payments and
// ticks, which wait for no other entry, have a unique `game` each.

/** @import { Numbers, Round } from "../play/arithmetic.js" */

/**
 * An entry that waits. Older releases send it too, so what it has may grow and never change its meaning.
 * @typedef {object} Waiting
 * @property {number} [id] its place in the order
 * @property {number} [at] when it was saved
 * @property {string} game the code; for a payment or a tick a unique text
 * @property {string} address below its game or its table; older releases post it there
 * @property {number} after the number of the last event that the person had seen
 * @property {string} key
 * @property {Record<string, string>} fields
 * @property {string} person who entered it
 * @property {string} title
 * @property {string} detail
 * @property {Round} [round]
 * @property {[string, string]} [answer] the player who may re-enter, and the answer
 * @property {boolean} [fact] whether it is a payment or a tick
 * @property {string[]} [refused] the reasons of a refusal
 * @property {boolean} [broken] whether it broke something on the server
 * @property {boolean} [spent] whether its key belongs to a payment that was cancelled
 * @property {number} [recorded] the number under which it was recorded before, with other hands
 * @property {number | true} [seen] the number of the last event that its refusal showed
 * @property {number | true} [held] the event it follows once it is released; true if only the server knows
 * @property {boolean} [stopped] whether a person has to decide first; set by `all`
 */

/**
 * @typedef {object} Queue
 * @property {(entry: Waiting) => Promise<void>} add
 * @property {(entry: Waiting) => Promise<void>} again
 * @property {() => Promise<Waiting[]>} all
 * @property {(entry: Waiting, other?: Waiting | null, news?: News) => Promise<boolean>} drop
 * @property {(game: string) => Promise<Numbers | undefined>} numbers
 * @property {(game: string, printed: Numbers) => Promise<void>} know
 * @property {() => Promise<void>} forget
 * @property {() => Promise<number>} release
 * @property {() => Promise<number>} send
 * @property {() => Promise<Token>} token
 * @property {(facts: Record<string, any>[], who: Token) => Promise<Record<string, any>[]>} post
 * @property {(person: string) => Promise<void>} wipe
 * @property {(listener: (news: Told) => void) => void} heard
 *
 * A token against forgery, and the mark of the person who is signed in.
 * @typedef {{ token?: string, person?: string }} Token
 *
 * News for listeners: a game's entries changed, the server was reached, or entries were released.
 * @typedef {{ game?: string, reached?: boolean, released?: boolean }} Told
 *
 * The number of events the person had seen when deciding, and the number there is now.
 * @typedef {{ seen?: number | true, now?: number | true }} News
 */

/** @type {Queue} */
self.queue = (() => {
  const MOST = 200; // facts in one request: games/pocket/taking.py
  const channel = self.BroadcastChannel && new BroadcastChannel("queue");
  const listeners = [];
  let database = null;
  let turn = Promise.resolve();

  function open() {
    database ||= new Promise((resolve, reject) => {
      const request = indexedDB.open("anotador", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("entries", { keyPath: "id", autoIncrement: true });
        request.result.createObjectStore("games", { keyPath: "code" });
      };
      request.onsuccess = () => {
        request.result.onclose = () => {
          database = null;
        };
        resolve(request.result);
      };
      request.onerror = () => {
        database = null;
        reject(request.error);
      };
    });
    return database;
  }

  async function run(store, mode, act) {
    const transaction = (await open()).transaction(store, mode);
    const request = act(transaction.objectStore(store));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  // Run one at a time over all pages and the worker. Without locks the keys prevent doubles.
  function alone(act) {
    if (navigator.locks) return navigator.locks.request("queue", act);
    turn = turn.catch(() => {}).then(act);
    return turn;
  }

  function tell(news) {
    channel?.postMessage(news);
    for (const listener of listeners) listener(news);
  }
  if (channel)
    channel.onmessage = ({ data }) => {
      for (const listener of listeners) listener(data);
    };

  /** @type {(id: number) => Promise<void>} */
  const remove = (id) => run("entries", "readwrite", (store) => store.delete(id));
  /** @type {(entry: Waiting) => Promise<void>} */
  const put = (entry) => run("entries", "readwrite", (store) => store.put(entry));

  // Let a refused entry be sent again. A spent key is replaced by the same new one on every page, so that
  // two taps are one payment.
  /** @param {Waiting} entry */
  async function again({ stopped, refused, broken, recorded, seen, spent, ...entry }) {
    await put({ ...entry, key: spent ? `${entry.key}+` : entry.key });
    tell({ game: entry.game });
  }

  const line = ({ person, game }) => `${person} ${game}`; // entries with the same line wait for each other

  // All entries, the oldest first. A refused entry stops those behind it in its line until a person decided.
  async function all() {
    const lines = new Set();
    return (await run("entries", "readonly", (store) => store.getAll())).map((entry) => {
      if (entry.refused || entry.held) lines.add(line(entry));
      return { ...entry, stopped: lines.has(line(entry)) };
    });
  }

  async function add(entry) {
    await put({ ...entry, at: Date.now() });
    tell({ game: entry.game });
  }

  // Remove an entry or replace it. Those it stopped stay stopped until they are released, each with the
  // event number that it follows then. `seen` is the number of events the person saw before deciding, `now`
  // the number with the outcome of the entry. If another phone recorded more than the entry itself, one of
  // its events may be an entry that waits here: such an entry keeps its number, and the server compares. An
  // entry removed out of order leaves the others to a person. Returns false if the entry was recorded
  // meanwhile.
  async function drop(entry, other, { seen, now } = /** @type {News} */ ({})) {
    const act = async () => {
      const waiting = await all();
      const halted = waiting.filter((one) => one.stopped && line(one) === line(entry));
      const place = halted.findIndex(({ id }) => id === entry.id);
      const behind = place < 0 || other?.refused ? [] : halted.slice(place + 1);
      const shift = behind[0]?.after >= seen ? Number(now) - behind[0].after : 0;
      let isKnown = place === 0 && Number.isInteger(now);
      for (const { stopped, ...next } of behind) {
        isKnown &&= !next.refused && next.held !== true;
        await put({ ...next, held: isKnown ? next.after + shift : true });
      }
      await (other ? put({ ...other, id: entry.id, at: Date.now() }) : remove(entry.id));
      return waiting.some(({ id }) => id === entry.id);
    };
    // An entry that is being sent is not removed before its answer.
    const isTaken = await (entry.stopped ? act() : alone(act));
    tell({ game: entry.game });
    return isTaken;
  }

  // Release the entries behind those that a person has decided about; return how many.
  async function release() {
    const stuck = new Set();
    let count = 0;
    await alone(async () => {
      for (const { stopped, ...entry } of await all()) {
        if (entry.refused || entry.held === true) stuck.add(line(entry));
        if (!entry.held || stuck.has(line(entry))) continue;
        const { held, ...free } = entry;
        await put({ ...free, after: held });
        count += 1;
      }
    });
    if (count) tell({ released: true });
    return count;
  }

  const numbers = async (game) => (await run("games", "readonly", (store) => store.get(game)))?.numbers;

  // Store the numbers of a game unless this phone has newer ones: a page may come from the cache.
  async function know(game, printed) {
    const known = await numbers(game);
    if (!known || known.after <= printed.after) {
      await run("games", "readwrite", (store) => store.put({ code: game, numbers: printed }));
    }
  }

  // An old browser without such signals waits as long as it likes.
  const fetched = (address, options) =>
    fetch(address, { ...options, redirect: "error", signal: AbortSignal.timeout?.(30000) });

  // The typed fact of an entry. Its address tells the form and the game or table, in old entries too.
  function factOf({ address, fields, after, key, at = Date.now() }) {
    const [, place, code, dues] = /^\/([gt])\/([\w-]+)\/(dues)?/.exec(address);
    const table = place === "t" ? code : "";
    const game = table ? "" : code;
    const form = table ? "payment" : dues ? "tick" : fields.answer ? "reentry" : "round";
    return { kind: "typed", form, table, game, fields, after, key, at: new Date(at).toISOString() };
  }

  const read = (answer) => answer.json().catch(() => ({}));
  const token = () => fetched("/token/").then(read, () => ({}));

  // Send facts and return the answers, perhaps only to the first of them; none without a connection.
  // Anything but answers counts as no connection: the sign-in page of a hotel network says 200 to
  // everything. After a status 500 the first fact is sent alone. If that breaks the site again, it is held.
  async function post(facts, who) {
    /** @type {any} */
    const answer = await fetched("/pocket/", {
      method: "POST",
      body: JSON.stringify({ person: who.person, facts: facts.slice(0, MOST) }),
      headers: { "Content-Type": "application/json", "X-CSRFToken": who.token },
    }).catch(() => ({}));
    if (answer.status !== 500) return (answer.ok && (await read(answer)).answers) || [];
    return facts.length > 1 ? post(facts.slice(0, 1), who) : [{ status: "held", broken: true }];
  }

  // Store the answer to one entry. A refused entry waits until a person decides.
  /** @param {Waiting} waiting @param {Record<string, any>} answer */
  async function settle({ stopped, ...entry }, answer) {
    const { status, sentences = [], here = [], now: seen, recorded, broken, spent, numbers } = answer;
    if (numbers) await know(entry.game, numbers);
    if (status === "waits") return;
    const refused = [...sentences, ...here.slice(0, -1)]; // without the line with the totals
    if (status === "done") await remove(entry.id);
    else await put({ ...entry, refused, recorded, seen, broken, spent });
    tell({ game: entry.game });
  }

  // Send what waits, in order, and return how many entries still wait. Only entries of the person who is
  // signed in are sent: the others wait until their person is back. A refused entry holds back those behind
  // it in its game, never another game's.
  async function send() {
    return alone(async () => {
      if (!(await all()).some((entry) => !entry.stopped)) return 0;
      const who = await token();
      const isTo = (entry) => !entry.stopped && (!who.token || entry.person === who.person);
      if (who.token) {
        tell({ reached: true });
        await sendAll((await all()).filter(isTo), who);
      }
      return (await all()).filter(isTo).length;
    });
  }

  async function sendAll(entries, who) {
    const held = new Set();
    for (let rest = entries; rest.length; rest = rest.filter((entry) => !held.has(line(entry)))) {
      const answers = await post(rest.map(factOf), who);
      if (!answers.length) return;
      for (const answer of answers) {
        const entry = rest.shift();
        if (answer.status === "held") held.add(line(entry));
        await settle(entry, answer);
      }
    }
  }

  // Remove all entries of this person, and the numbers of all games.
  async function wipe(person) {
    await alone(async () => {
      for (const entry of await all()) if (entry.person === person) await remove(entry.id);
    });
    await forget();
    tell({});
  }

  const forget = () => run("games", "readwrite", (store) => store.clear());

  return {
    add,
    again,
    all,
    drop,
    numbers,
    know,
    forget,
    release,
    send,
    post,
    token,
    wipe,
    heard: (listener) => listeners.push(listener),
  };
})();
