"""The two versions of a game that continued both on the server and on a phone, in words."""

from __future__ import annotations

from collections.abc import Sequence

from games.models import Game
from games.scoring.errors import ScoringError
from games.scoring.events import Event
from games.scoring.replay import replay
from games.shown.common.amounts import points
from games.shown.common.people import people_of
from games.shown.common.words import event_in_words


def went_on(game: Game, after: int, events: Sequence[Event]) -> list[str]:
    """Return the events after event `after`, and the totals they lead to, as lines of text.

    Empty if the events cannot follow the log.
    """
    log = (*game.log()[:after], *events)
    try:
        state = replay(log)
    except ScoringError:
        return []
    people = people_of(game.table)
    lines = [event_in_words(event, log=log, state=state, people=people, table=game.table) for event in events]
    totals = ", ".join(f"{people[player.id].name} {points(player.total)}" for player in state.players)
    return [*lines, totals]
