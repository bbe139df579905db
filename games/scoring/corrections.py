"""The corrections of a log: which events are in force, and in which order they take effect."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast, get_args

from .errors import RuleError
from .events import (
    Amendment,
    Corrected,
    Correction,
    Event,
    GameStarted,
    Inserted,
    Log,
    NightImported,
    Numbered,
    PlayerJoined,
    PlayersSeated,
    PlayEvent,
    RulesAgreed,
    SeatHandedOver,
    StartEvent,
    Struck,
    TableEvent,
)
from .i18n import Text, _
from .rounds import PlayerId

_PLAY_EVENTS: frozenset[type[Event]] = frozenset(get_args(PlayEvent))


def effective_events(log: Log) -> tuple[Numbered, ...]:
    """Return the events in force as (number, event), corrections applied, in the order they take effect.

    Raise RuleError for a correction that names an event it may not correct.
    """
    first, *others = log or (None,)
    if isinstance(first, GameStarted) and _PLAY_EVENTS.issuperset(map(type, others)):
        return tuple(enumerate(cast(Sequence[TableEvent], log), start=1))  # most games have no corrections
    _check_corrections(log)
    in_force = frozenset(_numbers_in_force(log))
    content = _events_by_number(log, in_force)
    return tuple((number, content[number]) for number in _effective_order(log) if number in in_force)


def players_at_end(log: Log) -> frozenset[PlayerId]:
    """Return the ids of all players with a seat at the end of the log, including players who left the game.

    Players who handed over their seat are left out. The log is not replayed. Raise RuleError for a correction
    that names an event it may not correct.
    """
    player_ids: set[PlayerId] = set()
    for _number, event in effective_events(log):
        match event:
            case GameStarted(players=players) | NightImported(players=players):
                player_ids.update(player.id for player in players)
            case PlayerJoined(player=newcomer):
                player_ids.add(newcomer.id)
            case SeatHandedOver(player=old, to=newcomer):
                player_ids = player_ids - {old} | {newcomer.id}
            case _:
                pass  # no other event gives anyone a seat
    return frozenset(player_ids)


def corrected_numbers(log: Log) -> frozenset[int]:
    """Return the numbers of the events replaced by a correction in force."""
    return frozenset(
        event.number
        for event in (log[number - 1] for number in _numbers_in_force(log))
        if isinstance(event, Corrected)
    )


def _numbers_in_force(log: Log) -> Iterable[int]:
    """Yield the numbers of the events in force, corrections and strikes included, last first.

    An event is in force unless a strike that is itself in force removes it.
    """
    struck: set[int] = set()
    for number in range(len(log), 0, -1):
        if number in struck:
            continue
        event = log[number - 1]
        if isinstance(event, Struck):
            struck.add(event.number)
        yield number


def _effective_order(log: Log) -> list[int]:
    """Return the numbers of all events but corrections and strikes, in the order they take effect.

    An inserted event comes before the event that it names. A struck event keeps its place.
    """
    order: list[int] = []
    for number, event in enumerate(log, start=1):
        if isinstance(event, Inserted):
            order.insert(order.index(event.number), number)
        elif not isinstance(event, Corrected | Struck):
            order.append(number)
    return order


def _events_by_number(log: Log, in_force: frozenset[int]) -> dict[int, TableEvent]:
    content: dict[int, TableEvent] = {}
    for number, event in enumerate(log, start=1):
        if isinstance(event, Inserted):
            content[number] = event.event
        elif not isinstance(event, Corrected | Struck):
            content[number] = event
        elif isinstance(event, Corrected) and number in in_force:
            content[event.number] = _apply_correction(content[event.number], event)
    return content


def _apply_correction(old: TableEvent, correction: Corrected) -> TableEvent:
    new = correction.event
    if isinstance(old, GameStarted):
        if isinstance(new, RulesAgreed):
            return replace(
                old, variant=new.variant, options=new.options, dealer=new.dealer, direction=new.direction
            )
        assert isinstance(new, PlayersSeated)
        return replace(old, players=new.players)
    assert not isinstance(new, Amendment)
    return new


def _check_corrections(log: Log) -> None:
    """Raise RuleError unless every correction names an earlier event that was in force at that time."""
    strikes = [0] * (len(log) + 1)  # the number of strikes in force that name each event
    for number, event in enumerate(log, start=1):
        if isinstance(event, StartEvent) != (number == 1):
            raise RuleError(_("A game starts once, with event 1."), number=number)
        if number > 1 and isinstance(log[0], NightImported):
            raise RuleError(_("A night from an old notebook can't be changed."), number=number)
        if isinstance(event, Correction):
            problem = _correction_problem(log, number, event, strikes)
            if problem is not None:
                raise RuleError(problem, field="number", number=number)
        if isinstance(event, Struck):
            _count_strike(log, event.number, strikes)


def _count_strike(log: Log, number: int, strikes: list[int]) -> None:
    """Count one more strike of event `number`, which was in force.

    If that event is itself a strike, it is no longer in force. The event that it named then has one strike
    fewer. With none left, that event is in force again, and so on along a chain of strikes.
    """
    more = 1
    while True:
        was_in_force = not strikes[number]
        strikes[number] += more
        named = log[number - 1]
        if was_in_force == (not strikes[number]) or not isinstance(named, Struck):
            return
        number, more = named.number, -more


def _correction_problem(log: Log, number: int, event: Correction, strikes: Sequence[int]) -> Text | None:
    """Return the reason why `event` may not change the event that it names, None if it may.

    `number` is the number of `event` itself. `strikes` has, for each earlier event, the number of strikes
    that named it and were in force when `event` was recorded.
    """
    named = event.number
    if not 1 <= named < number:
        return _("There is no event {number} before this one.", number=named)
    if strikes[named]:
        return _("Event {number} was already undone or removed.", number=named)
    if named == 1 and not isinstance(event, Corrected):
        return _("Event 1 can only be corrected.")
    if isinstance(event, Struck):
        return None
    if isinstance(log[named - 1], Corrected | Struck):
        return _("Event {number} is itself a correction. Strike it instead.", number=named)
    if isinstance(event.event, StartEvent):
        return _("A game starts once, with event 1.")
    if isinstance(event.event, Amendment) != (named == 1):
        return _("Options and players can be corrected only in event 1, and nothing else in it can.")
    return None
