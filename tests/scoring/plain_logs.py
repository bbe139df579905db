"""A second implementation of corrections, slow and straight from the text of NOTATION."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.scoring.events import Corrected, Correction, Event, GameStarted, Inserted, PlayEvent, Struck


def is_effective(log: Sequence[Event], number: int) -> bool:
    """Return whether an event counts.

    Straight from NOTATION: an event counts unless it is named by a strike that itself counts.
    """
    later = enumerate(log[number:], start=number + 1)
    return not any(
        isinstance(event, Struck) and event.number == number and is_effective(log, striking)
        for striking, event in later
    )


def effective_log(log: Sequence[Event]) -> list[tuple[int, Event]]:
    """Return the numbered log as it would be if every event had been entered correctly at once."""
    rows: list[tuple[int, Event]] = []
    for number, event in enumerate(log, start=1):
        if isinstance(event, Inserted):
            place = [known for known, _event in rows].index(event.number)
            rows.insert(place, (number, event.event))
        elif isinstance(event, Corrected) and is_effective(log, number):
            rows = [
                (known, _apply_correction(old, event) if known == event.number else old)
                for known, old in rows
            ]
        elif not isinstance(event, Corrected | Struck):
            rows.append((number, event))
    return [(number, event) for number, event in rows if is_effective(log, number)]


def _apply_correction(old: Event, correction: Corrected) -> Event:
    new = correction.event
    if isinstance(new, PlayEvent):
        return new
    assert isinstance(old, GameStarted)
    return replace(old, **vars(new))


def can_be_next(log: Sequence[Event], correction: Correction) -> bool:
    """Return whether `correction` could be the next event.

    The event it names must count. That event may be a correction only if it is to be struck. Event 1 has its
    own kinds of corrections.
    """
    if not 1 <= correction.number <= len(log) or not is_effective(log, correction.number):
        return False
    of_the_start = not isinstance(correction, Struck) and not isinstance(correction.event, PlayEvent)
    if correction.number == 1 or of_the_start:
        return correction.number == 1 and of_the_start
    return isinstance(correction, Struck) or not isinstance(log[correction.number - 1], Corrected | Struck)
