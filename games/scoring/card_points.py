"""The kinds of scoring: cards left in hand, melds, cards left over, and points as the players typed them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from .cards import JOKER, Card
from .frozen import Frozen, freeze

SUITS_PER_SET = 3  # in Loba de Más (RULES 3.1)
LEAST_MELD = 3  # cards
SUITS = 4
WILDS = ("2", JOKER)


@dataclass(frozen=True, eq=False, repr=False)
class RoundDifference(Frozen):
    """The score of a round won by one player: what the others have left, less that player's own points.

    The closer wins, and gets the bonus of the closing too. If the closer's hand is `REST` and another player has as few
    points or fewer, the player with the fewest wins instead, and gets `beaten_bonus`. If nobody closed, nobody scores.
    """

    beaten_bonus: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class HeldPoints(Frozen):
    """Scoring in which the cards left in hand count against their holder.

    `values` gives the points by rank; the joker's rank is `*`. With a `difference`, one player scores instead.
    """

    values: Mapping[str, int]
    difference: RoundDifference | None = None

    def __post_init__(self) -> None:
        freeze(self, "values")

    @cached_property
    def cheapest(self) -> int:
        return min(self.values.values())

    @cached_property
    def dearest_first(self) -> tuple[str, ...]:
        """The ranks, joker included, from the highest value to the lowest."""
        return tuple(sorted(self.values, key=self.values.__getitem__, reverse=True))


@dataclass(frozen=True, eq=False, repr=False)
class Sets(Frozen):
    """The sets of a game, cards of one rank.

    `suits` has the allowed numbers of different suits, None if suits do not matter. `wilds` is the largest
    number of wilds in a set, and `most` that of cards; None means as many as the pack has.
    """

    suits: range | None = range(SUITS_PER_SET, SUITS_PER_SET + 1)
    wilds: int = 0
    most: int | None = None


def wild_limit(most: int) -> str:
    """Return how many wild cards a meld of a custom game may have: "at most 2 wild cards"."""
    return f"at most {most} wild card{'s' * (most != 1)}" if most else "no wild cards"


@dataclass(frozen=True, eq=False, repr=False)
class MeldBonus(Frozen):
    """Points for a meld of at least this many `cards`: without a wild (`natural`), or with one (`mixed`)."""

    cards: int
    natural: int
    mixed: int


@dataclass(frozen=True, eq=False)
class MeldPoints:
    """Scoring in which melds count for their player, and cards in hand against that player (RULES 3.2).

    `in_hand` and `in_set` give the value of a card by rank; values in hand are negative, and the joker's rank
    is `*`. For each place in a run, `in_run` gives the value of a natural card and `as_wild` the value of a
    wild. A run has one of the `run_sizes`; an empty range means no runs, and then `in_run` and `as_wild` may be
    empty too. A set has at most `copies` cards of each of its suits, as many as there are packs. Create only one object of this class for each game and
    number of packs, because each object has its own cached solver.

    The defaults of the other fields are those of Loba de Más. `wilds` are the ranks that stand for others, of
    `2` and `*`. `sets` describes the sets; None means none. `run_wilds` is the largest number of wilds in a run;
    None means any number. With `wild_values`, a wild counts its own value, whatever it stands for. The first of
    the `bonuses` that a meld is long enough for is added to it.
    """

    in_hand: Mapping[str, int]
    in_set: Mapping[str, int]
    in_run: tuple[int, ...]
    as_wild: tuple[int, ...]
    run_sizes: range
    copies: int
    wilds: tuple[str, ...] = WILDS
    sets: Sets | None = Sets()
    run_wilds: int | None = None
    wild_values: Mapping[str, int] | None = None
    bonuses: tuple[MeldBonus, ...] = ()

    @cached_property
    def set_sizes(self) -> range:
        """The allowed numbers of cards in a set, e.g. 3 to 6 in Loba de Más with two packs; empty without sets."""
        if self.sets is None:
            return range(0)
        suits = self.sets.suits
        held = SUITS * self.copies + self.sets.wilds if suits is None else suits[-1] * self.copies
        return range(LEAST_MELD if suits is None else suits[0], min(held, self.sets.most or held) + 1)

    @cached_property
    def sizes(self) -> range:
        """The numbers of cards in a meld, from the smallest to the largest."""
        sizes = [*self.set_sizes, *self.run_sizes]
        return range(min(sizes), max(sizes) + 1)

    @cached_property
    def least_value(self) -> int:
        """The least that a card on the table can count."""
        wilds = self.as_wild if self.wild_values is None else tuple(self.wild_values.values())
        return min(*self.in_set.values(), *self.in_run, *wilds)

    @cached_property
    def is_of_loba(self) -> bool:
        """True if the melds are those of Loba de Más: its sentences contain their numbers."""
        return (self.wilds, self.sets, self.run_wilds, self.run_sizes) == (
            WILDS,
            Sets(),
            None,
            range(3, 14),
        ) and (self.copies in (2, 3))

    def bonus(self, cards: int, *, is_natural: bool) -> int:
        reached = next((bonus for bonus in self.bonuses if cards >= bonus.cards), None)
        return 0 if reached is None else reached.natural if is_natural else reached.mixed

    def __post_init__(self) -> None:
        freeze(self, "in_hand", "in_set")
        if self.wild_values is not None:
            freeze(self, "wild_values")


class Rewarded(StrEnum):
    """The players who get a reward in points if they have no cards left to count.

    CLOSED_HAND: the cutter, if all their cards are in their own melds.
    """

    ANYONE = "anyone"
    CUTTER = "cutter"
    CLOSED_HAND = "closed_hand"


class Placing(StrEnum):
    """The rounds in which cards left over are placed on others' melds.

    UNLESS_CLOSED: rounds in which the cutter does not have all cards in their own melds. ON_CUTTER: the same
    rounds, but only the other players place cards, and only on the cutter's melds.
    """

    ON = "on"
    OFF = "off"
    UNLESS_CLOSED = "unless_closed"
    ON_CUTTER = "on_cutter"


@dataclass(frozen=True, eq=False, repr=False)
class LeftoverPoints(Frozen):
    """Scoring in which the cards left over count against their holder (RULES 5).

    The pack has up to four suits; a set is three or more cards of a rank, a run three or more of a suit. Cards
    in the player's own melds count nothing, nor do cards placed on others' melds (see `placing`).
    `values` gives the points by rank. A card named in `wild_cards` counts `wild_value`. A player with nothing
    left gets `nothing_left` points if `nothing_left_for` includes that player. A player may cut (end the
    round) with at most `cut_max` points left, and with `free_cut` even if that makes them bust. With
    `strict_cut` any other cut is refused; without it, it is a doubt. With a `difference`, one player scores
    instead, by what everyone has left after placing.
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
    difference: RoundDifference | None = None

    def __post_init__(self) -> None:
        freeze(self, "values")

    def points_of(self, card: Card) -> int:
        return self.wild_value if str(card) in self.wild_cards else self.values[card.rank]

    @cached_property
    def dearest_first(self) -> tuple[int, ...]:
        """The values of the ranks, from the highest to the lowest."""
        return tuple(sorted(self.values.values(), reverse=True))


@dataclass(frozen=True, eq=False, repr=False)
class TypedPoints(Frozen):
    """Scoring in which points are typed as the players counted them; they may be negative (RULES 8)."""


Scoring: TypeAlias = HeldPoints | MeldPoints | LeftoverPoints | TypedPoints


def range_label(numbers: range) -> str:
    """Return the first and the last number, such as `3 to 6`, or the only one."""
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
