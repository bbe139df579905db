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
      request.onerror = () => reject(request.error);
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

  // What waits, the oldest first. A refused entry stops those behind it in its game, until the person has looked at each.
  async function all() {
    const games = new Set();
    return (await run("entries", "readonly", (store) => store.getAll())).map((entry) => {
      if (entry.refused || entry.held) games.add(entry.game);
      return { ...entry, stopped: games.has(entry.game) };
    });
  }

  async function add(entry) {
    await put({ ...entry, at: Date.now() });
    tell({ game: entry.game });
  }

  // Takes an entry away, or puts another in its place. Those a refused one stopped stay stopped without it.
  async function drop(entry, other) {
    const act = async () => {
      const behind = (await all()).filter((later) => entry.stopped && later.game === entry.game && later.id > entry.id);
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
    const answer = await fetched(entry.address, { method: "POST", body, headers: { "X-CSRFToken": token } });
    return { status: answer.status, ...await read(answer) };
  }

  // The answer to one entry. Only the server's own words count: a hotel's sign-in page says 200 to everything.
  async function settle(entry, answer) {
    const { status, key, sentences } = answer;
    if (key === entry.key) {
      await know(entry.game, answer.numbers);
      await remove(entry.id);
      return "recorded";
    }
    if (!sentences || ![409, 422].includes(status)) return "kept";
    await know(entry.game, answer.numbers);
    await put({ ...entry, refused: sentences });
    return "refused";
  }

  // Sends what waits, in order, and returns how much still waits to be sent; a page sends what its own person entered.
  // Whatever goes wrong with one entry keeps back those behind it in its game, never another game's.
  async function send(person) {
    const isTo = (entry) => !entry.stopped && (person === undefined || entry.person === person);
    return alone(async () => {
      const kept = new Set();
      let token = null;
      for (const { stopped, ...entry } of (await all()).filter(isTo)) {
        if (kept.has(entry.game)) continue;
        try {
          token ||= (await read(await fetched("/token/"))).token;
          const what = await settle(entry, await post(entry, token));
          if (what === "recorded") tell({ game: entry.game, recorded: true });
          else kept.add(entry.game);
          if (what === "refused") tell({ game: entry.game });
        } catch {
          break; // no network, so no other entry gets through either
        }
      }
      return (await all()).filter(isTo).length;
    });
  }

  async function wipe() {
    await alone(async () => {
      for (const store of ["entries", "games"]) await run(store, "readwrite", (found) => found.clear());
    });
    tell({});
  }

  const forget = () => run("games", "readwrite", (store) => store.clear());

  return { add, all, drop, numbers, know, forget, send, wipe, heard: (listener) => listeners.push(listener) };
})();
