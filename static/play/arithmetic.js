// What a phone can count by itself, from the numbers the server printed (games/shown/play/numbers.py): sums, who is bust,
// the total and the price to come back with. Melds and hands of seven cards are the server's: those points stay null,
// and so does every total they touch. Nothing here changes what it is given.

const MOST = 1e5;
const DEAREST = 1e15;

const known = (total) => total !== null;
export const playing = (numbers) => numbers.seats.filter((one) => one.seat === "in");
export const pending = (numbers) => numbers.seats.filter((one) => one.seat === "pending");
export const seatOf = (numbers, id) => numbers.seats.find((one) => one.id === id);

// --- hands -----------------------------------------------------------------------------------------------------------

// What stands in a hand, before any bonus. points is null while it is missing, unreadable or, with `open`, the server's.
export function readHand(numbers, text) {
  const hand = { points: null, cards: null, melds: 0, bought: 0, open: false };
  const typed = (text || "").trim();
  const counted = /^(-?\d+)(?:\+(\d+))?$/.exec(typed);
  const written = /^((?:\{[^{}[\]]*\})*)(\[[^{}[\]]*\])?(?:\+(\d+))?$/.exec(typed);
  if (counted) {
    const points = Number(counted[1]);
    const least = numbers.kind === "melds" ? -MOST : 0;
    return { ...hand, bought: Number(counted[2] || 0), points: points < least || points > MOST ? null : withBought(numbers, points, counted[2]) };
  }
  if (!typed || !written || !(written[1] || written[2])) return typed ? { ...hand, raw: typed } : hand;
  const cards = (written[2] || "").slice(1, -1).split(/\s+/).filter(Boolean);
  const melds = written[1] ? written[1].split("}").length - 1 : 0;
  const values = cards.map((card) => valueOf(numbers, card));
  const open = Boolean(melds) || isDealt(numbers, cards);
  const sum = values.includes(undefined) ? null : values.reduce((all, value) => all + value, 0);
  return {
    cards, melds, open, bought: Number(written[3] || 0), most: sum,
    points: open || sum === null ? null : withBought(numbers, sum, written[3]),
  };
}

function withBought(numbers, points, bought) {
  if (bought === undefined) return points;
  return numbers.buy === null ? null : points + Number(bought) * numbers.buy;
}

// What a card counts in hand, undefined where the pack has no such card.
function valueOf(numbers, card) {
  if (numbers.wilds && card in numbers.wilds) return numbers.wilds[card];
  const suited = card.length > 1 && numbers.suits.includes(card.at(-1)) && card[0] !== "*";
  return numbers.values[suited ? card.slice(0, -1) : card];
}

// Seven cards with their suits are the hand dealt; fewer, or without suits, are what was left, as declared.
function isDealt(numbers, cards) {
  return numbers.kind === "leftover" && cards.length === numbers.cards
    && cards.every((card) => card === "*" || numbers.suits.includes(card.at(-1)));
}

// --- a round ---------------------------------------------------------------------------------------------------------

const closerOf = (entry) => (entry.closer && entry.closer !== "nobody" ? entry.closer : null);

// The round's score of everybody in, bonus and floor included; null where a hand is missing or the server's to count.
export function roundPoints(numbers, entry) {
  const how = numbers.closings[entry.closing];
  return Object.fromEntries(playing(numbers).map((seat) => {
    const points = how ? scoreOf(numbers, entry, how, seat.id) : null;
    return [seat.id, points === null || numbers.floor === null || seat.total === null
      ? points : Math.max(points, Math.min(numbers.floor - seat.total, 0))];
  }));
}

function scoreOf(numbers, entry, how, id) {
  const isCloser = id === closerOf(entry);
  const hand = readHand(numbers, entry.hands[id]);
  if (how.wins) return 0;
  const none = isCloser && how.hand === "nothing";
  if (numbers.kind === "leftover") {
    if (isCloser && how.kind === "one_run") return how.bonus;
    const left = none ? 0 : hand.points;
    return left === 0 && how.by && isRewarded(numbers, how, isCloser) ? numbers.nothing : left;
  }
  const blank = none && !entry.hands[id];
  const points = blank ? 0 : hand.points;
  return points === null || !isCloser ? points : points + how.bonus + how.each * playing(numbers).length;
}

function isRewarded(numbers, how, isCloser) {
  if (numbers.nothing_for === "anyone") return true;
  return isCloser && (numbers.nothing_for === "cutter" || how.hand === "nothing");
}

