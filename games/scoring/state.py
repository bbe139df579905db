"""The state of a game after some events: immutable, created only by replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeVar

from .errors import RefusalCode, RuleError
from .events import NightImported, TableEvent
from .frozen import Frozen, FrozenDict
from .i18n import _
from .options import House, Variant
from .rounds import Doubt, PlayerId, RoundEntry
from .rule_types import Direction, Rules

T = TypeVar("T")
_new, _set = object.__new__, object.__setattr__


def replace_fields(value: T, **fields: object) -> T:
    """Return a copy of a frozen dataclass with these fields replaced, without running `__post_init__`.

    It is several times as fast as `dataclasses.replace`, and a replay makes some twenty such copies for each
    round.
    """
    copy = _new(value.__class__)
    _set(copy, "__dict__", value.__dict__ | fields)
    return copy


class Seat(StrEnum):
    """The status of a player's seat.

    PENDING: the player is bust and has not decided yet whether to come back (RULES 1.2). OUT: the player is
    bust and does not come back. SITTING_OUT: others who are tied for the best total play off (RULES 8). LEFT:
    the player went home.
    """

    IN = "in"
    PENDING = "pending"
    OUT = "out"
    SITTING_OUT = "sits_out"
    LEFT = "left"


class Reason(StrEnum):
    """The reason why a game is over."""

    LAST_IN = "last_in"
    EVERYBODY_BUST = "everybody_bust"
    FIRST_OUT = "first_out"
    INSTANT_WIN = "instant_win"
    TARGET = "target"
    CONTRACTS_DONE = "contracts_done"
    ROUNDS_DONE = "rounds_done"
    GOAL = "goal"
    STOPPED = "stopped"
    IMPORTED = "imported"


@dataclass(frozen=True, eq=False, repr=False)
class Outcome(Frozen):
    """The end of a game, caused by event `number`.

    `winners` is in seat order. `refunded` is true if everyone took their money back. `agreed` is true if the
    players still in split the pot by agreement; then nobody is credited with a win (RULES 1.3).
    """

    reason: Reason
    winners: tuple[PlayerId, ...]
    number: int
    refunded: bool = False
    agreed: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class PlayerState(Frozen):
    """A player's seat in a game.

    `reentry_total` is the total that a pending player would come back at: H in RULES 1.2, plus
    `EntryTerms.above`. `bust_at` counts the events in force up to and including the last event that made the
    player bust; it is 0 if they never went bust.
    """

    id: PlayerId
    name: str
    total: int = 0
    seat: Seat = Seat.IN
    reentries: int = 0
    reentry_total: int | None = None
    bust_at: int = 0
    rounds_won: int = 0

    @property
    def is_in(self) -> bool:
        """True if the player would be dealt into the next round."""
        return self.seat is Seat.IN


@dataclass(frozen=True, eq=False, repr=False)
class RoundResult(Frozen):
    """A scored round: its entry, each player's points, its dealer, and the doubts (warnings) about it.

    `number` is the number of its event.
    """

    number: int
    entry: RoundEntry
    points: Mapping[PlayerId, int]
    dealer: PlayerId
    doubts: tuple[Doubt, ...]

    def __repr__(self) -> str:
        return f"<RoundResult {self.number}: {self.closing} by {self.closer or 'nobody'}>"

    @property
    def closer(self) -> PlayerId | None:
        """The player who closed the round, None if nobody did."""
        return self.entry.closer

    @property
    def closing(self) -> str:
        """The key of the closing (the way the round ended)."""
        return self.entry.closing


@dataclass(frozen=True, eq=False, repr=False)
class Step(Frozen):
    """An event in force, the change it made to the totals (`moved`), and the players after it, in seat order.

    For a re-entry, `fee` is its price, and `count` tells which of the player's re-entries it is (1 is the
    first).
    """

    number: int
    event: TableEvent
    moved: Mapping[PlayerId, int]
    players: tuple[PlayerState, ...]
    fee: int = 0
    count: int = 0

    def __repr__(self) -> str:
        return f"<Step {self.number}: {type(self.event).__name__}>"

    # Computed when first read, because the totals and seats of most steps are never read.

    @cached_property
    def totals(self) -> Mapping[PlayerId, int]:
        """The total of each player after the event."""
        return FrozenDict({player.id: player.total for player in self.players})

    @cached_property
    def seats(self) -> Mapping[PlayerId, Seat]:
        """The seat of each player after the event."""
        return FrozenDict({player.id: player.seat for player in self.players})


@dataclass(frozen=True, eq=False, repr=False)
class Disagreement(Frozen):
    """A total that the players agreed on, and the different total that the replay computed (`counted`).

    `number` is the number of the event that recorded the agreement.
    """

    number: int
    player: PlayerId
    agreed: int
    counted: int


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class GameState(Frozen):
    """A game in progress or over.

    `players` are listed clockwise. `due` is the player named to deal next, at the start or by the players. If
    it is None, the next dealer follows from `dealt`, the dealer of the last round. With `is_play_off`, the
    players who are in are tied for the best total, and play on until one is alone best.
    """

    variant: Variant
    house: House
    rules: Rules
    direction: Direction
    players: tuple[PlayerState, ...]
    due: PlayerId | None
    dealt: PlayerId | None = None
    rounds: tuple[RoundResult, ...] = ()
    steps: tuple[Step, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    outcome: Outcome | None = None
    is_play_off: bool = False

    def __hash__(self) -> int:
        # Equal games have equal steps; the last one, with everyone's totals, tells most others apart.
        return hash((self.variant, self.house, self.players, self.steps[-1:]))

    def __repr__(self) -> str:
        course = f"over, {self.outcome.reason}" if self.outcome else "playing"
        return f"<GameState {self.variant.key}: {len(self.players)} players, {len(self.rounds)} rounds, {course}>"

    @property
    def title(self) -> str:
        """The identifier of the game as in `Variant.title`, such as "chinchon" or "points:Truco".

        `get_variant_by_title` returns the variant with this title.
        """
        return self.variant.title(self.house)

    @property
    def is_over(self) -> bool:
        """True once the game has ended."""
        return self.outcome is not None

    @property
    def imported_night(self) -> NightImported | None:
        """The event of an old notebook's night if the game was imported from one, None otherwise."""
        first = self.steps[0].event
        return first if isinstance(first, NightImported) else None

    @property
    def contract(self) -> str | None:
        """The contract of the next round, None in games without contracts and when the game is over."""
        contracts = self.rules.contracts
        return contracts[len(self.rounds)] if not self.is_over and len(self.rounds) < len(contracts) else None

    @property
    def max_players(self) -> int:
        return self.rules.max_players or self.variant.max_players

    @property
    def playing(self) -> tuple[PlayerState, ...]:
        """The players who are in, in seat order; the next round is dealt to these players."""
        dealt_in = Seat.IN
        return tuple([player for player in self.players if player.seat is dealt_in])

    @property
    def turn(self) -> tuple[PlayerId, ...]:
        """The players who are in, in the direction of the deal."""
        first, *others = self.players
        around = self.players if self.direction is Direction.LEFT else (first, *reversed(others))
        return tuple([player.id for player in around if player.seat is Seat.IN])

    @property
    def pending(self) -> tuple[PlayerState, ...]:
        """The players who are bust and have not decided about a re-entry, in seat order."""
        return tuple(player for player in self.players if player.seat is Seat.PENDING)

    @property
    def dealer(self) -> PlayerId | None:
        """The next dealer, None when the game is over (RULES 1.1, 1.4)."""
        if self.is_over:
            return None
        for player in self.seats_from(self.due) if self.due else self.seats_after(str(self.dealt)):
            if player.seat is Seat.IN:
                return player.id
        raise AssertionError("somebody is in as long as a game is not over")

    def player(self, player: PlayerId) -> PlayerState:
        """Return this player's seat. Raise RuleError if the game has no such player."""
        for seat in self.players:
            if seat.id == player:
                return seat
        raise RuleError(
            _("{player} is not at this table.", player=player),
            code=RefusalCode.UNKNOWN_PLAYER,
            field="player",
            player=player,
        )

    def player_name(self, player: PlayerId) -> str:
        """Return the name shown for this player.

        For a player who handed their seat over, return the id itself.
        """
        for seat in self.players:
            if seat.id == player:
                return seat.name
        return player

    def seats_from(self, player: PlayerId) -> tuple[PlayerState, ...]:
        """Return all seats in the direction of the deal, starting with this player's."""
        around = self.players if self.direction is Direction.LEFT else self.players[::-1]
        start = [seat.id for seat in around].index(player)
        return around[start:] + around[:start]

    def seats_after(self, player: PlayerId) -> tuple[PlayerState, ...]:
        """Return all seats in the direction of the deal; this player's seat comes last."""
        first, *others = self.seats_from(player)
        return (*others, first)

    def with_player(self, player: PlayerId, **changes: object) -> GameState:
        return self.with_players({player: changes})

    def with_players(self, changes: Mapping[PlayerId, Mapping[str, object]]) -> GameState:
        if not changes:
            return self
        players = [
            replace_fields(player, **changes[player.id]) if player.id in changes else player
            for player in self.players
        ]
        return replace_fields(self, players=tuple(players))
