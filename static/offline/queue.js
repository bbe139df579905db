// What waits on this phone: rounds, re-entry answers and payments saved without a network, in order, each
// with its own key, and of each game the newest numbers the server printed. Pages and the service worker both
// load this, so it is no module.
//
// Pages and workers of older releases open this store too, and send what they find there: its version stays
// 1, since they would keep a newer one from being opened; an entry has an `address`, `fields`, `after`, `key`
// and `person`, which is all they post; and its `game` is below /g/ the page it is looked at on. Payments,
// facts that wait for nothing, name each a `game` of its own.

/** @import { Numbers, Round } from "../play/arithmetic.js" */

/**
 * An entry that waits. Older releases send it too, so what it has may grow and never change its meaning.
 * @typedef {object} Waiting
 * @property {number} [id] its place in the order
 * @property {number} [at] when it was put there
 * @property {string} game its code; of a fact a text of its own
 * @property {string} address where it is posted
 * @property {number} after the last event its person had seen
 * @property {string} key
 * @property {Record<string, string>} fields
 * @property {string} person who entered it
 * @property {string} title
 * @property {string} detail
 * @property {Round} [round]
 * @property {[string, string]} [answer] who was asked to re-enter, and what they said
 * @property {boolean} [fact] whether it waits for nothing
 * @property {string[]} [refused] why it was
 * @property {boolean} [broken] whether it broke something on the server
 * @property {boolean} [spent] whether its key was of something cancelled since
 * @property {number} [recorded] the number it has already, with other hands
 * @property {number | true} [seen] the last event its refusal told of
 * @property {number | true} [held] what it follows once it is released, true where the server is to say
 * @property {boolean} [stopped] whether it waits to be looked at, as `all` says
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
 * @property {(person: string) => Promise<void>} wipe
 * @property {(listener: (news: Told) => void) => void} heard
 *
 * What it tells: of which game something else waits, that the server was reached, that others may go on.
 * @typedef {{ game?: string, reached?: boolean, released?: boolean }} Told
 *
 * What somebody looked at before deciding, and how many events there are since.
 * @typedef {{ seen?: number | true, now?: number | true }} News
 */

/** @type {Queue} */
self.queue = (() => {
  const PATIENCE = 15000;
  const BROKEN = 500;
  const channel = self.BroadcastChannel && new BroadcastChannel("queue");
  const listeners = [];
  let opened = null;
  let turn = Promise.resolve();

  function open() {
    opened ||= new Promise((resolve, reject) => {
      const request = indexedDB.open("anotador", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("entries", { keyPath: "id", autoIncrement: true });
        request.result.createObjectStore("games", { keyPath: "code" });
      };
      request.onsuccess = () => {
        request.result.onclose = () => {
          opened = null;
        };
        resolve(request.result);
      };
      request.onerror = () => {
        opened = null;
        reject(request.error);
      };
    });
    return opened;
  }

  async function run(store, mode, act) {
    const transaction = (await open()).transaction(store, mode);
    const request = act(transaction.objectStore(store));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  // One at a time, over all pages and the worker where the browser can; the keys settle what it cannot.
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

  // Lets what was refused be sent once more, as it is. A key that is spent on what was cancelled since gives
  // way to the same one on every page, so that two taps are one payment.
  /** @param {Waiting} entry */
  async function again({ stopped, refused, broken, recorded, seen, spent, ...entry }) {
    await put({ ...entry, key: spent ? `${entry.key}+` : entry.key });
    tell({ game: entry.game });
  }

  const line = ({ person, game }) => `${person} ${game}`; // in which entries wait for each other

  // What waits, the oldest first. A refused entry stops those its person entered behind it in its game, until
  // each has been looked at.
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

  // Takes an entry away, or puts another in its place. Those it stopped stay stopped until they are released,
  // each with the number it is to follow then. `seen` are the events somebody looked at before deciding,
  // `now` how many there are with what became of the entry. Where another phone was faster by more than the
  // entry itself, one of its events may be what waits here: that is left to the server by the number it was
  // entered with. Whoever takes them out of their order looks at the others too. Returns whether it still
  // waited: what was on its way may have been recorded meanwhile.
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
    // What is on its way is not taken from under the sender.
    const isTaken = await (entry.stopped ? act() : alone(act));
    tell({ game: entry.game });
    return isTaken;
  }

  // Lets those go on that an entry stopped about which somebody has decided since.
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

  // A page may be older than what this phone saw since: of the numbers printed for a game the newest stay.
  async function know(game, printed) {
    const known = await numbers(game);
    if (!known || known.after <= printed.after) {
      await run("games", "readwrite", (store) => store.put({ code: game, numbers: printed }));
    }
  }

  async function fetched(address, options) {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PATIENCE);
    try {
      return await fetch(address, { ...options, redirect: "error", signal: stop.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  const read = (answer) => answer.json().catch(() => ({}));

  async function post(entry, token) {
    const body = new URLSearchParams({
      ...entry.fields,
      after: entry.after,
      key: entry.key,
      person: entry.person,
    });
    const answer = await fetched(entry.address, { method: "POST", body, headers: { "X-CSRFToken": token } });
    return { ...(await read(answer)), broken: answer.status === BROKEN };
  }

  // The answer to one entry. Only the server's own words count: a hotel's sign-in page says 200 to
  // everything. What broke something there would break it again: it waits until somebody has looked at it.
  async function settle(entry, answer) {
    const { key, sentences, recorded, seen, broken, spent } = answer;
    if (key === entry.key) {
      if (answer.numbers) await know(entry.game, answer.numbers);
      await remove(entry.id);
      return "recorded";
    }
    if (!sentences && !broken) return "kept";
    if (answer.numbers) await know(entry.game, answer.numbers);
    await put({ ...entry, refused: sentences ?? [], recorded, seen, broken, spent });
    return "refused";
  }

  // Sends what waits, in order, and returns how much of it still does. Only what was entered by who is signed
  // in goes out: the rest rests until its person is back. Whatever goes wrong with one entry keeps back those
  // behind it in its game, never another game's.
  async function send() {
    return alone(async () => {
      if (!(await all()).some((entry) => !entry.stopped)) return 0;
      const told = await fetched("/token/")
        .then(read)
        .catch(() => ({}));
      const isTo = (entry) => !entry.stopped && (!told.token || entry.person === told.person);
      if (told.token) {
        tell({ reached: true });
        await sendAll((await all()).filter(isTo), told.token);
      }
      return (await all()).filter(isTo).length;
    });
  }

  async function sendAll(entries, token) {
    const kept = new Set();
    for (const { stopped, ...entry } of entries) {
      if (kept.has(entry.game)) continue;
      const answer = await post(entry, token).catch(() => null);
      if (!answer) return; // no network, so no other entry gets through either
      const what = await settle(entry, answer);
      if (what !== "recorded") kept.add(entry.game);
      if (what !== "kept") tell({ game: entry.game });
    }
  }

  // Leaves nothing of this person, and of nobody's games.
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
    wipe,
    heard: (listener) => listeners.push(listener),
  };
})();
