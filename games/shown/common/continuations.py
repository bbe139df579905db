"""One version of a game as text, for a game that was continued separately in two places.

The places are the server and an offline phone, or two copies of a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.models import Table
from games.scoring.errors import ScoringError
from games.scoring.events import Event
from games.scoring.replay import replay
from games.scoring.rounds import PlayerId
from games.shown.common.amounts import points
from games.shown.common.people import Person
from games.shown.common.words import event_in_words


def went_on(
    log: Sequence[Event], events: Sequence[Event], *, people: Mapping[PlayerId, Person], table: Table
) -> list[str]:
    """Return, as text, a line for each of `events` of one version, then a line with everybody's total.

    `log` has the earlier events of the game, before the two versions differ. Return an empty list if the
    rules refuse `events` after `log`.
    """
    log = (*log, *events)
    try:
        state = replay(log)
    except ScoringError:
        return []
    lines = [event_in_words(event, log=log, state=state, people=people, table=table) for event in events]
    totals = ", ".join(f"{people[player.id].name} {points(player.total)}" for player in state.players)
    return [*lines, totals]
