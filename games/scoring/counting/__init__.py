"""Counting of hands into points, one module for each kind of scoring.

`entry` is a round as entered: its closer (the player who ended the round) and the hands. `deal` has the
players dealt in. A doubt is a warning that an entry looks wrong. It never blocks the entry. `field` is the
form input of a hand: a RuleError about the hand carries it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, assert_never

from ..card_points import HeldPoints, LeftoverPoints, MeldPoints, Scoring, TypedPoints
from ..kinds import Rules
from ..rounds import Deal, Doubt, Hand, PlayerId, RoundEntry


class Counting(Protocol):
    """The interface of a counting module: the functions that the module of each kind of scoring has."""

    def hand_points(self, rules: Rules, hand: Hand, *, field: str = "") -> int:
        """Return the points of one hand by itself, before any bonus."""

    def round_points(self, rules: Rules, entry: RoundEntry, deal: Deal) -> dict[PlayerId, int]:
        """Return the points of everybody dealt into a round, including the bonus for closing it."""

    def odd_hands(self, rules: Rules, entry: RoundEntry, deal: Deal) -> tuple[Doubt, ...]:
        """Return the doubts about the hands entered so far, in seat order.

        Each hand is judged by itself, since other hands may still be missing.
        """

    def doubts(
        self, rules: Rules, entry: RoundEntry, deal: Deal, points: Mapping[PlayerId, int]
    ) -> tuple[Doubt, ...]:
        """Return the doubts about a complete round, in seat order."""


def counting_of(rules: Rules) -> Counting:
    """Return the module that counts hands under these rules, by their kind of scoring.

    The module and its solvers are imported only when they are first needed.
    """
    kind = type(rules.scoring)
    known = _IMPORTED.get(kind)
    if known is None:
        known = _IMPORTED[kind] = _imported(rules.scoring)
    return known


_IMPORTED: dict[type[Scoring], Counting] = {}  # by kind of scoring; an import statement in each round is slow


def _imported(scoring: Scoring) -> Counting:
    match scoring:
        case HeldPoints():
            from . import held

            return held
        case MeldPoints():
            from . import melded

            return melded
        case LeftoverPoints():
            from . import leftover

            return leftover
        case TypedPoints():
            from . import typed

            return typed
        case _:
            assert_never(scoring)
