"""Moving an event to where it happened: somebody left, came, or handed over their seat earlier or later."""

from __future__ import annotations

from collections.abc import Iterator

from .corrections import effective_events
from .errors import RuleError
from .events import (
    Event,
    Inserted,
    Log,
    PlayerJoined,
    PlayerLeft,
    RoundPlayed,
    SeatHandedOver,
    Struck,
    TableEvent,
)
from .i18n import _
from .preview import preview_changes
from .replay import is_allowed, replay, states_before
from .rounds import PlayerId

MovableEvent = PlayerLeft | PlayerJoined | SeatHandedOver


def move_event(log: Log, number: int, before: int | None) -> tuple[Event, Event]:
    """Return the changes that move event `number` to just before event `before`; to the end if it is None.

    Raise RuleError if nobody left, came or handed over a seat in that event.
    """
    event = dict(effective_events(log)).get(number)
    if not isinstance(event, MovableEvent):
        raise RuleError(_("Event {number} can't be moved.", number=number), field="number")
    return Struck(number), event if before is None else Inserted(before, event)


def is_move(first: Event, second: Event) -> bool:
    """Return whether two events recorded together look like the changes of `move_event`."""
    moved = second.event if isinstance(second, Inserted) else second
    return isinstance(first, Struck) and isinstance(moved, MovableEvent)


def find_places(log: Log, number: int) -> Iterator[int | None]:
    """Yield where event `number` can be moved to: before which rounds, by their events, and None for the end.

    Left out are the place where it is and places that the rules refuse. Yield nothing for an event that
    cannot be moved.
    """
    event = dict(effective_events(log)).get(number)
    if not isinstance(event, MovableEvent):
        return
    events, is_later = iter(states_before(log)), False
    for current, played, before in events:
        if current == number:
            break
        if isinstance(played, RoundPlayed) and is_allowed(before, event):
            yield current
    possible = _find_later_places(log, number, event)
    for current, played, _before in events:
        if _is_next_stay(played, event):
            return
        if isinstance(played, RoundPlayed):
            if is_later and (possible is None or current in possible):
                yield current
            is_later = True
    if is_later and (possible is None or None in possible) and not replay(log).is_over:
        yield None


def _find_later_places(log: Log, number: int, event: MovableEvent) -> frozenset[int | None] | None:
    """Return the places where the rules allow the event instead; None if that depends on missing hands."""
    try:
        tried = preview_changes(log, Struck(number))
    except RuleError:
        return frozenset()
    if tried.missing is not None:
        return None
    without = (*log, *tried.changes)
    places: set[int | None] = {
        current
        for current, played, before in states_before(without)
        if isinstance(played, RoundPlayed) and is_allowed(before, event)
    }
    is_last = tried.after is not None and is_allowed(tried.after, event)
    return frozenset(places | ({None} if is_last else set()))


def _is_next_stay(played: TableEvent, moved: MovableEvent) -> bool:
    """Return whether an event presupposes the moved one, so that this one cannot come after it."""
    match played:
        case PlayerJoined(player=newcomer) if newcomer.id == _moved_player(moved):
            return True
        case PlayerLeft(player) | SeatHandedOver(player=player):
            return player == _moved_player(moved)
        case _:
            return False


def _moved_player(moved: MovableEvent) -> PlayerId:
    match moved:
        case PlayerLeft(player):
            return player
        case PlayerJoined(player=newcomer) | SeatHandedOver(to=newcomer):
            return newcomer.id
