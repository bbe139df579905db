"""The budget for scoring a game that is not stored.

The cost is estimated before the game is replayed, so that no request blocks a thread for long. One unit is
the cost of replaying one event, about a tenth of a millisecond. A correction replays every earlier event.
Arranging the cards of hands into melds is not estimated: its steps are counted while it runs
(`scoring/effort.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.api.common.problems import Problem
from games.play.recording import LONGEST_LOG
from games.scoring.events import Event, PlayEvent
from games.scoring.text.script import Line
from games.scoring.words import _

MOST_WORK = 5_000  # units: half a second at worst; a long night costs a tenth of that
MOST_LINES = 5_000  # lines of a text, including blank lines and comments
_LINE_END = re.compile("\r\n?|\n")
LOOKING = 32  # a line that only checks a total costs 1/32 of replaying the game so far


def check_lines(text: str) -> None:
    """Raise Problem if `text`, a whole game in notation, has more than `MOST_LINES` lines."""
    if len(_LINE_END.findall(text)) >= MOST_LINES:
        raise Problem(
            "too_much", _("A game as text may have at most {most} lines.", most=MOST_LINES), field="game"
        )


def check_script(lines: Sequence[Line]) -> None:
    """Raise Problem if a game as text has too many events, or costs more than the budget."""
    events, work = 0, 0
    for line in lines:
        events += len(line.events)
        if line.refused_text is not None or not all(isinstance(event, PlayEvent) for event in line.events):
            work += events
        else:
            work += len(line.events) or 1 + events // LOOKING
        _check(events, work, line=line.number)


def check_log(log: Sequence[Event]) -> None:
    """Raise Problem if a game as JSON has too many events. Each event costs one unit: it is replayed once."""
    _check(len(log), len(log))


def _check(events: int, work: int, line: int | None = None) -> None:
    if events > LONGEST_LOG:
        raise Problem("too_much", _("A game must have 1 to {most} entries.", most=LONGEST_LOG), line=line)
    if work > MOST_WORK:
        raise Problem("too_much", line=line)
