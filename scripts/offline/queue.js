// The data stored on this phone: each person's queued entries, and the newest numbers of each game.

/** @import { Numbers } from "../play/arithmetic.js" */

/**
 * A queued entry of a form (games/play/presenters/offline_queue.py). `shown` and `refused` are not sent.
 * @typedef {object} Fact
 * @property {"round" | "reentry" | "payment" | "tick" | "hand"} form
 * @property {string} table the code of its table; empty for an entry of a game
 * @property {string} game the code of its game; empty for a payment or a tick
 * @property {Record<string, any>} fields
 * @property {number} after the number of the last event that the user had seen
 * @property {string} key
 * @property {string} at when it was saved
 * @property {Shown} shown
 * @property {Refusal} [refused]
 *
 * The text and numbers that pages show for an entry.
 * @typedef {object} Shown
 * @property {string} title
 * @property {string} detail
 * @property {import("../play/arithmetic.js").Round} [round]
 * @property {string[]} [answer] the player who may re-enter, and the answer
 * @property {Owner} [by]
 *
 * The person who made the entry, for pages shown to somebody else. A guest cannot sign in again.
 * @typedef {{ name: string, isGuest: boolean }} Owner
 *
 * Why the site did not record an entry. It is not sent again until the user decides.
 * @typedef {object} Refusal
 * @property {string[]} [sentences] the reasons; none if the server failed
 * @property {string[]} [meanwhile] events recorded in its game since `after`
 * @property {boolean} [used] whether its key was used for something else
 * @property {string} [sure] the confirmation to send again with a payment that exceeds the debt
 *
 * @typedef {object} Box
 * @property {(person: string) => Promise<Fact[]>} unsent the queued entries, in order
 * @property {(person: string, act: (facts: Fact[]) => Fact[] | null) => Promise<boolean>} change
 *   changes the queue in one transaction; resolves to whether `act` returned anything
 * @property {(fact: Fact) => string} queueName entries with the same name are sent in order
 * @property {(facts: Fact[]) => Fact[]} free the entries that are neither refused nor behind a refused one
 * @property {() => Promise<Record<string, Fact[]>>} everybody the queued entries of each person
 * @property {(game: string) => Promise<Numbers | undefined>} numbers
 * @property {(game: string, printed: Numbers) => Promise<boolean>} know stores them unless it has newer ones
 */

/** @type {Box} */
self.box = (() => {
  const UNSENT = "unsent:";
  const run = self.openDisk("waiting");
  const get = (key) => run("readonly", (store) => store.get(key));

  const unsent = async (person) => (await get(UNSENT + person)) ?? [];

  // In one transaction, so that nobody changes the record between reading and writing. Null from `act`
  // changes nothing.
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

  // Entries of one game are sent in order. Payments, ticks and offered hands do not wait for others.
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
    // A page may come from the cache. Usually its numbers are stored already, and reading does not block
    // others.
    know: async (game, printed) => {
      if (JSON.stringify(await get(numbersKey(game))) === JSON.stringify(printed)) return false;
      return changeRecord(numbersKey(game), (known) => (known?.after > printed.after ? null : printed));
    },
  };
})();
