"""Counting of hands into points, one module for each kind of scoring.

`entry` is a round as entered: its closer (the player who ended the round) and the hands. `deal` has the
players dealt in. A doubt is a warning that an entry looks wrong. It never blocks the entry. `field` is the
form input of a hand: a RuleError about the hand carries it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, assert_never

from .card_points import HeldPoints, LeftoverPoints, MeldPoints, TypedPoints
from .rounds import Deal, Doubt, Hand, PlayerId, RoundEntry
from .rule_types import Rules


class CountingModule(Protocol):
    """The functions that the counting module of each kind of scoring has."""

    def hand_points(self, rules: Rules, hand: Hand, *, field: str = "") -> int:
        """Return the points of one hand by itself, before any bonus.

        Raise RuleError, for the input `field`, if the hand is not allowed under these rules.
        """

    def round_points(self, rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
        """Return the points of everyone dealt into a round, including the bonus for closing it.

        Raise RuleError if a hand is missing, or if a hand or the closing is not allowed.
        """

    def hand_doubts(self, rules: Rules, entry: RoundEntry, deal: Deal) -> Iterator[Doubt]:
        """Yield the doubts about the hands entered so far, in seat order.

        Each hand is judged by itself, because other hands may still be missing. Raise RuleError for a hand
        that is not allowed.
        """

    def doubts(
        self, rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]
    ) -> tuple[Doubt, ...]:
        """Return the doubts about a complete round, in seat order."""


def counting_module(rules: Rules) -> CountingModule:
    """Return the counting module of these rules, which is imported when the first game needs it."""
    match rules.scoring:
        case HeldPoints():
            from . import held_points

            return held_points
        case MeldPoints():
            from . import meld_points

            return meld_points
        case LeftoverPoints():
            from . import leftover_points

            return leftover_points
        case TypedPoints():
            from . import typed_points

            return typed_points
        case _:
            assert_never(rules.scoring)


def hand_points(rules: Rules, hand: Hand) -> int:
    """Return the points of a single hand, before any bonus.

    Raise RuleError for a hand that nobody can hold.
    """
    if not isinstance(rules.scoring, LeftoverPoints):  # whose module checks each hand by itself
        rules.deck.check([("hand", hand.cards)])
    return counting_module(rules).hand_points(rules, hand, field="hand")
