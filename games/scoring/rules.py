"""The vocabulary every game is written in: the small unions where games differ in kind, and `Rules` made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias, assert_never

from games.scoring.cards import Deck
from games.scoring.words import Text

MAX_AMOUNT = 10**9
MAX_POINTS = 10**5
MAX_FEE = 10**15

Value: TypeAlias = int | str


class Direction(StrEnum):
    """Which way the deal goes round the table."""

    LEFT = "left"  # clockwise, as the players are listed
    RIGHT = "right"

    @property
    def other(self) -> Direction:
        """The other way round."""
        return Direction.RIGHT if self is Direction.LEFT else Direction.LEFT


# --- what a game is made of -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeldPoints:
    """The cards left in hand count against their holder; `values` by rank, the joker's under `*`."""

    values: Mapping[str, int]

    @cached_property
    def dearest_first(self) -> tuple[str, ...]:
        """The ranks by what they count, the joker among them."""
        return tuple(sorted(self.values, key=self.values.__getitem__, reverse=True))


@dataclass(frozen=True, eq=False)
class MeldPoints:
    """Melds on the table count for their player, the cards in hand against him (RULES 3.2).

    What a card counts: in hand, the joker's under `*`, and in a set by rank; in a run by its place there, as
    itself and as a wild card for another. One value for each game: solvers are kept by it.
    """

    in_hand: Mapping[str, int]
    in_set: Mapping[str, int]
    in_run: tuple[int, ...]
    as_wild: tuple[int, ...]
    set_sizes: range
    run_sizes: range


class Rewarded(StrEnum):
    """Who is rewarded for being left with nothing."""

    ANYONE = "anyone"
    CUTTER = "cutter"
    CLOSED_HAND = "closed_hand"  # whoever cut with every card in games of their own


@dataclass(frozen=True)
class LeftoverPoints:
    """What is left of seven cards after games and placing counts against their holder (RULES 5).

    `values` by rank; a wild card, named as in `wild_cards`, counts `wild_value`. Whoever is left with nothing
    gets `nothing_left`, if `nothing_left_for` says so.
    """

    values: Mapping[str, int]
    wild_cards: frozenset[str]
    wild_value: int
    placing: bool
    cut_max: int
    free_cut: bool
    nothing_left: int
    nothing_left_for: Rewarded


@dataclass(frozen=True)
class TypedPoints:
    """Everybody's points are typed as they were counted at the table, below zero too (RULES 8)."""


Scoring: TypeAlias = HeldPoints | MeldPoints | LeftoverPoints | TypedPoints


class CloserHand(StrEnum):
    """What is written for the one who closed a round."""

    NOTHING = "nothing"  # nothing is left, the hand may be left out
    MELDS = "melds"  # his melds, nothing left in hand
    REST = "rest"  # what is left of his hand


class ClosingKind(StrEnum):
    """What is told apart of a way to close a round, whatever it is called."""

    PLAIN = "plain"
    IN_ONE_GO = "in_one_go"  # everything laid down at once (de una), which a season counts
    ONE_RUN = "one_run"  # all cards in one run (chinchón), which counts the bonus instead of what is left


@dataclass(frozen=True, kw_only=True)
class Closing:
    """A way a round ends (cierre), and what is said of it.

    `name` says it in full, `short` in a cell, `asked` on a key of the pad (the name, where it fits), `said` of
    `{name}` who did it, `rule` in the rules where the numbers below do not say it all.

    `bonus` and `bonus_per_player` (for each player dealt in) go to the one who closed; nobody did where not
    `by_player`. Where `wins_game`, he wins at once and hands may be left out.
    """

    key: str
    name: Text
    short: Text
    said: Text
    asked: Text | None = None
    rule: Text | None = None
    kind: ClosingKind = ClosingKind.PLAIN
    bonus: int = 0
    bonus_per_player: int = 0
    by_player: bool = True
    closer_hand: CloserHand = CloserHand.NOTHING
    wins_game: bool = False

    def bonus_among(self, players: int) -> int:
        """What the closer gets when so many were dealt in."""
        return self.bonus + self.bonus_per_player * players


@dataclass(frozen=True)
class LastIn:
    """Who reaches `out_at` is out or re-enters; the last one in wins (RULES 1.2)."""

    out_at: int


@dataclass(frozen=True)
class FirstOut:
    """Over as soon as anyone reaches `out_at`; the best total wins, nobody re-enters."""

    out_at: int


@dataclass(frozen=True)
class FirstTo:
    """Over after the round in which a total reaches `target`; with `play_on` not while the best total is shared."""

    target: int
    play_on: bool


