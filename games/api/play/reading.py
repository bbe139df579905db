"""Events as they are sent: in the form in which they are exported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games.api.common.bodies import walk
from games.api.common.problems import found_at
from games.notebook.fields import Fields
from games.scoring.events import Event
from games.scoring.one_line import JOINER, NON_JOINER, one_line
from games.scoring.text.codec import from_data

LONGEST_WORD = 1_000  # letters of anything inside an event
_JOINERS = str.maketrans("", "", JOINER + NON_JOINER)  # names of old games may have them anywhere


def read_events(found: Sequence[Any]) -> Iterator[Event]:
    """The events as they are exported, one after another; Problem, with its number, for the first that is none."""
    showable = _are_showable(found)
    for number, value in enumerate(found, start=1):
        with found_at("events", event=number):
            event = Fields(value, "kind", "data", "at")
            kind, parts = event.text("kind", longest=LONGEST_WORD), event.part("data")
            if not showable:
                _refuse_unshowable(parts)
            yield from_data(kind, parts)


def _are_showable(found: object) -> bool:
    """Whether no text inside is too long or has anything nobody sees; asked once of all, which is quick."""
    texts = [text for text in walk(found) if isinstance(text, str)]
    longest = max(map(len, texts), default=0)
    return longest <= LONGEST_WORD and "".join(texts).translate(_JOINERS).isprintable()


def _refuse_unshowable(parts: object) -> None:
    """RuleError for the text that is not."""
    for text in walk(parts):
        if isinstance(text, str) and not _are_showable(text):
            one_line(text, longest=LONGEST_WORD, field="events")
