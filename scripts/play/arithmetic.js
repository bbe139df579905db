// Arithmetic of rounds on the phone, from the numbers that the server printed (`offline_numbers.build`).
// Only the server counts melds and hands of seven cards: their points are null, and so is every total that
// includes them. No function changes its arguments.

/**
 * A seat as printed by the server or computed by the phone.
 * @typedef {object} Seat
 * @property {string} id
 * @property {"in" | "pending" | "out" | "sits_out" | "left"} seat
 * @property {number | null} total null if only the server can count it
 * @property {number} [most] the highest possible value of such a total
 * @property {number} reentries
 * @property {number | null} [back] the total to come back with
 */

/**
 * A way to close a round: its bonus, and whose hand counts.
 * @typedef {object} Closing
 * @property {number} bonus
 * @property {number} each a bonus for each player of the round
 * @property {boolean} by whether a player closes the round
 * @property {string} hand of the player who closes it
 * @property {boolean} wins whether it wins the game
 * @property {string} kind
 * @property {boolean} wild whether it is a run with a wild, scored differently
 */

/**
 * The numbers that a phone needs to score a game.
 * @typedef {object} Numbers
 * @property {number} after the number of the last event
 * @property {number} round the number of the next round
 * @property {string} kind the kind of hand
 * @property {Seat[]} seats
 * @property {Record<string, Closing>} closings
 * @property {Record<string, number>} values the points of each card
 * @property {number} [set] the most cards of a set on the table
 * @property {Record<string, number>} [wilds] the points of wild cards
 * @property {string} suits
 * @property {number} cards the number of cards dealt
 * @property {[string, number][]} [contracts] the coming contracts, each with the number of cards dealt
 * @property {number | null} limit
 * @property {number} [target]
 * @property {number} [rounds] the number of rounds of the game
 * @property {number | null} floor
 * @property {number | null} wins_at this total or a lower one wins
 * @property {number | null} buy the points of a bought card
 * @property {number} [nothing] the points for having nothing left
 * @property {string} [nothing_for] the players who get these points
 * @property {boolean} lowest whether the lowest total is the best
 * @property {boolean} zero_sum whether the points of a round add up to 0
 * @property {boolean} down whether totals are shown counted down from the limit
 * @property {string} ending
 * @property {boolean} [play_off] whether those who are in play off a tie, so that any round may be the last
 * @property {number | null} cap the most re-entries of a player
 * @property {number} above how far above the highest total they re-enter
 * @property {number | null} open_to the highest total that still allows a re-entry
 * @property {number | null} [pot] null if nobody pays
 * @property {string | null} deals the next dealer
 * @property {string} over the reason why the game is over
 * @property {boolean} [unsure] whether only the server knows who plays on
 * @property {object[]} [waits] the queued rounds and answers
 */

/**
 * A round as entered: the closer, the closing, and a hand for each player.
 * @typedef {{ closer: string, closing: string, hands: Record<string, string> }} Round
 */

const MOST = 1e5;

/** @type {(numbers: Numbers) => Seat[]} */
export const playing = (numbers) => numbers.seats.filter((one) => one.seat === "in");
/** @type {(numbers: Numbers, id: string) => Seat | undefined} */
export const seatFor = (numbers, id) => numbers.seats.find((one) => one.id === id);
/**
 * A total as shown: the rest up to the limit if totals are counted down.
 * @type {(numbers: Numbers, total: number) => number}
 */
export const shown = (numbers, total) => (numbers.down ? numbers.limit - total : total);

// --- hands -------------------------------------------------------------------------------------------------

/**
 * A hand as typed, before any bonus. `points` is null if the hand is missing or unreadable (`raw`), or if
 * only the server can count it; `most` is the sum of its cards.
 * @param {Numbers} numbers
 * @param {string} text
 * @returns {{ points: number | null, cards?: string[], most?: number | null, raw?: string }}
 */
export function readHand(numbers, text) {
  const typed = (text || "").trim();
  const counted = /^(-?\d+)(?:\+(\d+))?$/.exec(typed);
  if (counted) {
    const points = Number(counted[1]);
    const least = ["melds", "typed"].includes(numbers.kind) ? -MOST : 0;
    return { points: points < least || points > MOST ? null : withBought(numbers, points, counted[2]) };
  }
  const written = /^((?:\{[^{}[\]]*\})*)(\[[^{}[\]]*\])?(?:\+(\d+))?$/.exec(typed);
  const [, melds, held = "", bought] = written ?? [];
  if (!melds && !held) return { points: null, raw: typed };
  const cards = held.slice(1, -1).split(/\s+/).filter(Boolean);
  const values = cards.map((card) => valueIn(numbers, card));
  const most = values.includes(undefined) ? null : sum(values);
  const isOpen = melds || isDealt(numbers, cards);
  return { cards, most, points: isOpen || most === null ? null : withBought(numbers, most, bought) };
}

