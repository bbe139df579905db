"""The ways to make own sets from a hand of Chinchón, tried in order to leave the fewest points.

For each way, the tables in `runs` give the points that the cards in no set leave after their best runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from operator import add
from typing import NamedTuple

from ..step_budget import spend_steps
from .bitmasks import BitmaskCodec
from .groups import MIN_GROUP_SIZE, Pack
from .runs import RunSolver, WildCost, run_points_table

LOOKUP_STEPS, CHOICE_STEPS = 100, 10  # steps for looking up a hand, and for each of its ways


class SetChoice(NamedTuple):
    """A way to make sets: the bit mask of the cards left for runs, and the number of wilds left.

    `has_set` is true if there is at least one set, which could take the wilds that no run uses.
    """

    mask: int
    wilds: int
    has_set: bool


class SetChoiceSolver:
    """A solver of one pack that tries the ways to make own sets; a hand has at most `copies` of each card."""

    def __init__(self, pack: Pack, copies: int) -> None:
        self.pack = pack
        self.holdings = BitmaskCodec(pack, copies)
        values = [pack.values[rank] for rank in pack.deck.ranks]
        self.runs = RunSolver(values, copies)
        self.run_points = run_points_table(values) if copies == 1 else self.runs.points_left(0)
        self._wild_cost = WildCost(self.runs)
        self._sets = lru_cache(maxsize=1 << 14)(self._sets_of_rank)

    def least(self, mask: int, wilds: Sequence[int]) -> int:
        """Return the fewest points that a hand leaves.

        `mask` is the bit mask of its natural cards. `wilds` are the points of its wilds, the cheapest first.
        """
        spare = (0, *accumulate(wilds))
        ways = self._choices(mask, len(wilds))
        spend_steps(LOOKUP_STEPS + CHOICE_STEPS * len(ways))
        return min([self._points(way, spare) for way in ways])

    def _choices(self, mask: int, wilds: int) -> list[SetChoice]:
        """Return the ways to make own sets that may leave the fewest points.

        `mask` is the bit mask of the natural cards, and `wilds` the number of wilds.
        """
        # A card that no run can use belongs in every set of its rank: left out it would only cost points.
        run_cards = self.holdings.run_candidates(mask, wilds)
        # A set of one card and wilds is not tried: the same cards make a run, which the tables value. Only if
        # there are as many wilds as ranks, a run may not hold them all, so such a set is tried.
        fewest = 1 if wilds >= len(self.holdings.rank_columns) else 2 if wilds else MIN_GROUP_SIZE
        ways = [SetChoice(mask, wilds, False)]
        for column in self._columns(mask, fewest):
            cards = mask & column
            if cards.bit_count() < fewest:
                continue
            sets = self._sets(cards, cards & run_cards, fewest, wilds)
            stays = cards & run_cards or cards.bit_count() < MIN_GROUP_SIZE
            longer: list[SetChoice] = []
            for shorter in ways:
                rest, free_wilds = shorter.mask, shorter.wilds
                longer += [
                    SetChoice(rest ^ part, free_wilds - needed, True)
                    for part, needed in sets
                    if needed <= free_wilds
                ]
                if stays:
                    longer.append(shorter)
            ways = longer
        return ways

    def _sets_of_rank(self, cards: int, run_cards: int, fewest: int, wilds: int) -> Sequence[tuple[int, int]]:
        """Return the sets that may be made of cards of one rank, as (bit mask of its cards, wilds it needs).

        Cards outside `run_cards` are in every set, and a set has at least `fewest` cards.
        """
        sets = []
        for part in self.holdings.selections(cards):
            size = part.bit_count()
            if size >= fewest and size + wilds >= MIN_GROUP_SIZE and not (cards ^ part) & ~run_cards:
                sets.append((part, max(0, MIN_GROUP_SIZE - size)))
        return sets

    def _columns(self, mask: int, fewest: int) -> Sequence[int]:
        """Return the ranks that could have a set, each as the bit mask of all its cards in the pack.

        A set needs `fewest` natural cards of the rank in `mask`. Some ranks with fewer may be included.
        """
        if fewest < 2 or self.holdings.copies > 1:
            return self.holdings.rank_columns
        first, second, third, fourth = self.holdings.split_suits(mask)
        twice = first & second | (first | second) & third | (first | second | third) & fourth
        columns = []
        while twice:
            columns.append(self.holdings.suit_column * (twice & -twice))
            twice &= twice - 1
        return columns

    def _points(self, way: SetChoice, spare: Sequence[int]) -> int:
        """Return the fewest points that remain after the sets of this way and the best runs.

        `spare` gives the points of 0, 1, 2 … wilds left over.
        """
        if not way.wilds:
            run_points = self.run_points
            first, second, third, fourth = self.holdings.split_suits(way.mask)
            return run_points[first] + run_points[second] + run_points[third] + run_points[fourth]
        if way.wilds == 1:
            return self._points_with_wild(way, spare[1])
        by_wilds = self.runs.by_wilds(way.wilds)
        rows = [by_wilds[holding] for holding in self.holdings.split_suits(way.mask) if holding]
        least = rows.pop() if rows else by_wilds[0]
        for row in rows:
            least = [min(map(add, least[: wilds + 1], row[wilds::-1])) for wilds in range(len(row))]
        if way.has_set:
            return min(least)
        return min([points + spare[way.wilds - wilds] for wilds, points in enumerate(least)])

    def _points_with_wild(self, way: SetChoice, spare: int) -> int:
        """Return the fewest points that a way with one wild leaves, in a set, in a run or left over.

        `spare` is the points of the wild if it is left over. The general sums in `_points` would give the
        same result, but take longer.
        """
        run_points, cost = self.run_points, self._wild_cost
        first, second, third, fourth = self.holdings.split_suits(way.mask)
        in_run = min(cost[first], cost[second], cost[third], cost[fourth])
        least = run_points[first] + run_points[second] + run_points[third] + run_points[fourth]
        return least + min(in_run, 0 if way.has_set else spare)
