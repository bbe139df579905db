// What this phone stores: the entries of each person that wait, and the newest numbers of each game. Pages
// and the service worker load this after base/disk.js, so it is no module.

/** @import { Numbers } from "../play/arithmetic.js" */

/**
 * An entry of a form that waits (games/play/presenters/offline_queue.py). `shown` and `refused` are not sent.
 * @typedef {object} Fact
 * @property {"round" | "reentry" | "payment" | "tick" | "hand"} form
 * @property {string} table the code of its table; empty for an entry of a game
 * @property {string} game the code of its game; empty for a payment or a tick
 * @property {Record<string, any>} fields
 * @property {number} after the number of the last event that the person had seen
 * @property {string} key
 * @property {string} at when it was saved
 * @property {Shown} shown
 * @property {Refusal} [refused]
 *
 * The words and figures with which pages show an entry.
 * @typedef {object} Shown
 * @property {string} title
 * @property {string} detail
 * @property {import("../play/arithmetic.js").Round} [round]
 * @property {string[]} [answer] the player who may re-enter, and the answer
 * @property {Owner} [by]
 *
 * Whose entry it is, for pages of which they are not the person. A guest cannot sign in again.
 * @typedef {{ name: string, isGuest: boolean }} Owner
 *
 * Why the site did not record an entry. It is not sent again before a person decides.
 * @typedef {object} Refusal
 * @property {string[]} [sentences] the reasons; none if the site broke
 * @property {string[]} [meanwhile] what was recorded at its game since `after`
 * @property {boolean} [used] whether its key belongs to something else that was recorded
 * @property {string} [sure] the answer with which a payment of more than is owed is sent again
 *
 * @typedef {object} Box
 * @property {(person: string) => Promise<Fact[]>} unsent what waits, in order
 * @property {(person: string, act: (facts: Fact[]) => Fact[] | null) => Promise<boolean>} change
 *   changes what waits in one transaction; resolves to whether `act` returned anything
 * @property {(fact: Fact) => string} queueName those with the same one wait for each other
 * @property {(facts: Fact[]) => Fact[]} free those that are not refused and wait behind no refused one
 * @property {() => Promise<Record<string, Fact[]>>} everybody what waits of each person
 * @property {(game: string) => Promise<Numbers | undefined>} numbers
 * @property {(game: string, printed: Numbers) => Promise<boolean>} know stores them unless it has newer ones
 * @property {(person?: string) => Promise<void>} wipe removes all but what waits of other persons
 */

/** @type {Box} */
self.box = (() => {
  const UNSENT = "unsent:";
  const run = self.openDisk("waiting");
  const get = (key) => run("readonly", (store) => store.get(key));

  const unsent = async (person) => (await get(UNSENT + person)) ?? [];

  // One transaction: nobody changes the record between reading and writing. No change if `act` returns null.
  async function changeRecord(key, act) {
    let isDone = false;
    await run("readwrite", (store) => {
      const request = store.get(key);
      request.onsuccess = () => {
        const record = act(request.result);
        isDone = record !== null;
        if (isDone) store.put(record, key);
      };
    });
    return isDone;
  }

  // Entries of one game wait for each other; payments, ticks and own hands wait for nothing.
  const queueName = ({ form, game, key }) => (["round", "reentry"].includes(form) ? game : key);

  function free(facts) {
    const stopped = new Set(facts.filter(({ refused }) => refused).map(queueName));
    return facts.filter((fact) => !stopped.has(queueName(fact)));
  }

  async function everybody() {
    const keys = await run("readonly", (store) => store.getAllKeys());
    const people = keys.filter((key) => key.startsWith(UNSENT)).map((key) => key.slice(UNSENT.length));
    return Object.fromEntries(
      await Promise.all(people.map(async (person) => [person, await unsent(person)])),
    );
  }

  const numbersKey = (game) => `numbers:${game}`;

  return {
    unsent,
    change: (person, act) => changeRecord(UNSENT + person, (facts = []) => act(facts)),
    queueName,
    free,
    everybody,
    numbers: (game) => get(numbersKey(game)),
    // A page may come from the cache. Mostly its numbers are stored already, and reading holds nobody back.
    know: async (game, printed) => {
      if (JSON.stringify(await get(numbersKey(game))) === JSON.stringify(printed)) return false;
      return changeRecord(numbersKey(game), (known) => (known?.after > printed.after ? null : printed));
    },
    wipe: (person) =>
      run("readwrite", (store) => {
        const request = store.getAllKeys();
        request.onsuccess = () => {
          for (const key of request.result) {
            if (!key.startsWith(UNSENT) || key === UNSENT + person) store.delete(key);
          }
          request.transaction.commit?.();
        };
      }),
  };
})();
