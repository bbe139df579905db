// What the pocket keeps on this phone of one person: what is said of the copy, the copy as it came, the
// database made of it, and what the site has not heard of yet. The service worker loads this too, so it is
// no module. Nothing holds the store open, so that whoever signs out can take it away at any moment.

/**
 * @typedef {object} Said
 * @property {string} release of the bundle
 * @property {string} worker the address of the engine
 * @property {string} shell the address of the page a launch without a network begins with
 * @property {string} etag of the copy
 * @property {string} at when the site last said that it is so
 * @property {string} language
 * @property {string} theme
 * @property {string} token against forgery, of the site
 * @property {string} person whose copy it is
 * @property {string[]} places where the addresses begin of what the site has not heard all of
 * @property {Record<string, string>} moved codes of games the site has under another one
 * @property {number} settled when something left what waits
 *
 * What happened on this phone, as the site takes it (games/pocket/facts.py).
 * @typedef {Record<string, any>} Fact
 *
 * What the site would not do: the facts of one game, or about one table, with why, and both ways it went on.
 * @typedef {object} Held
 * @property {string} id
 * @property {string} table
 * @property {string} game
 * @property {string} [title] what it is called
 * @property {Fact[]} facts
 * @property {string[]} sentences
 * @property {string[]} [here] how it went on at the site
 * @property {string[]} [there] and on this phone
 * @property {number} [now] the newest number there
 * @property {Fact[]} [chosen] what somebody has decided that is sent in their place
 *
 * What the site has not heard of, by person. Nobody else on the phone can send it, or see it.
 * @typedef {{ facts: Fact[], held: Held[] }} Unsent
 *
 * @typedef {object} Box
 * @property {(key: string) => Promise<any>} get
 * @property {(records: Record<string, any>) => Promise<void>} put all of them or none
 * @property {(keys: string[], act: (...found: any[]) => Record<string, any> | null) => Promise<boolean>}
 *   change
 *   puts what comes of these records, which nobody else changes meanwhile; whether anything did
 * @property {(person: string) => string} keyOf the key of what of this person's the site has not heard of
 * @property {(person: string) => Promise<Unsent>} unsent
 * @property {() => Promise<string[]>} waiting the persons of whom something can be sent
 * @property {(said: Said) => string} idOf which copy it is, and when anything left what waits since it came
 * @property {(said: Said, path: string) => boolean} isOwn whether this page is newer here than at the site
 * @property {(said: Said | null, path: string) => string[] | null} movedBy
 *   the code of this page's game on the phone and at the site, where the two differ
 * @property {(person?: string) => Promise<void>} wipe all but what the site has not heard of, of this person
 *   that too, and which release died
 * @property {(answer: Response) => Partial<Said>} about what an answer with the copy says of it
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

  // One transaction: what was read is still so when it is written.
  async function change(keys, act) {
    let isDone = false;
    await run("readwrite", (store) => {
      const request = keys.map((key) => store.get(key));
      request.at(-1).onsuccess = () => {
        const records = act(...request.map(({ result }) => result));
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
