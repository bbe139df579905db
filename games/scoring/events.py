"""What can happen at the table, as frozen values, and corrections put in their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias, TypeVar

from games.scoring.errors import RuleError
from games.scoring.rounds import PlayerId, RoundEntry
from games.scoring.rules import Direction, Value
from games.scoring.words import Text, _


@dataclass(frozen=True)
class Player:
    """Somebody at the table: the `id` used everywhere else, and the name shown."""

    id: PlayerId
    name: str


@dataclass(frozen=True)
class GameStarted:
    """The game, every option in force, and the players clockwise; `dealer` is "" for the first of them."""

    variant: str
    options: tuple[tuple[str, Value], ...]
    players: tuple[Player, ...]
    dealer: PlayerId = ""
    direction: str = Direction.LEFT


@dataclass(frozen=True)
class NightImported:
    """A night of an old notebook (cuaderno), as it was written there: the one event of its game.

    `variant` is "" where the notebook does not say what was played; it may know neither totals nor money.
    """

    variant: str
    players: tuple[Player, ...]
    places: tuple[tuple[PlayerId, int], ...]
    totals: tuple[tuple[PlayerId, int], ...] = ()
    nets: tuple[tuple[PlayerId, int], ...] = ()


@dataclass(frozen=True)
class RoundPlayed:
    """A round was played and counted."""

    entry: RoundEntry


@dataclass(frozen=True)
class PlayerReentered:
    """A bust player bought back in (reenganche)."""

    player: PlayerId


@dataclass(frozen=True)
class PlayerStayedOut:
    """A bust player was asked and stays out."""

    player: PlayerId


@dataclass(frozen=True)
class PlayerLeft:
    """Somebody went home."""

    player: PlayerId


@dataclass(frozen=True)
class PlayerJoined:
    """A newcomer sat down on the left of `after` ("" for the end of the list)."""

    player: Player
    after: PlayerId = ""


@dataclass(frozen=True)
class SeatHandedOver:
    """Somebody plays on in another's seat."""

    player: PlayerId
    to: Player


@dataclass(frozen=True)
class PointsAdjusted:
    """A table penalty (multa) or gift, with its reason."""

    player: PlayerId
    points: int
    reason: str


@dataclass(frozen=True)
class DealPassed:
    """The next deal goes to somebody else."""

    player: PlayerId


class Stop(StrEnum):
    """How a game is stopped early by agreement."""

    LOWEST_WINS = "lowest_wins"
    HIGHEST_WINS = "highest_wins"
    SPLIT_POT = "split_pot"
    REFUND = "refund"


@dataclass(frozen=True)
class GameStopped:
    """The table agreed to stop."""

    how: Stop


@dataclass(frozen=True)
class TotalsAgreed:
    """The totals everybody agreed on."""

    totals: tuple[tuple[PlayerId, int], ...]


@dataclass(frozen=True)
class RulesAgreed:
    """Other options for the same people; only as a correction of event 1."""

    variant: str
    options: tuple[tuple[str, Value], ...]
    dealer: PlayerId = ""
    direction: str = Direction.LEFT


@dataclass(frozen=True)
class PlayersSeated:
    """Other people under the same options; only as a correction of event 1."""

    players: tuple[Player, ...]


@dataclass(frozen=True)
class Corrected:
    """Event `number` is replaced in its place."""

    number: int
    event: PlayEvent | RulesAgreed | PlayersSeated


@dataclass(frozen=True)
class Inserted:
    """An event that takes its place just before event `number`."""

    number: int
    event: PlayEvent


@dataclass(frozen=True)
class Struck:
    """Event `number` is taken out; striking a correction restores what was there."""

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
    | TotalsAgreed
)
TableEvent: TypeAlias = GameStarted | NightImported | PlayEvent
Event: TypeAlias = TableEvent | Corrected | Inserted | Struck
Log: TypeAlias = Sequence[Event]
Numbered: TypeAlias = tuple[int, TableEvent]
EventT = TypeVar("EventT", bound="Event | RulesAgreed | PlayersSeated")


def renamed(log: Log, names: Mapping[PlayerId, str]) -> tuple[Event, ...]:
    """The log with people under the names they have now, by id; whoever is not in `names` keeps his own."""
    return tuple(_renamed(event, names) for event in log)


def _renamed(event: EventT, names: Mapping[PlayerId, str]) -> EventT:
    def now(player: Player) -> Player:
        return replace(player, name=names.get(player.id, player.name))

    match event:
        case GameStarted(players=players) | NightImported(players=players) | PlayersSeated(players=players):
            return replace(event, players=tuple(map(now, players)))
        case PlayerJoined(player=newcomer):
            return replace(event, player=now(newcomer))
        case SeatHandedOver(to=newcomer):
            return replace(event, to=now(newcomer))
        case Corrected(event=corrected):
            return replace(event, event=_renamed(corrected, names))
        case Inserted(event=inserted):
            return replace(event, event=_renamed(inserted, names))
        case _:
            return event


