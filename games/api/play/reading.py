"""Reading events of a request, in the format of an exported game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.api.common.bodies import walk
from games.api.common.problems import found_at
from games.api.play.payloads import LONGEST_IN_EVENT, EventSent
from games.scoring.events import Event
from games.scoring.one_line import JOINER, NON_JOINER, one_line
from games.scoring.text.codec import from_data

_JOINERS = str.maketrans("", "", JOINER + NON_JOINER)  # old names may have joiners anywhere


def read_events(values: Sequence[Any]) -> Iterator[Event]:
    """Yield the events; raise Problem with the number of the first value that is not an event."""
    showable = _are_showable(values)
    for number, value in enumerate(values, start=1):
        with found_at("events", event=number):
            event = EventSent.parts(value)
            kind, parts = event["kind"], event["data"]
            if not showable:
                _refuse_unshowable(parts)
            yield from_data(kind, parts)


def _are_showable(value: object) -> bool:
    """Return whether every text in the value is short enough and has no invisible letters.

    One check of all events together is faster than one for each.
    """
    texts = [text for text in walk(value) if isinstance(text, str)]
    longest = max(map(len, texts), default=0)
    return longest <= LONGEST_IN_EVENT and "".join(texts).translate(_JOINERS).isprintable()


def _refuse_unshowable(parts: object) -> None:
    """Raise RuleError for the first text that is too long or has invisible letters."""
    for text in walk(parts):
        if isinstance(text, str) and not _are_showable(text):
            one_line(text, longest=LONGEST_IN_EVENT, field="events")
