"""The parts games are made of: small unions where games differ in kind, and `Rules`, which combines them."""

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
    """The direction in which the deal goes round the table."""

    LEFT = "left"  # clockwise, as the players are listed
    RIGHT = "right"

    @property
    def other(self) -> Direction:
        """The opposite direction."""
        return Direction.RIGHT if self is Direction.LEFT else Direction.LEFT


# --- what a game is made of -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class HeldPoints:
    """Scoring in which the cards left in hand count against their holder.

    `values` by rank, the joker's under `*`.
    """

    values: Mapping[str, int]

    @cached_property
    def dearest_first(self) -> tuple[str, ...]:
        """The ranks, joker included, from the highest value to the lowest."""
        return tuple(sorted(self.values, key=self.values.__getitem__, reverse=True))


@dataclass(frozen=True, eq=False)
class MeldPoints:
    """Scoring in which melds count for their player and the cards in hand against them (RULES 3.2).

    `in_hand` and `in_set` give a card's value by rank, the joker's under `*`. `in_run` and `as_wild` give it
    by place in the run, for a natural card and for a wild. Create one value for each game: solvers are cached
    by it.
    """

    in_hand: Mapping[str, int]
    in_set: Mapping[str, int]
    in_run: tuple[int, ...]
    as_wild: tuple[int, ...]
    set_sizes: range
    run_sizes: range


class Rewarded(StrEnum):
    """The players rewarded for being left with nothing."""

    ANYONE = "anyone"
    CUTTER = "cutter"
    CLOSED_HAND = "closed_hand"  # the cutter, with every card in games of their own


@dataclass(frozen=True)
class LeftoverPoints:
    """Scoring in which the cards left after own games and placing count against their holder (RULES 5).

    `values` by rank; a wild card, named as in `wild_cards`, counts `wild_value`. A player left with nothing
    gets `nothing_left` if `nothing_left_for` includes them.
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
    """Scoring in which everybody's points are typed as counted at the table, also below zero (RULES 8)."""


Scoring: TypeAlias = HeldPoints | MeldPoints | LeftoverPoints | TypedPoints


class CloserHand(StrEnum):
    """The form in which the closer's hand is entered."""

    NOTHING = "nothing"  # nothing is left, the hand may be left out
    MELDS = "melds"  # their melds, nothing left in hand
    REST = "rest"  # what is left of their hand


class ClosingKind(StrEnum):
    """The kinds of closing the code distinguishes, whatever a game calls them."""

    PLAIN = "plain"
    IN_ONE_GO = "in_one_go"  # everything laid down at once (de una), which a season counts
    ONE_RUN = "one_run"  # all cards in one run (chinchón): the bonus counts instead of what is left


@dataclass(frozen=True, kw_only=True)
class Closing:
    """A way a round ends (cierre), and its texts.

    `name` is the full text, `short` fits in a cell, `key_label` on a key of the pad (None: the name fits),
    `sentence` is about the closer, `{name}`, and `rule` adds what the numbers below do not show.

    The closer gets `bonus`, and `bonus_per_player` for each player dealt in; if not `by_player`, nobody
    closed. If `wins_game`, the closer wins at once and hands may be left out.
    """

    key: str
    name: Text
    short: Text
    sentence: Text
    key_label: Text | None = None
    rule: Text | None = None
    kind: ClosingKind = ClosingKind.PLAIN
    bonus: int = 0
    bonus_per_player: int = 0
    by_player: bool = True
    closer_hand: CloserHand = CloserHand.NOTHING
    wins_game: bool = False

    def bonus_among(self, players: int) -> int:
        """Return the closer's bonus when this many players were dealt in."""
        return self.bonus + self.bonus_per_player * players


@dataclass(frozen=True)
class LastIn:
    """An ending by elimination: at `out_at` a player is out or re-enters; the last one in wins (RULES 1.2)."""

    out_at: int


@dataclass(frozen=True)
class FirstOut:
    """An ending as soon as anyone reaches `out_at`; the best total wins, nobody re-enters."""

    out_at: int


