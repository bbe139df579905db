"""The least leftover of a hand by itself: the fewest points that its own sets and runs can leave (RULES 5).

The answer is exact for any pack of up to four suits. Wilds and equal cards are allowed. The order of
`laying.Laying` decides between equally good answers, so the same cards always give the same answer.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..cards import Card, Deck
from ..effort import AnswerCache, spend
from .groups import Group, Pack
from .laying import Layings
from .parts import Cards, Parts


class Leftover(NamedTuple):
    """The least leftover of a hand by itself: its points, its groups, and the cards left (sobrante)."""

    points: int
    groups: tuple[Group, ...]
    left: Cards


# The sizes of a pack's caches: some two megabytes at most.
KEPT_HANDS = 1024
KEPT_ROUNDS = 1024  # the most rounds a game can have


def leftovers_of(deck: Deck, values: Mapping[str, int], wilds: Mapping[Card, int]) -> Leftovers:
    """Return the cached solver of a pack.

    `values` gives the points by rank, and `wilds` the points by card, such as {Card("*"): 25}.
    """
    return _leftovers(deck, tuple(values[rank] for rank in deck.ranks), tuple(wilds.items()))


@lru_cache(maxsize=16)
def _leftovers(deck: Deck, values: tuple[int, ...], wilds: tuple[tuple[Card, int], ...]) -> Leftovers:
    return Leftovers(Pack(deck, dict(zip(deck.ranks, values, strict=True)), dict(wilds)))


class Leftovers:
    """A solver of one pack for hands by themselves.

    A hand is any collection of the pack's cards with their suits, in any order. Methods raise RuleError for a
    card that the pack does not have, or for too many copies of one.
    """

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self._solved: AnswerCache[Cards, Leftover] = AnswerCache(KEPT_HANDS)
        self.rounds: AnswerCache[tuple[Cards, ...], tuple[int, ...]] = AnswerCache(KEPT_ROUNDS)

    def points(self, hand: Collection[Card]) -> int:
        """Return the points of the hand's least leftover."""
        return self.best(hand).points

    def best(self, hand: Collection[Card]) -> Leftover:
        """Return the hand's least leftover: its points, the groups that leave it, and the cards left."""
        cards = tuple(hand)
        return self._solved.answer(cards, lambda: self._laid(cards))

    def is_one_run(self, hand: Sequence[Card]) -> bool:
        """Return whether the whole hand is one run (chinchón)."""
        return self.pack.is_run(hand)

    def _laid(self, hand: Cards) -> Leftover:
        self.pack.deck.check([("", hand)])
        layings = Layings(Parts(self.pack, hand))
        laid = layings.laid()
        spend(layings.steps)
        return Leftover(laid.points, laid.groups, laid.left)