def effective(log: Log) -> tuple[Numbered, ...]:
    """The events as they count, in their places, each with its number; RuleError for a correction of nothing."""
    _check_names(log)
    standing = frozenset(_standing(log))
    content = _contents(log, standing)
    return tuple((number, content[number]) for number in _places(log) if number in standing)


def seated_in(log: Log) -> frozenset[PlayerId]:
    """Whoever has a seat at the end of the log, and whoever left one, without playing it."""
    seated: set[PlayerId] = set()
    for _number, event in effective(log):
        match event:
            case GameStarted(players=players) | NightImported(players=players):
                seated.update(player.id for player in players)
            case PlayerJoined(player=newcomer):
                seated.add(newcomer.id)
            case SeatHandedOver(player=old, to=newcomer):
                seated = seated - {old} | {newcomer.id}
            case _:
                pass  # nobody comes by it
    return frozenset(seated)


def corrected_numbers(log: Log) -> frozenset[int]:
    """The numbers of the events that stand in a corrected form."""
    return frozenset(
        event.number
        for event in (log[number - 1] for number in _standing(log))
        if isinstance(event, Corrected)
    )


def _standing(log: Log) -> Iterable[int]:
    """The numbers of the events no standing strike names, last first."""
    struck: set[int] = set()
    for number in range(len(log), 0, -1):
        if number in struck:
            continue
        event = log[number - 1]
        if isinstance(event, Struck):
            struck.add(event.number)
        yield number


def _places(log: Log) -> list[int]:
    """The numbers of everything but corrections and strikes, in the order they count; a struck event keeps its place."""
    order: list[int] = []
    for number, event in enumerate(log, start=1):
        if isinstance(event, Inserted):
            order.insert(order.index(event.number), number)
        elif not isinstance(event, Corrected | Struck):
            order.append(number)
    return order


def _contents(log: Log, standing: frozenset[int]) -> dict[int, TableEvent]:
    content: dict[int, TableEvent] = {}
    for number, event in enumerate(log, start=1):
        if isinstance(event, Inserted):
            content[number] = event.event
        elif not isinstance(event, Corrected | Struck):
            content[number] = event
        elif isinstance(event, Corrected) and number in standing:
            content[event.number] = _corrected(content[event.number], event)
    return content


def _corrected(old: TableEvent, correction: Corrected) -> TableEvent:
    new = correction.event
    if isinstance(old, GameStarted):
        if isinstance(new, RulesAgreed):
            return replace(
                old, variant=new.variant, options=new.options, dealer=new.dealer, direction=new.direction
            )
        assert isinstance(new, PlayersSeated)
        return replace(old, players=new.players)
    assert not isinstance(new, RulesAgreed | PlayersSeated)
    return new


def _check_names(log: Log) -> None:
    """RuleError unless every correction names an earlier event that stood when it was made."""
    standing = [False] * (len(log) + 1)
    for number, event in enumerate(log, start=1):
        if isinstance(event, GameStarted | NightImported) != (number == 1):
            raise RuleError(_("A game begins once, with event 1."), number=number)
        if number > 1 and isinstance(log[0], NightImported):
            raise RuleError(_("A night of an old notebook stands as it was written."), number=number)
        if isinstance(event, Corrected | Inserted | Struck):
            problem = _misnamed(log, number, event, standing)
            if problem is not None:
                raise RuleError(problem, field="number", number=number)
        standing[number] = True
        if isinstance(event, Struck):
            _strike(log, event.number, standing)


def _strike(log: Log, number: int, standing: list[bool]) -> None:
    """Takes an event that stands out; what it struck itself stands again, and so on."""
    stands = False
    while True:
        standing[number] = stands
        struck = log[number - 1]
        if not isinstance(struck, Struck):
            return
        number, stands = struck.number, not stands


def _misnamed(
    log: Log, number: int, event: Corrected | Inserted | Struck, standing: Sequence[bool]
) -> Text | None:
    """What is wrong with the event this correction names, or None; `standing` says of each what was so until then."""
    named = event.number
    if not 1 <= named < number:
        return _("There is no earlier event {number}.", number=named)
    if not standing[named]:
        return _("Event {number} does not stand any more.", number=named)
    if named == 1 and not isinstance(event, Corrected):
        return _("Event 1 can only be corrected.")
    if isinstance(event, Struck):
        return None
    if isinstance(log[named - 1], Corrected | Struck):
        return _("Event {number} is itself a correction; strike it instead.", number=named)
    if isinstance(event.event, GameStarted | NightImported):
        return _("A game begins once, with event 1.")
    if isinstance(event.event, RulesAgreed | PlayersSeated) != (named == 1):
        return _("Event 1 is corrected by its options or its players, and only event 1 is.")
    return None
