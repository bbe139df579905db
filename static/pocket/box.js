// What the pocket keeps on this phone of one person: what is said of the copy, the copy as it came, and the
// database made of it. The service worker loads this too, so it is no module. Nothing holds the store open,
// so that whoever signs out can take it away at any moment.

/**
 * @typedef {object} Said
 * @property {string} release of the bundle
 * @property {string} worker the address of the engine
 * @property {string} shell the address of the page a launch without a network begins with
 * @property {string} etag of the copy
 * @property {string} at when the site last said that it is so
 * @property {string} language
 * @property {string} theme
 *
 * @typedef {object} Box
 * @property {(key: string) => Promise<any>} get
 * @property {(records: Record<string, any>) => Promise<void>} put all of them or none
 * @property {() => Promise<void>} wipe
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
    const opened = await open();
    try {
      return await new Promise((resolve, reject) => {
        const transaction = opened.transaction(STORE, mode, { durability: "strict" });
        const found = act(transaction.objectStore(STORE));
        transaction.oncomplete = () => resolve(found?.result);
        transaction.onabort = () => reject(transaction.error);
      });
    } finally {
      opened.close();
    }
  }

  return {
    get: (key) => run("readonly", (store) => store.get(key)),
    put: (records) =>
      run("readwrite", (store) => {
        for (const [key, record] of Object.entries(records)) store.put(record, key);
      }),
    about: ({ headers }) => ({
      etag: headers.get("ETag").replace("W/", ""),
      at: headers.get("Date"),
      language: headers.get("Content-Language"),
      theme: headers.get("X-Theme"),
    }),
    wipe: () => new Promise((resolve, reject) => settled(indexedDB.deleteDatabase(NAME), resolve, reject)),
  };
})();
