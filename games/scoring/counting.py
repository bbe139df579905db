"""Counting of hands into points, one module for each kind of scoring.

`entry` is a round as entered: its closer (the player who ended the round) and the hands. `deal` has the
players dealt in. A doubt is a warning that an entry looks wrong. It never blocks the entry. `field` is the
form input of a hand: a RuleError about the hand carries it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, assert_never

from . import held_points, leftover_points, typed_points
from .card_points import HeldPoints, LeftoverPoints, MeldPoints, TypedPoints
from .rounds import Deal, Doubt, Hand, PlayerId, RoundEntry
from .rule_types import Rules


class CountingModule(Protocol):
    """The interface of a counting module: the functions that the module of each kind of scoring has."""

    def hand_points(self, rules: Rules, hand: Hand, *, field: str = "") -> int:
        """Return the points of one hand by itself, before any bonus."""

    def round_points(self, rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
        """Return the points of everybody dealt into a round, including the bonus for closing it."""

    def hand_doubts(self, rules: Rules, entry: RoundEntry, deal: Deal) -> Iterator[Doubt]:
        """Yield the doubts about the hands entered so far, in seat order.

        Each hand is judged by itself, since other hands may still be missing.
        """

    def doubts(
        self, rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]
    ) -> tuple[Doubt, ...]:
        """Return the doubts about a complete round, in seat order."""


def counting_module(rules: Rules) -> CountingModule:
    """Return the module that counts hands under these rules, by their kind of scoring."""
    match rules.scoring:
        case HeldPoints():
            return held_points
        case MeldPoints():
            from . import meld_points  # its solver is slow to import, and of no use to the other games

            return meld_points
        case LeftoverPoints():
            return leftover_points
        case TypedPoints():
            return typed_points
        case _:
            assert_never(rules.scoring)
