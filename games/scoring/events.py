"""The events of a game as frozen dataclasses, and the corrections that replace, insert or remove events.

A correction names an event by its number: its position in the log, counted from 1. A player whose total
has reached the limit of the game is bust; in some games they may come back.

The fields of a class are stored under their names, and the event under its `kind` (`text/codec.py`). Both
stay forever. A field that a later version adds needs a default and a place in `optional_fields`: data without
the field have the default, and the default is not stored. `field_order` is the stored order of the fields, if
it is not the order in the class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, TypeAlias, TypeVar

from .frozen import Frozen
from .rounds import PlayerId, RoundEntry
from .rule_types import Direction, Value


@dataclass(frozen=True, eq=False, repr=False)
class Player(Frozen):
    """A person in a game: the `id` that events use for them, and the name shown."""

    id: PlayerId
    name: str


@dataclass(frozen=True, eq=False, repr=False)
class GameStarted(Frozen):
    """The start of a game: the variant, every option in force, and the players clockwise.

    `dealer` deals first; "" means the first player.
    """

    kind: ClassVar = "game_started"
    field_order: ClassVar = ("variant", "options", "dealer", "direction", "players")
    variant: str
    options: tuple[tuple[str, Value], ...]
    players: tuple[Player, ...]
    dealer: PlayerId = ""
    direction: str = Direction.LEFT


@dataclass(frozen=True, eq=False, repr=False)
class NightImported(Frozen):
    """The results of one night of games, copied from an old notebook (cuaderno) as one game with one event.

    `variant` is "" if the notebook does not say which game was played. The `totals`, the `nets` (money won or
    lost) and the `note` (written beside the night) may each be missing.
    """

    kind: ClassVar = "night_imported"
    optional_fields: ClassVar = ("note",)
    variant: str
    players: tuple[Player, ...]
    places: tuple[tuple[PlayerId, int], ...]
    totals: tuple[tuple[PlayerId, int], ...] = ()
    nets: tuple[tuple[PlayerId, int], ...] = ()
    note: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class RoundPlayed(Frozen):
    """A round that was played, with the data entered for it."""

    kind: ClassVar = "round_played"
    entry: RoundEntry


@dataclass(frozen=True, eq=False, repr=False)
class PlayerReentered(Frozen):
    """A bust player's re-entry (reenganche)."""

    kind: ClassVar = "player_reentered"
    player: PlayerId


@dataclass(frozen=True, eq=False, repr=False)
class PlayerStayedOut(Frozen):
    """A bust player's decision not to come back."""

    kind: ClassVar = "player_stayed_out"
    player: PlayerId


@dataclass(frozen=True, eq=False, repr=False)
class PlayerLeft(Frozen):
    """A player's departure before the end of the game."""

    kind: ClassVar = "player_left"
    player: PlayerId


@dataclass(frozen=True, eq=False, repr=False)
class PlayerJoined(Frozen):
    """A newcomer, seated to the left of `after`, or at the end of the list of players if `after` is ""."""

    kind: ClassVar = "player_joined"
    player: Player
    after: PlayerId = ""


@dataclass(frozen=True, eq=False, repr=False)
class SeatHandedOver(Frozen):
    """The handover of a player's seat to another person."""

    kind: ClassVar = "seat_handed_over"
    player: PlayerId
    to: Player


@dataclass(frozen=True, eq=False, repr=False)
class PointsAdjusted(Frozen):
    """Points added to one player's total by agreement: a penalty (multa) or a bonus, with its reason."""

    kind: ClassVar = "points_adjusted"
    player: PlayerId
    points: int
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class DealPassed(Frozen):
    """A decision that `player` deals next."""

    kind: ClassVar = "deal_passed"
    player: PlayerId


class Stop(StrEnum):
    """A way to stop a game early by agreement."""

    LOWEST_WINS = "lowest_wins"
    HIGHEST_WINS = "highest_wins"
    SPLIT_POT = "split_pot"
    REFUND = "refund"


@dataclass(frozen=True, eq=False, repr=False)
class GameStopped(Frozen):
    """The players' agreement to stop the game early."""

    kind: ClassVar = "game_stopped"
    how: Stop


