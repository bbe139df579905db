// The store of this phone: the unsent facts of each person, the newest numbers of each game, and, on a phone
// that carries the app, the copy, its state and the database made of it. Pages, the service worker and the
// engine load this, so it is no module. The store is closed after each use, so that signing out can remove
// its contents at any moment.

/** @import { Numbers } from "../play/arithmetic.js" */

/**
 * @typedef {object} CopyState
 * @property {string} release of the bundle
 * @property {string} worker the address of the engine
 * @property {string} shell the address of the first page of a launch without a network
 * @property {string} etag of the copy
 * @property {string} at when the site last confirmed the copy
 * @property {string} language
 * @property {string} theme
 * @property {string} token the site's CSRF token
 * @property {string} person the mark of the copy's owner
 * @property {string[]} places the address prefixes of tables and games with unsent facts
 * @property {Record<string, string>} moved the site's codes of games and tables that have another one there
 * @property {number} settled when facts were last recorded at the site
 *
 * A fact, as the site takes it (games/pocket/facts.py, typed.py). One from a form that waits also has the
 * words and figures with which pages show it.
 * @typedef {Record<string, any> & { shown?: Shown }} Fact
 *
 * @typedef {object} Shown
 * @property {string} title
 * @property {string} detail
 * @property {import("../play/arithmetic.js").Round} [round]
 * @property {[string, string]} [answer] the player who may re-enter, and the answer
 *
 * A conflict: a refused fact and those behind it, the reasons, and both versions of the game.
 * @typedef {object} Held
 * @property {string} id
 * @property {Fact[]} facts
 * @property {string[]} sentences
 * @property {string} [title] of the game
 * @property {string[]} [here] the site's version
 * @property {string[]} [there] this phone's version
 * @property {number} [now] the number of the site's last event
 * @property {number} [recorded] the number under which the fact was recorded before, with other hands
 * @property {boolean} [spent] whether the fact's key belongs to a payment that was cancelled
 * @property {boolean} [late] whether it would change a closed season
 * @property {boolean} [gone] whether this phone lost the access, so that another one has to bring its entries
 * @property {number} [until] when it is sent again by itself; NaN for never
 * @property {boolean} [broken] whether the fact broke something on the server
 *
 * The unsent facts of one person. Nobody else on the phone can send or see them. `facts` are those that the
 * carried app recorded: its database contains them, and it replaces them as a whole.
 * @typedef {{ queued: Fact[], facts: Fact[], held: Held[] }} Unsent
 *
 * @typedef {Record<string, any> | null} Records
 *
 * @typedef {object} Box
 * @property {(key: string) => Promise<any>} get
 * @property {(records: Record<string, any>) => Promise<void>} put stores all of them or none
 * @property {(keys: string[], act: (...records: any[]) => Records) => Promise<boolean>} change
 *   changes these records in one transaction; resolves to whether `act` returned any
 * @property {(person: string) => string} keyOf the key of the carried app's unsent facts
 * @property {(person: string) => Promise<Unsent>} unsent
 * @property {(person: string, act: (unsent: Unsent, copyState?: CopyState) => Records) => Promise<boolean>}
 *   changeUnsent changes `unsent`, and other records, in one transaction
 * @property {() => Promise<Record<string, number>>} waiting how many facts each person has to send
 * @property {(game: string) => Promise<Numbers | undefined>} numbers
 * @property {(game: string, printed: Numbers) => Promise<boolean>} know stores them unless newer ones are
 *   known
 * @property {(copyState: CopyState) => string} idOf identifies the copy and the facts recorded since
 * @property {(copyState: CopyState, path: string) => boolean} isOwn whether the phone has the newer page
 * @property {(copyState: CopyState | null, path: string) => string[] | null} movedBy
 *   the codes of this page's game or table on the phone and at the site, if they differ
 * @property {(person?: string) => Promise<void>} wipe removes all but the unsent facts of other persons, and
 *   the release whose engine died
 * @property {(answer: Response) => Partial<CopyState>} about the state in the headers of the copy
 */

