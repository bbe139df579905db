"""The budget for scoring a game that is not stored: it is checked before the game is played, so no thread is held.

One unit is playing one event, about a tenth of a millisecond. A correction plays everything before it again. The
steps of solving hands are counted while they are solved (`scoring/effort.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from games.api.common.problems import Problem
from games.play.recording import LONGEST_LOG
from games.scoring.events import Event, PlayEvent
from games.scoring.text.script import Line
from games.scoring.words import _

MOST_WORK = 5_000  # half a second at worst; a long night takes a tenth of that
MOST_LINES = 5_000  # of a text, blank ones and comments included
LOOKING = 32  # an expectation costs one thirty-second of playing the game


def check_lines(text: str) -> None:
    """Raise Problem for more lines than are read at all."""
    if text.count("\n") >= MOST_LINES:
        raise Problem(
            "too_much", _("A game as text has at most {most} lines.", most=MOST_LINES), field="game"
        )


def check_script(lines: Sequence[Line]) -> None:
    """Raise Problem for a text with too many statements, or too much work."""
    events, work = 0, 0
    for line in lines:
        events += len(line.events)
        if line.refused_text is not None or not all(isinstance(event, PlayEvent) for event in line.events):
            work += events
        else:
            work += len(line.events) or 1 + events // LOOKING
        _check(events, work, line=line.number)


def check_log(log: Sequence[Event]) -> None:
    """Raise Problem for a game with too many events; it is played once."""
    _check(len(log), len(log))


def _check(events: int, work: int, line: int | None = None) -> None:
    if events > LONGEST_LOG:
        raise Problem("too_much", _("A game holds from 1 to {most} entries.", most=LONGEST_LOG), line=line)
    if work > MOST_WORK:
        raise Problem("too_much", line=line)
