"""The ways to make own sets from a hand that may leave the fewest points.

The tables in `runs` give the points that the other cards leave.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from operator import add
from typing import NamedTuple

from ..effort import spend
from .groups import SMALLEST, Pack
from .holdings import Holdings
from .runs import Runs, points_after_runs

LOOKED_UP, WAY = 100, 10  # steps for looking up a hand, and for each of its ways


class Way(NamedTuple):
    """A way to make sets: the cards and wilds left for runs.

    `fed` is true if there is a set, because a set can take spare wilds.
    """

    held: int
    wilds: int
    fed: bool

    def with_set(self, cards: int, wilds: int) -> Way:
        """Return the way with one more set, of these cards and this many wilds.

        The set can take any spare wilds too.
        """
        return Way(self.held ^ cards, self.wilds - wilds, True)


class Ways:
    """The ways to make sets with one pack, for hands with at most `copies` of each card."""

    def __init__(self, pack: Pack, copies: int) -> None:
        self.pack = pack
        self.holdings = Holdings(pack, copies)
        values = [pack.values[rank] for rank in pack.deck.ranks]
        self.runs = Runs(values, copies)
        self.after_runs = points_after_runs(values) if copies == 1 else self.runs.points(0)
        self._parts = cache(self.holdings.parts)  # called only for cards of one rank

    def least(self, held: int, wilds: Sequence[int]) -> int:
        """Return the fewest points that a hand leaves.

        `wilds` are the points of its wilds, the cheapest first.
        """
        spare = (0, *accumulate(wilds))
        ways = self._every(held, len(wilds))
        spend(LOOKED_UP + WAY * len(ways))
        return min([self._points(way, spare) for way in ways])

    def _every(self, held: int, wilds: int) -> list[Way]:
        """Return the ways to make own sets from the cards held that may leave the fewest points."""
        # A card that no run can use belongs in every set of its rank: left out it would only cost points.
        wanted = self.holdings.in_runs(held, wilds)
        # One card with wilds also makes a run, which the tables value, unless there are more wilds than a run
        # holds.
        fewest = 1 if wilds >= len(self.holdings.rank_columns) else 2 if wilds else SMALLEST
        ways = [Way(held, wilds, False)]
        for column in self.holdings.rank_columns:
            cards = held & column
            if cards.bit_count() < fewest:
                continue
            sets = []
            for part in self._parts(cards):
                size = part.bit_count()
                if size >= fewest and size + wilds >= SMALLEST and not (cards ^ part) & ~wanted:
                    sets.append((part, max(0, SMALLEST - size)))
            stays = cards & wanted or cards.bit_count() < SMALLEST
            longer: list[Way] = []
            for shorter in ways:
                longer += [shorter.with_set(part, needed) for part, needed in sets if needed <= shorter.wilds]
                if stays:
                    longer.append(shorter)
            ways = longer
        return ways

    def _points(self, way: Way, spare: Sequence[int]) -> int:
        """Return the fewest points that a way leaves.

        `spare` gives the points of 0, 1, 2 … wilds left over.
        """
        if not way.wilds:
            left = self.after_runs
            first, second, third, fourth = self.holdings.suits(way.held)
            return left[first] + left[second] + left[third] + left[fourth]
        by_wilds = self.runs.by_wilds(way.wilds)
        rows = [by_wilds[holding] for holding in self.holdings.suits(way.held) if holding]
        least = rows.pop() if rows else by_wilds[0]
        for row in rows:
            least = [min(map(add, least[: wilds + 1], row[wilds::-1])) for wilds in range(len(row))]
        if way.fed:
            return min(least)
        return min([points + spare[way.wilds - wilds] for wilds, points in enumerate(least)])
