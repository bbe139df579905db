// What scripts of older releases left in a database of their own, which their open tabs still use: entries of
// forms, and the numbers of games. Loaded before the first attempt to send, by pages and by the service
// worker, so it is no module.

/** @typedef {{ takeOver: () => Promise<void> }} Older */

/** @type {Older} */
self.older = (() => {
  const asked = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });

  // Move everything to the outbox. An entry is stored there before it is removed here, and has its key in
  // both places. Only the sender calls this: no older tab is sending at the same time.
  async function takeOver() {
    const request = indexedDB.open("anotador", 1); // an open tab would block a newer version
    request.onupgradeneeded = () => request.transaction.abort(); // there is none: make none
    const database = await asked(request).catch(() => null);
    if (!database) return;
    const store = (name) => database.transaction(name, "readwrite").objectStore(name);
    try {
      for (const { id, ...entry } of await asked(store("entries").getAll())) {
        await adopt(entry);
        await asked(store("entries").delete(id));
      }
      for (const { code, numbers } of await asked(store("games").getAll()))
        await self.box.know(code, numbers);
      await asked(store("games").clear());
    } finally {
      database.close();
    }
  }

  // `held` is the event that an entry behind a dropped one follows; true if a person has to look at it first.
  /** @param {Record<string, any>} entry */
  async function adopt({ person, refused, held, broken, spent, recorded, seen, ...entry }) {
    const { title, detail, round, answer } = entry;
    const after = Number.isInteger(held) ? held : entry.after;
    const typed = self.outbox.factOf({ .../** @type {any} */ (entry), after });
    const known = await self.box.unsent(person);
    const facts = [...known.queued, ...known.held.flatMap((one) => one.facts)];
    if (facts.some(({ key }) => key === typed.key)) return;
    const now = Number.isInteger(seen) ? seen : undefined;
    const isHeld = refused || held === true;
    const why = isHeld ? { sentences: refused ?? [], broken, spent, recorded, now } : undefined;
    await self.outbox.add(person, { ...typed, shown: { title, detail, round, answer } }, why);
  }

  return { takeOver };
})();
