"""The building blocks of games, combined in `Rules`.

Each aspect of a game (ending, re-entry price, money) has a union of classes, as scoring has in `card_points`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

from .card_points import Scoring
from .cards import Deck
from .frozen import Frozen, FrozenDict, freeze
from .i18n import ConvertedField, OptionalWording, Wording, as_optional_text, as_text
from .reentry_terms import Reentry

MAX_AMOUNT = 10**9
MAX_POINTS = 10**5
MAX_FEE = 10**15
CARDS_PER_BUY = 2  # a player who buys a card draws another one, and discards none

Value: TypeAlias = int | str


class Direction(StrEnum):
    """The direction in which the deal goes around the table. LEFT is clockwise."""

    LEFT = "left"
    RIGHT = "right"

    @property
    def other(self) -> Direction:
        return Direction.RIGHT if self is Direction.LEFT else Direction.LEFT


class CloserHand(StrEnum):
    """The form in which the hand of the closer (the player who ended the round) is entered.

    NOTHING: nothing is left, so the hand may be omitted. ANY: the closer may have points; the hand may be
    omitted. MELDS: melds, with nothing left in hand. REST: the cards left in hand, so that others may have
    fewer points, or 0.
    """

    NOTHING = "nothing"
    ANY = "any"
    MELDS = "melds"
    REST = "rest"

    @property
    def is_optional(self) -> bool:
        return self in (CloserHand.NOTHING, CloserHand.ANY)


class ClosingKind(StrEnum):
    """The kinds of closings (ways in which rounds end) that the code distinguishes.

    The games have their own names for them. IN_ONE_GO: everything laid down together (de una). ONE_RUN: all
    cards in one run (chinchón); the bonus replaces the leftover.
    """

    PLAIN = "plain"
    IN_ONE_GO = "in_one_go"
    ONE_RUN = "one_run"


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Closing(Frozen):
    """A way in which a round ends (cierre), and its texts.

    `name` is the full text, `short` fits in a cell of the scoresheet, and `key_label` fits on a key of the
    on-screen pad (None if `name` fits). `sentence` says how the round ended, with the placeholder `{name}`
    for the closer. `rule` is a sentence about anything that the other fields do not show.

    The closer gets `bonus`, plus `bonus_per_player` for each player dealt in. If `by_player` is false, nobody
    closed the round. If `wins_game`, the closer wins the game instantly and hands may be left out.
    `with_wild` is true for a closing with one run that has a wild in place of another card, if such a run
    counts differently.
    """

    key: str
    name: Wording = ConvertedField(as_text)
    short: Wording = ConvertedField(as_text)
    sentence: Wording = ConvertedField(as_text)
    key_label: OptionalWording = ConvertedField(as_optional_text, None)
    rule: OptionalWording = ConvertedField(as_optional_text, None)
    kind: ClosingKind = ClosingKind.PLAIN
    bonus: int = 0
    bonus_per_player: int = 0
    by_player: bool = True
    closer_hand: CloserHand = CloserHand.NOTHING
    wins_game: bool = False
    with_wild: bool = False

    def bonus_among(self, players: int) -> int:
        """Return the closer's bonus in a round with this many players dealt in."""
        return self.bonus + self.bonus_per_player * players


@dataclass(frozen=True, eq=False, repr=False)
class LastIn(Frozen):
    """The end of a game by elimination (RULES 1.2).

    A player who reaches `out_at` is bust, and is out or comes back. The last player in wins.
    """

    out_at: int


@dataclass(frozen=True, eq=False, repr=False)
class FirstOut(Frozen):
    """The end of a game as soon as a player reaches `out_at`. The best total wins, and nobody comes back."""

    out_at: int


@dataclass(frozen=True, eq=False, repr=False)
class FirstTo(Frozen):
    """The end of a game after the round in which a total reaches `target`.

    With `play_on` the game continues while several players are tied for the best total; with `play_off` only
    they continue, and the others sit out. With `bonuses`, points may be added to totals after the end.
    """

    target: int
    play_on: bool
    play_off: bool = False
    bonuses: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class AfterContracts(Frozen):
    """The end of a game after the last of `contracts`, the keys of the melds required in each round.

    If `by_rounds_won`, rounds won decide between equal totals. If `down_is_out`, a player who goes down in
    the last round also goes out, because no card is left.
    """

    contracts: tuple[str, ...]
    by_rounds_won: bool
    down_is_out: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class AfterRounds(Frozen):
    """The end of a game after `rounds` rounds.

    With `play_on` the game continues while several players are tied for the best total; with `play_off` only
    they continue, and the others sit out. With `bonuses`, points may be added to totals after the end.
    """

    rounds: int
    play_on: bool
    play_off: bool = False
    bonuses: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class WhenStopped(Frozen):
    """No fixed end: the game is over when the players stop it or, with `named`, name who has won it."""

    named: bool = False


Ending: TypeAlias = LastIn | FirstOut | FirstTo | AfterContracts | AfterRounds | WhenStopped


@dataclass(frozen=True, eq=False, repr=False)
class EntryTerms(Frozen):
    """The terms on which bust players and newcomers come into a game in progress (RULES 1.2).

    They start `above` points above the highest total of the players in. They may come in only while that
    highest total is at most `limit`; None means no limit.
    """

    above: int = 0
    limit: int | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Pot(Frozen):
    """The pot (pozo): every player puts in `stake` (apuesta).

    Re-entries add their fees, and the winners take it all.
    """

    stake: int


@dataclass(frozen=True, eq=False, repr=False)
class Pairs(Frozen):
    """Settlement pair by pair (de a pares).

    In each pair, the player with the worse total pays the other the difference times `point_value`.
    """

    point_value: int


