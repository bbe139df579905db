"""Laying a hand where tables alone do not do: with wilds, with equal cards, or on shown groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from games.scoring.cards import Card
from games.scoring.groups import Group, without
from games.scoring.ways import Ways


class Laid(NamedTuple):
    """The least with cards on shown groups too: `placed` has the cards for each of these, in the order shown."""

    points: int
    groups: tuple[Group, ...]
    placed: tuple[tuple[Card, ...], ...]
    left: tuple[Card, ...]


class Search:
    """All ways of one hand, and the first of those that leave least."""

    def __init__(
        self,
        ways: Ways,
        hand: Collection[Card],
        wilds: tuple[Card, ...],
        naturals: list[Card],
        shown: Sequence[Group],
    ) -> None:
        self.ways = ways
        self.hand = hand
        self.wilds = wilds
        self.shown = shown
        self.spare = (0, *accumulate(ways.pack.wilds[card] for card in reversed(wilds)))
        self.choices = ways.every(
            ways.holdings.holding(naturals), len(wilds), [ways.spot(group.cards) for group in shown]
        )

    @property
    def points(self) -> int:
        return min([self.ways.points(way, self.spare) for way in self.choices])

    def laid(self) -> Laid:
        best = min(self.choices, key=lambda way: self.ways.points(way, self.spare))
        groups = self.ways.groups(best, self.spare, self.wilds)
        placed, own = groups[: len(self.shown)], groups[len(self.shown) :]
        return Laid(
            points=self.ways.points(best, self.spare),
            groups=tuple(self.ways.pack.group(cards) for cards in own),
            placed=tuple(map(tuple, placed)),
            left=without(self.hand, chain.from_iterable(groups)),
        )
