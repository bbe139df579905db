// The arithmetic of a round on the phone, from the numbers that the server printed
// (`offline_numbers.build`). Only the server counts melds and hands of seven cards: their points are
// null, and so is every total with them. The functions change none of their arguments.

/**
 * A seat, as the server printed it or as the phone computed it.
 * @typedef {object} Seat
 * @property {string} id
 * @property {"in" | "pending" | "out" | "left"} seat
 * @property {number | null} total null if only the server can count it
 * @property {number} [most] the highest that such a total can be
 * @property {number} reentries
 * @property {number | null} [back] the total to come back with
 */

/**
 * A way to close a round: its bonus, and whose hand counts.
 * @typedef {object} Closing
 * @property {number} bonus
 * @property {number} each times everybody who plays
 * @property {boolean} by whether a player closes the round that way
 * @property {string} hand of the player who closes it
 * @property {boolean} wins the game
 * @property {string} kind
 * @property {boolean} wild whether it is a run with a wild that counts apart
 */

/**
 * The numbers with which a phone counts a game.
 * @typedef {object} Numbers
 * @property {number} after the last event
 * @property {number} round the next one
 * @property {string} kind of hand
 * @property {Seat[]} seats
 * @property {Record<string, Closing>} closings
 * @property {Record<string, number>} values of the cards
 * @property {number} [set] the most cards of a set on the table
 * @property {Record<string, number>} [wilds] what cards that stand for others count
 * @property {string} suits
 * @property {number} cards dealt
 * @property {[string, number][]} [contracts] of the rounds to come, with the cards dealt for each
 * @property {number | null} limit
 * @property {number} [target]
 * @property {number} [rounds] after which the game is over
 * @property {number | null} floor
 * @property {number | null} wins_at the total that wins, or a lower one
 * @property {number | null} buy what a card that was bought counts
 * @property {number} [nothing] what having nothing left gives
 * @property {string} [nothing_for] whom
 * @property {boolean} lowest whether the lowest total is the best
 * @property {boolean} zero_sum whether the points of a round add up to 0
 * @property {boolean} down whether people see what is left of a total up to the limit
 * @property {string} ending
 * @property {number | null} cap how often one may come back
 * @property {number} above by how much they start above the highest total
 * @property {number | null} open_to the highest total up to which one may come back
 * @property {number | null} [pot] null where nobody pays
 * @property {string | null} deals who deals next
 * @property {string} over why the game is
 * @property {boolean} [unsure] whether only the site can say who plays on
 * @property {object[]} [waits] the rounds and answers that are not recorded yet
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
 * A total as people see it: what is left up to the limit where it is counted down.
 * @type {(numbers: Numbers, total: number) => number}
 */
export const shown = (numbers, total) => (numbers.down ? numbers.limit - total : total);

// --- hands -------------------------------------------------------------------------------------------------

/**
 * A hand as typed, before any bonus. points is null if the hand is missing or unreadable (`raw`), or if only
 * the server can count it; `most` is what its cards are worth.
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
 * The closing that counts: where a run with a wild counts apart, the cards of the closer decide
 * between the two.
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

// Whether the player who closes a round that way need not enter a hand.
/** @type {(how: Closing | undefined) => boolean} */
export const mayBeLeftOut = (how) => how?.hand === "nothing" || how?.hand === "any";

function isRewarded(numbers, how, isCloser) {
  if (numbers.nothing_for === "anyone") return true;
  return isCloser && (numbers.nothing_for === "cutter" || how.hand === "nothing");
}
