// The store of the carried app: the state of the copy, the copy itself, the database made of it, and the
// unsent facts. The service worker loads this too, so it is no module. The store is closed after each use,
// so that signing out can remove its contents at any moment.

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
 * @property {Record<string, string>} moved the site's codes of games that have another one there
 * @property {number} settled when facts were last recorded at the site
 *
 * A fact, as the site takes it (games/pocket/facts.py).
 * @typedef {Record<string, any>} Fact
 *
 * A conflict: the refused facts of one game or table, the reasons, and both versions of the game.
 * @typedef {object} Held
 * @property {string} id
 * @property {string} table
 * @property {string} game
 * @property {string} [title] of the game
 * @property {Fact[]} facts
 * @property {string[]} sentences
 * @property {string[]} [here] the site's version
 * @property {string[]} [there] this phone's version
 * @property {number} [now] the number of the site's last event
 * @property {Fact[]} [chosen] the facts that a person decided to send instead
 *
 * The unsent facts of one person. Nobody else on the phone can send or see them.
 * @typedef {{ facts: Fact[], held: Held[] }} Unsent
 *
 * @typedef {object} Box
 * @property {(key: string) => Promise<any>} get
 * @property {(records: Record<string, any>) => Promise<void>} put stores all of them or none
 * @property {(keys: string[], act: (...records: any[]) => Record<string, any> | null) => Promise<boolean>}
 *   change
 *   changes these records in one transaction; resolves to whether `act` returned any
 * @property {(person: string) => string} keyOf the key of this person's unsent facts
 * @property {(person: string) => Promise<Unsent>} unsent
 * @property {() => Promise<string[]>} waiting the persons who have facts to send
 * @property {(copyState: CopyState) => string} idOf identifies the copy and the facts recorded since
 * @property {(copyState: CopyState, path: string) => boolean} isOwn whether the phone has the newer page
 * @property {(copyState: CopyState | null, path: string) => string[] | null} movedBy
 *   the codes of this page's game on the phone and at the site, if they differ
 * @property {(person?: string) => Promise<void>} wipe removes all but the unsent facts of other persons, and
 *   the release whose engine died
 * @property {(answer: Response) => Partial<CopyState>} about the state in the headers of the copy
 */

/** @type {Box} */
self.box = (() => {
  const NAME = "pocket";
  const STORE = "kept";

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

  const putAll = (store, records) => {
    for (const [key, record] of Object.entries(records)) store.put(record, key);
  };

  // One transaction: nobody changes the records between reading and writing.
  async function change(keys, act) {
    let isDone = false;
    await run("readwrite", (store) => {
      const requests = keys.map((key) => store.get(key));
      requests.at(-1).onsuccess = () => {
        const records = act(...requests.map(({ result }) => result));
        isDone = Boolean(records);
        if (records) putAll(store, records);
      };
    });
    return isDone;
  }

  const keyOf = (person) => `unsent:${person}`;

  async function waiting() {
    const persons = [];
    await run("readonly", (store) => {
      const request = store.openCursor(IDBKeyRange.bound(keyOf(""), keyOf("\uffff")));
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return;
        const { facts, held } = cursor.value;
        if (facts.length || held.some(({ chosen }) => chosen))
          persons.push(cursor.key.slice(keyOf("").length));
        cursor.continue();
      };
    });
    return persons;
  }

  return {
    get: (key) => run("readonly", (store) => store.get(key)),
    put: (records) => run("readwrite", (store) => putAll(store, records)),
    change,
    unsent: async (person) =>
      (await run("readonly", (store) => store.get(keyOf(person)))) ?? { facts: [], held: [] },
    keyOf,
    waiting,
    idOf: ({ etag, settled = 0 }) => `${etag} ${settled}`,
    isOwn: ({ places = [] }, path) =>
      Boolean(places.length) && (path === "/" || places.some((place) => path.startsWith(place))),
    movedBy(copyState, path) {
      const [, code] = /^\/g\/([\w-]+)\//.exec(path) ?? [];
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
            if (!key.startsWith(keyOf("")) || key === keyOf(person)) store.delete(key);
          }
        };
      }),
  };
})();
