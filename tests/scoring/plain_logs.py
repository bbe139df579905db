"""Corrections put in place once more, slowly and straight from the text of NOTATION."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.scoring.events import Corrected, Event, GameStarted, Inserted, PlayEvent, Struck


def stands(log: Sequence[Event], number: int) -> bool:
    """Straight from NOTATION: an event stands unless a strike that stands names it."""
    later = enumerate(log[number:], start=number + 1)
    return not any(
        isinstance(event, Struck) and event.number == number and stands(log, at) for at, event in later
    )


def as_if_right_at_once(log: Sequence[Event]) -> list[Event]:
    """The log as it would have been written had nobody erred."""
    rows: list[tuple[int, Event]] = []
    for number, event in enumerate(log, start=1):
        if isinstance(event, Inserted):
            at = [found for found, _event in rows].index(event.number)
            rows.insert(at, (number, event.event))
        elif isinstance(event, Corrected) and stands(log, number):
            rows = [(at, _put_right(old, event) if at == event.number else old) for at, old in rows]
        elif not isinstance(event, Corrected | Struck):
            rows.append((number, event))
    return [event for number, event in rows if stands(log, number)]


def _put_right(old: Event, correction: Corrected) -> Event:
    new = correction.event
    if isinstance(new, PlayEvent):
        return new
    assert isinstance(old, GameStarted)
    return replace(old, **vars(new))


def may_be_named(log: Sequence[Event], by: Corrected | Inserted | Struck) -> bool:
    """Whether `by` could come next: N stands, is no correction or strike but for a strike, and event 1 is its own case."""
    if not 1 <= by.number <= len(log) or not stands(log, by.number):
        return False
    of_the_start = not isinstance(by, Struck) and not isinstance(by.event, PlayEvent)
    if by.number == 1 or of_the_start:
        return by.number == 1 and of_the_start
    return isinstance(by, Struck) or not isinstance(log[by.number - 1], Corrected | Struck)