// The numbers once this round is played: totals, who is asked to re-enter and at which total, whether the game is over.
// `unsure` where a total the server counts decides who plays on.
export function played(numbers, entry) {
  const points = roundPoints(numbers, entry);
  const how = numbers.closings[entry.closing];
  const closer = closerOf(entry);
  const seats = numbers.seats.map((one) => {
    if (one.seat === "pending") return { ...one, seat: "out", back: null };
    if (one.seat !== "in") return one;
    const total = known(one.total) && points[one.id] !== null ? one.total + points[one.id] : null;
    const seat = { ...one, total, won: one.won + (one.id === closer) };
    if (total === null) seat.most = mostOf(one) + (points[one.id] ?? readHand(numbers, entry.hands[one.id]).most ?? Infinity);
    return seat;
  });
  const next = { ...numbers, after: numbers.after + 1, round: numbers.round + 1, dealt: dealer(numbers), due: null, seats };
  if (numbers.contracts) {
    next.contracts = numbers.contracts.slice(1);
    next.cards = next.contracts[0]?.[1] ?? numbers.cards;
  }
  return how.wins && closer ? over(next, "instant_win", [closer]) : judged(next);
}

// --- how it goes on --------------------------------------------------------------------------------------------------

const mostOf = (one) => one.total ?? one.most;

function judged(numbers) {
  const here = playing(numbers);
  const { limit, ending } = numbers;
  const bust = here.filter((one) => known(one.total) && one.total >= limit);
  const maybe = here.filter((one) => !known(one.total) && one.most >= limit);
  if (ending === "last_in") {
    if (maybe.length) return { ...numbers, unsure: true };
    const alive = here.filter((one) => !bust.includes(one));
    if (!alive.length) return over(numbers, "everybody_bust", best(numbers, here), bust);
    if (alive.length === 1) return over(numbers, "last_in", [alive[0].id], bust);
    return asked(numbers, bust, alive);
  }
  if (ending === "first_out") {
    if (bust.length) return over(numbers, "first_out", best(numbers, here), bust);
    return maybe.length ? { ...numbers, unsure: true } : numbers;
  }
  if (ending === "first_to") {
    const winners = best(numbers, here);
    const reached = here.some((one) => known(one.total) && one.total >= numbers.target);
    return reached && !(numbers.play_on && winners?.length !== 1) ? over(numbers, "target", winners) : numbers;
  }
  if (numbers.contracts.length) return numbers;
  const winners = best(numbers, here);
  return over(numbers, "contracts_done", winners && numbers.by_rounds_won ? mostWon(numbers, winners) : winners);
}

// Each bust player may come back at the highest total of those alive (H), or is out where he has used up his re-entries.
function asked(numbers, bust, alive) {
  const highest = Math.max(...alive.map((one) => one.total ?? -Infinity));
  const most = Math.max(...alive.map(mostOf));
  const back = highest === most ? { back: highest } : { back: null, most };
  return withSeats(numbers, bust, (one) => (
    numbers.cap !== null && one.reentries >= numbers.cap ? { seat: "out" } : { seat: "pending", ...back }));
}

function over(numbers, reason, winners, bust = []) {
  const gone = numbers.seats.filter((one) => one.seat === "pending" || (bust.includes(one) && winners && !winners.includes(one.id)));
  const pot = winners && numbers.pot !== null ? { pot: 0 } : {};
  return { ...withSeats(numbers, gone, () => ({ seat: "out", back: null })), ...pot, over: reason, winners };
}

// The ids of those with the best total; null while a total that decides it is the server's.
function best(numbers, among) {
  if (among.some((one) => !known(one.total))) return null;
  const totals = among.map((one) => one.total);
  const total = numbers.lowest ? Math.min(...totals) : Math.max(...totals);
  return among.filter((one) => one.total === total).map((one) => one.id);
}

function mostWon(numbers, tied) {
  const most = Math.max(...tied.map((id) => seatOf(numbers, id).won));
  return tied.filter((id) => seatOf(numbers, id).won === most);
}

function withSeats(numbers, some, change) {
  return { ...numbers, seats: numbers.seats.map((one) => (some.includes(one) ? { ...one, ...change(one) } : one)) };
}

// --- who deals, who comes back ---------------------------------------------------------------------------------------

// Who deals the next round.
export function dealer(numbers) {
  const around = numbers.direction === "left" ? numbers.seats : [...numbers.seats].reverse();
  const from = around.findIndex((one) => one.id === (numbers.due ?? numbers.dealt)) + (numbers.due === null ? 1 : 0);
  return [...around.slice(from), ...around.slice(0, from)].find((one) => one.seat === "in")?.id ?? null;
}

// What the next re-entry of this player costs, on his own ladder; null where it is more than the server counts.
export function feeOf(numbers, id) {
  const count = seatOf(numbers, id).reentries + 1;
  const fee = numbers.fee * { flat: 1, linear: count, double: 2 ** (count - 1) }[numbers.price];
  return fee > DEAREST ? null : fee;
}

// The numbers once a bust player answered: "reenter" or "stay_out".
export function answered(numbers, id, answer) {
  const seat = seatOf(numbers, id);
  const comes = answer === "reenter";
  const { back, ...rest } = seat;
  const change = comes ? { ...rest, seat: "in", total: back, reentries: seat.reentries + 1, back: null } : { ...rest, seat: "out", back: null };
  return {
    ...numbers, after: numbers.after + 1, pot: comes && numbers.pot !== null ? numbers.pot + feeOf(numbers, id) : numbers.pot,
    seats: numbers.seats.map((one) => (one === seat ? change : one)),
  };
}
