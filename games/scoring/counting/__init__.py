"""How hands become points, one file for each kind of scoring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, assert_never

from games.scoring.rounds import Deal, Doubt, Hand, PlayerId, RoundEntry
from games.scoring.rules import HeldPoints, LeftoverPoints, MeldPoints, Rules, TypedPoints


class Counting(Protocol):
    """What a kind of scoring can do."""

    def hand_points(self, rules: Rules, hand: Hand, *, field: str = "") -> int:
        """The points of one hand by itself, before any bonus."""

    def round_points(self, rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
        """The points of a round for everybody dealt in, bonus included."""

    def odd_hands(self, rules: Rules, entry: RoundEntry, deal: Deal) -> tuple[Doubt, ...]:
        """What is odd in the hands that are there, each by itself, in seat order; others may be missing still."""

    def doubts(
        self, rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]
    ) -> tuple[Doubt, ...]:
        """What is odd in a round that can be scored, in seat order."""


def counting_of(rules: Rules) -> Counting:
    """How these rules count; a kind is loaded with its solvers when a game first needs it, not before."""
    match rules.scoring:
        case HeldPoints():
            import games.scoring.counting.held as held

            return held
        case MeldPoints():
            import games.scoring.counting.melded as melded

            return melded
        case LeftoverPoints():
            import games.scoring.counting.leftover as leftover

            return leftover
        case TypedPoints():
            import games.scoring.counting.typed as typed

            return typed
        case _:
            assert_never(rules.scoring)
