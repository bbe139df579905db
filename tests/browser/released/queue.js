// The queue as phones of the first release hold it, in open pages and in their service workers: kept as it was, never edited.
// What waits on this phone: rounds and re-entry answers saved without a network, in order, each with its own key, and of
// each game the newest numbers the server printed. Pages and the service worker both load this, so it is no module.

self.queue = (() => {
  const PATIENCE = 15000;
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
        request.result.onclose = () => { opened = null; };
        resolve(request.result);
      };
      request.onerror = () => { opened = null; reject(request.error); };
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
  if (channel) channel.onmessage = ({ data }) => { for (const listener of listeners) listener(data); };

  const remove = (id) => run("entries", "readwrite", (store) => store.delete(id));
  const put = (entry) => run("entries", "readwrite", (store) => store.put(entry));

  const line = ({ person, game }) => `${person} ${game}`; // in which entries wait for each other

  // What waits, the oldest first. A refused entry stops those its person entered behind it in its game, until each has
  // been looked at.
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

  // Takes an entry away, or puts another in its place. Those a refused one stopped stay stopped without it.
  async function drop(entry, other) {
    const act = async () => {
      const behind = (await all()).filter((later) => entry.stopped && line(later) === line(entry) && later.id > entry.id);
      for (const { stopped, ...later } of behind) await put({ ...later, held: stopped });
      await (other ? put({ ...other, id: entry.id, at: Date.now() }) : remove(entry.id));
    };
    await (entry.stopped ? act() : alone(act)); // what is on its way is not taken from under the sender
    tell({ game: entry.game });
  }

  const numbers = async (game) => (await run("games", "readonly", (store) => store.get(game)))?.numbers;

  // A page may be older than what this phone saw since: of the numbers printed for a game the newest stay.
  async function know(game, printed) {
    const known = await numbers(game);
    if (!known || known.after <= printed.after) await run("games", "readwrite", (store) => store.put({ code: game, numbers: printed }));
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
    const body = new URLSearchParams({ ...entry.fields, after: entry.after, key: entry.key, person: entry.person });
    return read(await fetched(entry.address, { method: "POST", body, headers: { "X-CSRFToken": token } }));
  }

  // The answer to one entry. Only the server's own words count: a hotel's sign-in page says 200 to everything.
  async function settle(entry, answer) {
    const { key, sentences, recorded } = answer;
    if (key === entry.key) {
      await know(entry.game, answer.numbers);
      await remove(entry.id);
      return "recorded";
    }
    if (!sentences) return "kept";
    if (answer.numbers) await know(entry.game, answer.numbers);
    await put({ ...entry, refused: sentences, recorded });
    return "refused";
  }

  // Sends what waits, in order, and returns how much of it still does. Only what was entered by who is signed in goes out:
  // the rest rests until its person is back. Whatever goes wrong with one entry keeps back those behind it in its game,
  // never another game's.
  async function send() {
    return alone(async () => {
      if (!(await all()).some((entry) => !entry.stopped)) return 0;
      const told = await fetched("/token/").then(read).catch(() => ({}));
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

  return { add, all, drop, numbers, know, forget, send, wipe, heard: (listener) => listeners.push(listener) };
})();