@dataclass(frozen=True, eq=False, repr=False)
class WinnersNamed(Frozen):
    """The winners named by the players, in a game that ends by a goal and not by the totals."""

    kind: ClassVar = "winners_named"
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, eq=False, repr=False)
class TotalsAgreed(Frozen):
    """The totals that the players agree on, to be compared with the totals that the replay computes."""

    kind: ClassVar = "totals_agreed"
    totals: tuple[tuple[PlayerId, int], ...]


@dataclass(frozen=True, eq=False, repr=False)
class RulesAgreed(Frozen):
    """Other options for the same players; valid only as a correction of event 1."""

    kind: ClassVar = "rules_agreed"
    variant: str
    options: tuple[tuple[str, Value], ...]
    dealer: PlayerId = ""
    direction: str = Direction.LEFT


@dataclass(frozen=True, eq=False, repr=False)
class PlayersSeated(Frozen):
    """Other players under the same options; valid only as a correction of event 1."""

    kind: ClassVar = "players_seated"
    players: tuple[Player, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Corrected(Frozen):
    """A replacement for event `number`. It takes effect in the place of that event."""

    kind: ClassVar = "corrected"
    number: int
    event: PlayEvent | RulesAgreed | PlayersSeated


@dataclass(frozen=True, eq=False, repr=False)
class Inserted(Frozen):
    """An event inserted just before event `number`."""

    kind: ClassVar = "inserted"
    number: int
    event: PlayEvent


@dataclass(frozen=True, eq=False, repr=False)
class Struck(Frozen):
    """The removal (striking) of event `number`; striking a correction restores the version before it."""

    kind: ClassVar = "struck"
    number: int


PlayEvent: TypeAlias = (
    RoundPlayed
    | PlayerReentered
    | PlayerStayedOut
    | PlayerLeft
    | PlayerJoined
    | SeatHandedOver
    | PointsAdjusted
    | DealPassed
    | GameStopped
    | WinnersNamed
    | TotalsAgreed
)
StartEvent: TypeAlias = GameStarted | NightImported
Amendment: TypeAlias = RulesAgreed | PlayersSeated  # of event 1; valid only inside a correction
Correction: TypeAlias = Corrected | Inserted | Struck
TableEvent: TypeAlias = StartEvent | PlayEvent
Event: TypeAlias = TableEvent | Correction
Log: TypeAlias = Sequence[Event]
Numbered: TypeAlias = tuple[int, TableEvent]
EventT = TypeVar("EventT", bound="Event | Amendment")


def with_names(log: Log, names: Mapping[PlayerId, str]) -> tuple[Event, ...]:
    """Return the log with the players' present names.

    `names` gives the names by id. A player who is not in it keeps the recorded name.
    """
    return tuple(_with_names(event, names) for event in log)


def _with_names(event: EventT, names: Mapping[PlayerId, str]) -> EventT:
    def with_name(player: Player) -> Player:
        return replace(player, name=names.get(player.id, player.name))

    match event:
        case GameStarted(players=players) | NightImported(players=players) | PlayersSeated(players=players):
            return replace(event, players=tuple(map(with_name, players)))
        case PlayerJoined(player=newcomer):
            return replace(event, player=with_name(newcomer))
        case SeatHandedOver(to=newcomer):
            return replace(event, to=with_name(newcomer))
        case Corrected(event=corrected):
            return replace(event, event=_with_names(corrected, names))
        case Inserted(event=inserted):
            return replace(event, event=_with_names(inserted, names))
        case _:
            return event


def players_ever_seated(log: Iterable[Event | Amendment]) -> frozenset[PlayerId]:
    """Return the ids of all players that any event seats, even an event that was struck or replaced."""
    player_ids: set[PlayerId] = set()
    for event in log:
        match event:
            case (
                GameStarted(players=players) | NightImported(players=players) | PlayersSeated(players=players)
            ):
                player_ids.update(player.id for player in players)
            case PlayerJoined(player=newcomer) | SeatHandedOver(to=newcomer):
                player_ids.add(newcomer.id)
            case Corrected(event=inner) | Inserted(event=inner):
                player_ids |= players_ever_seated([inner])
            case _:
                pass  # no other event names anyone new
    return frozenset(player_ids)