function withBought(numbers, points, bought) {
  if (bought === undefined) return points;
  return numbers.buy === null ? null : points + Number(bought) * numbers.buy;
}

// The value of a card in hand; undefined if the pack has no such card.
function valueIn(numbers, card) {
  if (numbers.wilds && card in numbers.wilds) return numbers.wilds[card];
  const suited = card.length > 1 && numbers.suits.includes(card.at(-1)) && card[0] !== "*";
  return numbers.values[suited ? card.slice(0, -1) : card];
}

// Seven cards with suits are the whole hand; fewer, or without suits, are the declared leftover.
function isDealt(numbers, cards) {
  return (
    numbers.kind === "leftover" &&
    cards.length === numbers.cards &&
    cards.every((card) => card === "*" || numbers.suits.includes(card.at(-1)))
  );
}

// --- a round -----------------------------------------------------------------------------------------------

export const closerId = (entry) => (entry.closer && entry.closer !== "nobody" ? entry.closer : null);

/**
 * The closing that counts: if a run with a wild is scored differently, the closer's cards decide which
 * of the two it is.
 * @param {Numbers} numbers
 * @param {Round} entry
 * @returns {Closing | undefined}
 */
export function findClosing(numbers, entry) {
  const named = numbers.closings[entry.closing];
  const cards = named?.kind === "one_run" ? readHand(numbers, entry.hands[closerId(entry)]).cards : null;
  if (!cards?.length) return named;
  const wild = !isNaturalRun(numbers, cards);
  return Object.values(numbers.closings).find((one) => one.kind === named.kind && one.wild === wild) ?? named;
}

function isNaturalRun(numbers, cards) {
  const ranks = Object.keys(numbers.values); // in the order of the pack
  const places = cards.map((card) => ranks.indexOf(card.slice(0, -1))).sort((one, other) => one - other);
  const suits = new Set(cards.map((card) => card.at(-1)));
  return suits.size === 1 && places.every((place, step) => place >= 0 && place === places[0] + step);
}

/**
 * The score of each player in the round, with bonus and floor; null if a hand is missing or only the server
 * can count it.
 * @param {Numbers} numbers
 * @param {Round} entry
 * @returns {Record<string, number | null>}
 */
export function roundPoints(numbers, entry) {
  const how = findClosing(numbers, entry);
  const closer = closerId(entry);
  if (numbers.zero_sum && how && closer && !entry.hands[closer]) {
    const others = playing(numbers).filter(({ id }) => id !== closer);
    const points = others.map(({ id }) => [id, scoreFor(numbers, entry, how, id)]);
    const isWhole = points.every(([, score]) => score !== null);
    return Object.fromEntries([...points, [closer, isWhole ? -sum(points.map(([, score]) => score)) : null]]);
  }
  return Object.fromEntries(
    playing(numbers).map((seat) => {
      const points = how ? scoreFor(numbers, entry, how, seat.id) : null;
      return [
        seat.id,
        points === null || numbers.floor === null || seat.total === null
          ? points
          : Math.max(points, Math.min(numbers.floor - seat.total, 0)),
      ];
    }),
  );
}

function scoreFor(numbers, entry, how, id) {
  const isCloser = id === closerId(entry);
  const hand = readHand(numbers, entry.hands[id]);
  if (how.wins) return 0;
  const none = isCloser && mayBeLeftOut(how);
  if (numbers.kind === "leftover") {
    if (isCloser && how.kind === "one_run") return how.bonus;
    const left = none ? 0 : hand.points;
    return left === 0 && how.by && isRewarded(numbers, how, isCloser) ? numbers.nothing : left;
  }
  const blank = none && !entry.hands[id];
  const points = blank ? 0 : hand.points;
  return points === null || !isCloser ? points : points + how.bonus + how.each * playing(numbers).length;
}

const sum = (all) => all.reduce((before, one) => before + one, 0);

// Whether the closer need not enter a hand.
/** @type {(how: Closing | undefined) => boolean} */
export const mayBeLeftOut = (how) => how?.hand === "nothing" || how?.hand === "any";

function isRewarded(numbers, how, isCloser) {
  if (numbers.nothing_for === "anyone") return true;
  return isCloser && (numbers.nothing_for === "cutter" || how.hand === "nothing");
}