@dataclass(frozen=True, eq=False, repr=False)
class ToWinner(Frozen):
    """Settlement with the winner: every other player pays their own total times `point_value`.

    A negative total costs nothing. Several winners split the money.
    """

    point_value: int


@dataclass(frozen=True, eq=False, repr=False)
class OwnTotals(Frozen):
    """Settlement of own totals: each player is paid, or pays, their own total times `point_value`.

    Each round adds up to 0, and so do the totals.
    """

    point_value: int


@dataclass(frozen=True, eq=False, repr=False)
class RoundPrize(Frozen):
    """A prize for closing a round (in Chinchón: premio al corte).

    Every other player dealt in pays `amount` to the player who closed it, and twice that for a closing of the
    kind IN_ONE_GO.
    """

    amount: int


@dataclass(frozen=True, eq=False, repr=False)
class InstantPrize(Frozen):
    """A prize for a closing that wins the game instantly.

    Every other player dealt into that round pays `amount` to the winner.
    """

    amount: int


@dataclass(frozen=True, eq=False, repr=False)
class NotebookNets(Frozen):
    """Winnings and losses copied from an old notebook; the amounts add up to zero."""

    nets: tuple[tuple[str, int], ...]


MoneyRule: TypeAlias = Pot | Pairs | ToWinner | OwnTotals | RoundPrize | InstantPrize | NotebookNets


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Rules(Frozen):
    """The rules of a game with its chosen options: everything that scoring needs.

    `floor` is the lowest possible total, and a total of `wins_at` or less wins; each is None in games without
    such a limit. `buy_points` are the points of each bought card (drawn out of turn), None if no cards can be
    bought. With `buys_freely`, bought cards need not be entered. With `late_entry`, newcomers may join a game
    in progress. `entry` has the terms for newcomers and for re-entries. With `counts_down`, people see the
    points left to the limit instead of a total. `max_players` is the largest number of players with these
    options; None means that of the variant. With `winner_deals`, the winner of the game deals the next one.
    `dealt_by_contract` gives the number of cards dealt to each player in rounds with these contracts, where
    it is not `cards_dealt`.
    """

    deck: Deck
    cards_dealt: int
    scoring: Scoring
    closings: tuple[Closing, ...]
    ending: Ending
    reentry: Reentry | None
    money: tuple[MoneyRule, ...]
    floor: int | None = None
    wins_at: int | None = None
    late_entry: bool = False
    entry: EntryTerms = EntryTerms()
    lowest_wins: bool = True
    buy_points: int | None = None
    buys_freely: bool = False
    counts_down: bool = False
    max_players: int | None = None
    winner_deals: bool = False
    dealt_by_contract: Mapping[str, int] = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        freeze(self, "dealt_by_contract")

    def __repr__(self) -> str:
        return f"<Rules {type(self.scoring).__name__}, {type(self.ending).__name__}>"

    def cards_dealt_for(self, contract: str | None) -> int:
        return self.dealt_by_contract.get(contract or "", self.cards_dealt)

    def max_hand_size(self, contract: str | None, bought: int) -> int:
        """Return the most cards left in a hand with `bought` bought cards, in a round with this contract."""
        dealt = self.cards_dealt_for(contract)
        with_bought = dealt + CARDS_PER_BUY * bought
        return max(with_bought, 2 * dealt) if self.buys_freely else with_bought

    @property
    def contracts(self) -> tuple[str, ...]:
        """The contract of each round, in order; empty in games without contracts."""
        return self.ending.contracts if isinstance(self.ending, AfterContracts) else ()

    def closing(self, key: str) -> Closing | None:
        """Return the closing with this key, None if these rules have no such closing."""
        return self._by_key.get(key)

    @cached_property
    def _by_key(self) -> Mapping[str, Closing]:
        return {closing.key: closing for closing in self.closings}

    @property
    def winning_closing(self) -> Closing | None:
        """The closing that wins the game instantly, if there is one."""
        return next((closing for closing in self.closings if closing.wins_game), None)

    @property
    def is_zero_sum(self) -> bool:
        """True if the points of each round add up to 0."""
        return any(isinstance(rule, OwnTotals) for rule in self.money)

    @property
    def asks_closer(self) -> bool:
        """True if a player can close a round, so that the entry asks for the closer."""
        return any(closing.by_player for closing in self.closings)

    def can_beat_closer(self, closing: str) -> bool:
        """Return whether the closer keeps cards with this closing, so that others may have fewer points."""
        ended = self.closing(closing)
        return ended is not None and ended.closer_hand is CloserHand.REST

    @property
    def out_at(self) -> int | None:
        """The total at which a player is out, None in games without elimination."""
        return self.ending.out_at if isinstance(self.ending, LastIn | FirstOut) else None

    def displayed_total(self, total: int) -> int:
        """Return a total as people see it: the points left to the limit if totals count down."""
        return self.out_at - total if self.counts_down and self.out_at is not None else total

    def entry_total(self, highest: int) -> int | None:
        """Return the starting total of a player who comes in; `highest` is the highest of the players in.

        Return None if nobody may come in then: `highest` is above the limit, or they would be bust right away.
        """
        is_late = self.entry_open_to is not None and highest > self.entry_open_to
        return None if is_late else highest + self.entry.above

    @property
    def entry_open_to(self) -> int | None:
        """The highest total among the players in that still lets anyone come in; None without a limit."""
        limit, out_at = self.entry.limit, self.out_at
        bounds = (limit, None if out_at is None else out_at - 1 - self.entry.above)
        return min((bound for bound in bounds if bound is not None), default=None)

    @property
    def pot(self) -> Pot | None:
        """The pot rule in force, if there is one."""
        return next((rule for rule in self.money if isinstance(rule, Pot)), None)
