"""The kinds of scoring: cards left in hand, melds, cards left over, and points as the players typed them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from .cards import Card
from .frozen import freeze

SUITS_PER_SET = 3  # in Loba de Más (RULES 3.1)


@dataclass(frozen=True)
class HeldPoints:
    """Scoring in which the cards left in hand count against their holder.

    `values` gives the points by rank; the joker's rank is `*`.
    """

    values: Mapping[str, int]

    def __post_init__(self) -> None:
        freeze(self, "values")

    @cached_property
    def cheapest(self) -> int:
        return min(self.values.values())

    @cached_property
    def dearest_first(self) -> tuple[str, ...]:
        """The ranks, joker included, from the highest value to the lowest."""
        return tuple(sorted(self.values, key=self.values.__getitem__, reverse=True))


@dataclass(frozen=True, eq=False)
class MeldPoints:
    """Scoring in which melds count for their player, and cards in hand against that player (RULES 3.2).

    `in_hand` and `in_set` give the value of a card by rank; values in hand are negative, and the joker's rank
    is `*`. For each place in a run, `in_run` gives the value of a natural card and `as_wild` the value of a
    wild. A run has one of the `run_sizes`. A set has at most `copies` cards of each of its suits, as many as
    there are packs. Create only one object of this class for each game and number of packs, because each
    object has its own cached solver.
    """

    in_hand: Mapping[str, int]
    in_set: Mapping[str, int]
    in_run: tuple[int, ...]
    as_wild: tuple[int, ...]
    run_sizes: range
    copies: int

    @cached_property
    def set_sizes(self) -> range:
        """The allowed numbers of cards in a set, e.g. 3 to 6 with two packs.

        A set has cards of three suits: at least one of each, at most all copies of each.
        """
        return range(SUITS_PER_SET, SUITS_PER_SET * self.copies + 1)

    def __post_init__(self) -> None:
        freeze(self, "in_hand", "in_set")


class Rewarded(StrEnum):
    """The players who get a reward in points if they have no cards left to count.

    CLOSED_HAND: the cutter, if all their cards are in their own melds.
    """

    ANYONE = "anyone"
    CUTTER = "cutter"
    CLOSED_HAND = "closed_hand"  # the cutter, if all their cards are in their own melds


class Placing(StrEnum):
    """The rounds in which cards left over are placed on others' melds.

    UNLESS_CLOSED: rounds in which the cutter does not have all cards in their own melds.
    """

    ON = "on"
    OFF = "off"
    UNLESS_CLOSED = "unless_closed"  # not if the cutter has all cards in their own melds


@dataclass(frozen=True)
class LeftoverPoints:
    """Scoring in which the cards left over count against their holder (RULES 5).

    Cards in the player's own melds count nothing, nor do cards placed on others' melds (see `placing`).
    `values` gives the points by rank. A card named in `wild_cards` counts `wild_value`. A player with nothing
    left gets `nothing_left` points if `nothing_left_for` includes that player. A player may cut (end the
    round) with at most `cut_max` points left, and with `free_cut` even if that makes them bust. With
    `strict_cut` any other cut is refused; without it, it is a doubt.
    """

    values: Mapping[str, int]
    wild_cards: frozenset[str]
    wild_value: int
    placing: Placing
    cut_max: int
    free_cut: bool
    nothing_left: int
    nothing_left_for: Rewarded
    strict_cut: bool = False

    def __post_init__(self) -> None:
        freeze(self, "values")

    def points_of(self, card: Card) -> int:
        return self.wild_value if str(card) in self.wild_cards else self.values[card.rank]

    @cached_property
    def dearest_first(self) -> tuple[int, ...]:
        """The values of the ranks, from the highest to the lowest."""
        return tuple(sorted(self.values.values(), reverse=True))


@dataclass(frozen=True)
class TypedPoints:
    """Scoring in which points are typed as the players counted them; they may be negative (RULES 8)."""


Scoring: TypeAlias = HeldPoints | MeldPoints | LeftoverPoints | TypedPoints