@dataclass(frozen=True)
class AfterContracts:
    """Over after the last of `contracts`; equal totals are told apart by rounds won where `by_rounds_won`.

    Where `down_is_out`, whoever goes down in the last one has no card left to go on with.
    """

    contracts: tuple[str, ...]
    by_rounds_won: bool
    down_is_out: bool = False


@dataclass(frozen=True)
class AfterRounds:
    """Over after so many `rounds`; with `play_on` not while the best total is shared."""

    rounds: int
    play_on: bool


@dataclass(frozen=True)
class WhenStopped:
    """Never over by itself: the table says when."""


Ending: TypeAlias = LastIn | FirstOut | FirstTo | AfterContracts | AfterRounds | WhenStopped


@dataclass(frozen=True)
class Flat:
    """Every re-entry costs the same."""

    fee: int


@dataclass(frozen=True)
class Linear:
    """The k-th re-entry of a player costs k fees."""

    fee: int


@dataclass(frozen=True)
class Doubling:
    """Each re-entry of a player costs double his one before."""

    fee: int


Price: TypeAlias = Flat | Linear | Doubling


@dataclass(frozen=True)
class Reentry:
    """Buying back in (reenganche): how often, `None` for any number, and at what price."""

    cap: int | None
    price: Price


@dataclass(frozen=True)
class Pot:
    """Everybody puts in `stake` (apuesta), fees go in too, the winners take it all (pozo)."""

    stake: int


@dataclass(frozen=True)
class Pairs:
    """Each pair settles the difference of its totals, `point_value` a point (de a pares)."""

    point_value: int


@dataclass(frozen=True)
class ToWinner:
    """Everybody who did not win pays his own points, `point_value` each, to the winner."""

    point_value: int


@dataclass(frozen=True)
class CutPrize:
    """Every other player dealt in pays `amount` to the one who cut (premio al corte)."""

    amount: int


@dataclass(frozen=True)
class InstantPrize:
    """Every other player still in pays `amount` to whoever won at once."""

    amount: int


@dataclass(frozen=True)
class AsWritten:
    """What an old notebook says everybody won or lost; the amounts add up to zero."""

    nets: tuple[tuple[str, int], ...]


MoneyRule: TypeAlias = Pot | Pairs | ToWinner | CutPrize | InstantPrize | AsWritten


@dataclass(frozen=True, kw_only=True)
class Rules:
    """A game as one table plays it: every number and kind the engine needs."""

    deck: Deck
    cards_dealt: int
    scoring: Scoring
    closings: tuple[Closing, ...]
    ending: Ending
    reentry: Reentry | None
    money: tuple[MoneyRule, ...]
    floor: int | None = None
    late_entry: bool = False
    lowest_wins: bool = True
    buy_points: int | None = None
    max_players: int | None = None
    winner_deals: bool = False
    dealt_by_contract: Mapping[str, int] = field(default_factory=dict)

    def cards_dealt_for(self, contract: str | None) -> int:
        """How many cards are dealt for a round that asks for this contract."""
        return self.dealt_by_contract.get(contract or "", self.cards_dealt)

    @property
    def contracts(self) -> tuple[str, ...]:
        """What each round asks for, in order; empty where rounds ask for nothing."""
        return self.ending.contracts if isinstance(self.ending, AfterContracts) else ()

    def closing(self, key: str) -> Closing | None:
        """The closing called `key`, if these rules know it."""
        return next((closing for closing in self.closings if closing.key == key), None)

    @property
    def winning(self) -> Closing | None:
        """The closing that wins the game at once, if there is one."""
        return next((closing for closing in self.closings if closing.wins_game), None)

    @property
    def asks_closer(self) -> bool:
        """Whether anybody closes a round, so that it is asked who did."""
        return any(closing.by_player for closing in self.closings)

    @property
    def out_at(self) -> int | None:
        """The total at which a player is out, None in games nobody is out of."""
        return self.ending.out_at if isinstance(self.ending, LastIn | FirstOut) else None

    @property
    def pot(self) -> Pot | None:
        """The pot rule in force, if there is one."""
        return next((rule for rule in self.money if isinstance(rule, Pot)), None)


def price_of(price: Price, count: int) -> int:
    """What a player's re-entry number `count` costs, in whole units (RULES 1.2)."""
    match price:
        case Flat(fee):
            return fee
        case Linear(fee):
            return fee * count
        case Doubling(fee):
            return fee << (count - 1)
        case _:
            assert_never(price)