@dataclass(frozen=True)
class FirstTo:
    """An ending after the round in which a total reaches `target`.

    With `play_on` the game goes on while the best total is shared.
    """

    target: int
    play_on: bool


@dataclass(frozen=True)
class AfterContracts:
    """An ending after the last of `contracts`.

    If `by_rounds_won`, equal totals are decided by rounds won. If `down_is_out`, going down in the last round
    leaves no card to go on with.
    """

    contracts: tuple[str, ...]
    by_rounds_won: bool
    down_is_out: bool = False


@dataclass(frozen=True)
class AfterRounds:
    """An ending after `rounds` rounds; with `play_on` the game goes on while the best total is shared."""

    rounds: int
    play_on: bool


@dataclass(frozen=True)
class WhenStopped:
    """No ending of its own: the game is over when the table stops it."""


Ending: TypeAlias = LastIn | FirstOut | FirstTo | AfterContracts | AfterRounds | WhenStopped


@dataclass(frozen=True)
class Flat:
    """A re-entry price that is always the same."""

    fee: int


@dataclass(frozen=True)
class Linear:
    """A re-entry price of k fees for a player's k-th re-entry."""

    fee: int


@dataclass(frozen=True)
class Doubling:
    """A re-entry price that doubles with each re-entry of a player."""

    fee: int


Price: TypeAlias = Flat | Linear | Doubling


@dataclass(frozen=True)
class Reentry:
    """The terms for buying back in (reenganche): the most times (`cap`, None for any number) and the price."""

    cap: int | None
    price: Price


@dataclass(frozen=True)
class Pot:
    """The pot (pozo): everybody puts in `stake` (apuesta), fees are added, the winners take it all."""

    stake: int


@dataclass(frozen=True)
class Pairs:
    """Settlement pair by pair (de a pares): the difference of the two totals times `point_value`."""

    point_value: int


@dataclass(frozen=True)
class ToWinner:
    """Settlement with the winner: everybody else pays their own points times `point_value`."""

    point_value: int


@dataclass(frozen=True)
class CutPrize:
    """A prize (premio al corte) of `amount` that every other player dealt in pays to the one who cut."""

    amount: int


@dataclass(frozen=True)
class InstantPrize:
    """A prize of `amount` that every other player still in pays to the winner of a game won at once."""

    amount: int


@dataclass(frozen=True)
class AsWritten:
    """Winnings and losses copied from an old notebook; the amounts add up to zero."""

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
        """Return the number of cards dealt to each player in a round with this contract."""
        return self.dealt_by_contract.get(contract or "", self.cards_dealt)

    @property
    def contracts(self) -> tuple[str, ...]:
        """The contract of each round, in order; empty in games without contracts."""
        return self.ending.contracts if isinstance(self.ending, AfterContracts) else ()

    def closing(self, key: str) -> Closing | None:
        """Return the closing with this key, None if these rules have none."""
        return next((closing for closing in self.closings if closing.key == key), None)

    @property
    def winning(self) -> Closing | None:
        """The closing that wins the game at once, if there is one."""
        return next((closing for closing in self.closings if closing.wins_game), None)

    @property
    def asks_closer(self) -> bool:
        """True if any closing is made by a player, so that the entry asks who closed."""
        return any(closing.by_player for closing in self.closings)

    @property
    def out_at(self) -> int | None:
        """The total at which a player is out, None in games without elimination."""
        return self.ending.out_at if isinstance(self.ending, LastIn | FirstOut) else None

    @property
    def pot(self) -> Pot | None:
        """The pot rule in force, if there is one."""
        return next((rule for rule in self.money if isinstance(rule, Pot)), None)


def price_of(price: Price, count: int) -> int:
    """Return the price of a player's re-entry number `count`, in whole units (RULES 1.2)."""
    match price:
        case Flat(fee):
            return fee
        case Linear(fee):
            return fee * count
        case Doubling(fee):
            return fee << (count - 1)
        case _:
            assert_never(price)
