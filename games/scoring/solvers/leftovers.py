"""The least leftover of a hand by itself: the fewest points that its own sets and runs can leave (RULES 5).

The answer is exact for any pack of up to four suits. Wilds and equal cards are allowed. The order of
`laying.LayingCandidate` decides between equally good answers, so the same cards always give the same answer.
Nearly all hands have no wilds and no equal cards; they are looked up in precomputed tables.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from ..cards import Card, Deck
from ..step_budget import AnswerCache, spend_steps
from .bitmasks import CardBits
from .fast_placing import FastPlacingSolver
from .groups import MIN_GROUP_SIZE, Group, Pack
from .hand_parts import HandParts
from .laying import LayingSearch
from .set_choices import SetChoiceSolver


class Leftover(NamedTuple):
    """The least leftover of a hand by itself, before cards are placed on others' melds.

    It is given as its points, the hand's groups, and the cards left (sobrante).
    """

    points: int
    groups: tuple[Group, ...]
    left: tuple[Card, ...]


_NO_GROUPS: tuple[Group, ...] = ()
# The sizes of a pack's caches: some two megabytes at most.
MAX_CACHED_HANDS = 4096
MAX_CACHED_ROUNDS = 1024  # the most rounds a game can have


def get_leftover_solver(deck: Deck, values: Mapping[str, int], wilds: Mapping[Card, int]) -> LeftoverSolver:
    """Return the cached solver of a pack.

    `values` gives the points by rank, and `wilds` the points by card, such as {Card("*"): 25}.
    """
    return _cached_solver(deck, tuple(values[rank] for rank in deck.ranks), tuple(wilds.items()))


@lru_cache(maxsize=8)
def _cached_set_choices(deck: Deck, values: tuple[int, ...], copies: int) -> SetChoiceSolver:
    """Return the cached `SetChoiceSolver` of a pack: tables of the points that hands leave.

    They are for hands with at most `copies` of each card, and do not depend on the pack's wilds. `values` are
    the points of its ranks, in running order.
    """
    return SetChoiceSolver(Pack(deck, dict(zip(deck.ranks, values, strict=True)), {}), copies)


@lru_cache(maxsize=16)
def _cached_solver(
    deck: Deck, values: tuple[int, ...], wilds: tuple[tuple[Card, int], ...]
) -> LeftoverSolver:
    return LeftoverSolver(Pack(deck, dict(zip(deck.ranks, values, strict=True)), dict(wilds)))


class _PointLookups(NamedTuple):
    """Two functions that look up the least points that a hand leaves, as closures over a pack's tables.

    `points` takes cards, and `least` the bit mask of cards without wilds and equal ones. Methods would look
    the tables up as attributes of `self`, which takes a fifth of the time.
    """

    points: Callable[[Collection[Card]], int]
    least: Callable[[int], int]


def _point_lookups(
    tables: SetChoiceSolver, card_bit: Callable[[Card], int], search: Callable[[Collection[Card]], int]
) -> _PointLookups:
    """Return the functions that look up the least points of a hand in the `tables` of a pack.

    `card_bit` returns the bit of a card in these tables. The tables lack hands with wilds or with equal
    cards: for these, `points` calls `search`.
    """
    run_points, one_suit, with_sets = tables.run_points, tables.holdings.suit_mask, _set_lookup(tables)
    _, to_second, to_third, to_fourth = tables.holdings.suit_shifts

    def points(hand: Collection[Card]) -> int:
        mask = sum(map(card_bit, hand))
        if mask.bit_count() != len(hand):  # a wild adds no bit, and two equal cards carry into a single bit
            return search(hand)
        first, second = mask & one_suit, mask >> to_second & one_suit
        third, fourth = mask >> to_third & one_suit, mask >> to_fourth
        if first & third or second & fourth:  # of any three suits, two are one of these pairs
            threes = first & second & (third | fourth) | third & fourth & (first | second)
            if threes:
                return with_sets(mask, (first, second, third, fourth), threes)
        return run_points[first] + run_points[second] + run_points[third] + run_points[fourth]

    def least(mask: int) -> int:
        first, second = mask & one_suit, mask >> to_second & one_suit
        third, fourth = mask >> to_third & one_suit, mask >> to_fourth
        threes = first & second & (third | fourth) | third & fourth & (first | second)
        return with_sets(mask, (first, second, third, fourth), threes)

    return _PointLookups(points, least)


def _set_lookup(tables: SetChoiceSolver) -> Callable[[int, Sequence[int], int], int]:
    """Return the function that looks up the least points of a hand that may have sets."""
    run_points = tables.run_points

    def with_sets(mask: int, suits: Sequence[int], threes: int) -> int:
        """Return the least points that a hand leaves.

        `mask` is the bit mask of the hand, `suits` has that of its cards of each suit, and `threes` is the
        bit mask of ranks that can be sets. A set takes all cards of its rank, except that one of four cards
        may stay for a run.
        """
        first, second, third, fourth = suits
        stays = ~threes
        fewest = (
            run_points[first & stays]
            + run_points[second & stays]
            + run_points[third & stays]
            + run_points[fourth & stays]
        )
        if not fewest or not mask & mask >> 1 & mask >> 2:
            return fewest  # without three cards in a row, no card is better off outside a set
        chosen = threes
        while chosen:
            chosen = chosen - 1 & threes
            stays = ~chosen
            points = (
                run_points[first & stays]
                + run_points[second & stays]
                + run_points[third & stays]
                + run_points[fourth & stays]
            )
            if points < fewest:
                fewest = points
        fours = first & second & third & fourth
        while fours and fewest:
            four = fours & -fours
            fours ^= four
            for number, suit in enumerate(suits):
                if suit & (four << 1 | four >> 1):
                    rest = [cards ^ four for cards in suits]
                    rest[number] = suit
                    fewest = min(fewest, with_sets(mask, rest, threes ^ four))
        return fewest

    return with_sets


class LeftoverSolver:
    """A solver of one pack for hands by themselves.

    A hand is any collection of the pack's cards with their suits, in any order. Methods raise RuleError for a
    card that the pack does not have, or for too many copies of one. `points` returns the points of a hand's
    least leftover.
    """

    points: Callable[[Collection[Card]], int]

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._single = _cached_set_choices(pack.deck, self._values, 1)
        holdings = self._single.holdings
        self._card_bit = CardBits(holdings.first_bits | dict.fromkeys(pack.wilds, 0)).__getitem__
        self._run_points = self._single.run_points
        self.points, self._least = _point_lookups(self._single, self._card_bit, self._search)
        self._suit = holdings.suit_mask
        _, self._second, self._third, self._fourth = holdings.suit_shifts
        self._column = holdings.suit_column
        self._suit_masks = [holdings.suit_mask << shift for shift in holdings.suit_shifts]
        self._choices = cache(self._set_options)
        self._sets: dict[int, Group] = {}
        self._runs = cache(self._best_runs)
        self._solved: AnswerCache[tuple[Card, ...], int] = AnswerCache(MAX_CACHED_HANDS)
        self.rounds: AnswerCache[tuple[bool, tuple[tuple[Card, ...], ...]], tuple[int, ...]] = AnswerCache(
            MAX_CACHED_ROUNDS
        )

    @cached_property
    def _multi_copy(self) -> SetChoiceSolver:
        """The tables (`SetChoiceSolver`) for hands with several copies of a card."""
        return _cached_set_choices(self.pack.deck, self._values, self.pack.deck.copies)

    @cached_property
    def placing_solver(self) -> FastPlacingSolver:
        """The fast solver for hands laid beside groups on the table, without wilds and equal cards."""
        return FastPlacingSolver(self.pack, self._single.holdings, self._least, self.best)

    @property
    def _values(self) -> tuple[int, ...]:
        return tuple(self.pack.values[rank] for rank in self.pack.deck.ranks)

    # --- a hand by itself -----------------------------------------------------------------------------------

    def best(self, hand: Collection[Card]) -> Leftover:
        """Return the hand's least leftover: its points, the groups that leave it, and the cards left."""
        card_bit = self._card_bit
        mask = sum(map(card_bit, hand))
        if mask.bit_count() != len(hand):
            self._naturals(hand)
            layings = LayingSearch(HandParts(self.pack, hand))
            best_laying = layings.best_laying()
            spend_steps(layings.steps)
            return Leftover(best_laying.points, best_laying.groups, best_laying.remaining)
        suit, run_points = self._suit, self._run_points
        first, second = mask & suit, mask >> self._second & suit
        third, fourth = mask >> self._third & suit, mask >> self._fourth
        threes = first & second & (third | fourth) | third & fourth & (first | second)
        rest, groups = mask, _NO_GROUPS
        if threes:
            rests = self._rests_without_sets(mask, threes)
            rest = rests[0] if len(rests) == 1 else min(rests, key=self._points_after_runs)
            groups = self._split_sets(mask ^ rest, threes)
            points = self._points_after_runs(rest)
        else:
            points = run_points[first] + run_points[second] + run_points[third] + run_points[fourth]
        if in_rows := rest & rest >> 1 & rest >> 2:
            for suit_mask in self._suit_masks:
                if in_rows & suit_mask:
                    in_runs, runs = self._runs(rest & suit_mask)
                    groups += runs
                    rest ^= in_runs
        if rest == mask:
            return Leftover(points, groups, tuple(hand))
        return Leftover(points, groups, tuple([card for card in hand if rest & card_bit(card)]))

    def _rests_without_sets(self, mask: int, threes: int) -> list[int]:
        """Return, for each choice of sets that may be the best, the bit mask of the cards in no set.

        `mask` is the bit mask of the hand, and `threes` that of the ranks that can be sets. The first of
        several equally good choices is preferred.
        """
        sets = mask & self._column * threes
        runs = mask & mask >> 1 & mask >> 2
        run_cards = (runs | runs << 1 | runs << 2) & sets
        if not run_cards:
            return [mask ^ sets]
        rests = [mask]
        while threes:
            cards = sets & self._column * (threes & -threes)
            threes &= threes - 1
            if loose := cards & run_cards:
                rests = [rest ^ part for rest in rests for part in self._choices(cards, loose)]
            else:
                rests = [rest ^ cards for rest in rests]
        return rests

    def _points_after_runs(self, rest: int) -> int:
        """Return the points left after the best runs; `rest` is the bit mask of the cards in no set."""
        return sum([self._run_points[holding] for holding in self._single.holdings.split_suits(rest)])

    def _split_sets(self, cards: int, ranks: int) -> tuple[Group, ...]:
        """Return the sets in the bit mask `cards`: one for each rank in the bit mask `ranks`.

        A rank without cards has no set.
        """
        sets: list[Group] = []
        while ranks:
            if part := cards & self._column * (ranks & -ranks):
                if part not in self._sets:
                    self._sets[part] = Group(tuple(self._single.holdings.decode(part)))
                sets.append(self._sets[part])
            ranks &= ranks - 1
        return tuple(sets)

    def _set_options(self, cards: int, loose: int) -> list[int]:
        """Return the sets of `cards`, of one rank, that may be the best choice, and at the end 0 for no set.

        All are bit masks. Cards that no run could use are in every set; `loose` are the others.
        """
        parts = self._single.holdings.selections(cards)
        return [
            *(part for part in parts if part.bit_count() >= MIN_GROUP_SIZE and not (cards ^ part) & ~loose),
            0,
        ]

    def _best_runs(self, mask: int) -> tuple[int, tuple[Group, ...]]:
        """Return the best runs in the bit mask `mask` (they leave the fewest points), as (their mask, runs)."""
        holdings, ranks, suits = self._single.holdings, self.pack.deck.ranks, self.pack.deck.suits
        runs = [
            tuple(Card(rank, suits[number]) for rank in ranks[start : start + length])
            for number, holding in enumerate(holdings.split_suits(mask))
            for start, length in self._single.runs.best_runs(holding)
        ]
        return holdings.encode(card for cards in runs for card in cards), tuple(map(Group, runs))

    # --- hands with wilds or with equal cards ---------------------------------------------------------------

    def _search(self, hand: Collection[Card]) -> int:
        """Return the points of the hand's least leftover, from a cache if possible."""
        cards = tuple(hand)
        return self._solved.answer(cards, lambda: self._search_all(cards))

    def _search_all(self, hand: Collection[Card]) -> int:
        """Return the points of the hand's least leftover, by trying every choice of sets."""
        wilds = self.pack.wilds
        spare = sorted([wilds[card] for card in hand if card in wilds])
        mask = sum(map(self._card_bit, hand))
        if mask.bit_count() + len(spare) == len(hand):
            return self._single.least(mask, spare)
        return self._multi_copy.least(self._multi_copy.holdings.encode(self._naturals(hand)), spare)

    def _naturals(self, hand: Collection[Card]) -> list[Card]:
        """Return the cards of the hand that are not wild.

        Raise RuleError if the hand has more copies of one of them than the pack.
        """
        naturals = [card for card in hand if card not in self.pack.wilds]
        if len(set(naturals)) < len(naturals):
            self.pack.deck.check([("", naturals)])
        return naturals
