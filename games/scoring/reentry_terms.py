"""The terms on which bust players may come back: how often, and at what price (RULES 1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from .frozen import Frozen


@dataclass(frozen=True, eq=False, repr=False)
class Flat(Frozen):
    """A re-entry price that is always the same."""

    fee: int


@dataclass(frozen=True, eq=False, repr=False)
class Linear(Frozen):
    """A re-entry price that grows by `fee` each time: k times `fee` for a player's k-th re-entry."""

    fee: int


@dataclass(frozen=True, eq=False, repr=False)
class Doubling(Frozen):
    """A re-entry price that doubles with each re-entry of a player: `fee`, then 2, 4, 8 … times `fee`."""

    fee: int


Price: TypeAlias = Flat | Linear | Doubling


@dataclass(frozen=True, eq=False, repr=False)
class Reentry(Frozen):
    """The terms on which bust players may come back into the game (re-entry, reenganche).

    `cap` is the largest number of re-entries for each player; None means any number.
    """

    cap: int | None
    price: Price


def reentry_price(price: Price, count: int) -> int:
    """Return the price of a player's `count`-th re-entry, in whole units (RULES 1.2)."""
    match price:
        case Flat(fee):
            return fee
        case Linear(fee):
            return fee * count
        case Doubling(fee):
            return fee << (count - 1)
        case _:
            assert_never(price)