/** @type {Box} */
self.box = (() => {
  const NAME = "pocket";
  const STORE = "kept";
  // Scripts of older releases remove everything with another beginning, and expect `facts` and `held` here.
  const UNSENT = "unsent:";

  const settled = (request, resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  };

  function open() {
    return new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE);
      settled(request, resolve, reject);
    });
  }

  async function run(mode, act) {
    const database = await open();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(STORE, mode, { durability: "strict" });
        const request = act(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(request?.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      database.close();
    }
  }

  const get = (key) => run("readonly", (store) => store.get(key));

  const putAll = (store, records) => {
    for (const [key, record] of Object.entries(records)) store.put(record, key);
  };

  // One transaction: nobody changes the records between reading and writing.
  async function change(keys, act, mode = "readwrite") {
    let isDone = false;
    await run(mode, (store) => {
      const requests = keys.map((key) => store.get(key));
      requests.at(-1).onsuccess = () => {
        const records = act(...requests.map(({ result }) => result));
        isDone = Boolean(records);
        if (records) putAll(store, records);
      };
    });
    return isDone;
  }

  // The queue has a record of its own, since engines of older releases replace the other one's facts.
  const keyOf = (person) => UNSENT + person;
  const queueOf = (person) => `${keyOf(person)}:queue`;
  const keysOf = (person) => [keyOf(person), queueOf(person)];

  // What is to be sent again: its time has come, or a person decided so, which a page of an older release
  // stored in the conflict itself.
  /** @type {(held: Held & { chosen?: Fact[] }) => Fact[]} */
  const chosenOf = ({ chosen, until, facts }) => chosen ?? (until <= Date.now() ? facts : []);
  const chosenIn = (held) => held.flatMap(chosenOf);

  /** @type {(app?: { facts?: Fact[], held?: Held[] }, queue?: { facts: Fact[] }) => Unsent} */
  const joined = ({ facts = [], held = [] } = {}, queue = { facts: [] }) => ({
    facts,
    queued: [...chosenIn(held), ...queue.facts],
    held: held.filter((one) => !chosenOf(one).length),
  });

  async function unsent(person) {
    let known;
    const read = (...records) => {
      known = joined(...records);
      return null;
    };
    await change(keysOf(person), read, "readonly");
    return known;
  }

  const changeUnsent = (person, act) =>
    change(["said", ...keysOf(person)], (copyState, app, queue) => {
      const changed = act(joined(app, queue), copyState);
      if (!changed) return null;
      const { unsent, ...records } = changed;
      const { facts, held, queued } = unsent;
      return { ...records, [keyOf(person)]: { facts, held }, [queueOf(person)]: { facts: queued, held: [] } };
    });

  async function waiting() {
    const counts = {};
    await run("readonly", (store) => {
      const request = store.openCursor(IDBKeyRange.bound(UNSENT, `${UNSENT}\uffff`));
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return;
        const [, person] = cursor.key.split(":");
        const { facts, held } = cursor.value;
        const count = facts.length + chosenIn(held).length;
        if (count) counts[person] = count + (counts[person] ?? 0);
        cursor.continue();
      };
    });
    return counts;
  }

  const numbersOf = (game) => `numbers:${game}`;

  return {
    get,
    put: (records) => run("readwrite", (store) => putAll(store, records)),
    change,
    keyOf,
    unsent,
    changeUnsent,
    waiting,
    numbers: (game) => get(numbersOf(game)),
    // A page may come from the cache.
    know: (game, printed) =>
      change([numbersOf(game)], (known) =>
        known?.after > printed.after ? null : { [numbersOf(game)]: printed },
      ),
    idOf: ({ etag, settled = 0 }) => `${etag} ${settled}`,
    isOwn: ({ places = [] }, path) =>
      Boolean(places.length) && (path === "/" || places.some((place) => path.startsWith(place))),
    movedBy(copyState, path) {
      const [, code] = /^\/[gt]\/([\w-]+)\//.exec(path) ?? [];
      const moved = copyState?.moved?.[code];
      return moved ? [code, moved] : null;
    },
    about: ({ headers }) => ({
      etag: headers.get("ETag").replace("W/", ""),
      at: headers.get("Date"),
      language: headers.get("Content-Language"),
      theme: headers.get("X-Theme"),
      token: headers.get("X-Token"),
    }),
    wipe: (person) =>
      run("readwrite", (store) => {
        const request = store.getAllKeys();
        request.onsuccess = () => {
          for (const key of request.result.filter((one) => one !== "boot")) {
            if (!key.startsWith(UNSENT) || keysOf(person).includes(key)) store.delete(key);
          }
        };
      }),
  };
})();
