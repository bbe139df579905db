"""Games to look at, written as NOTATION.md has them, and recorded as the pages would."""

from __future__ import annotations

from django.contrib.auth.models import User

from games import services
from games.models import Game, Table
from games.scoring.events import GameStarted
from games.scoring.notation import read_line
from tests.tables import a_key, loba


def play(game: Game, owner: User, *lines: str) -> Game:
    """The game with these lines recorded one by one; what stands on one line is recorded together."""
    for line in lines:
        services.record(game, *read_line(line), after=game.records.count(), key=a_key(), by=owner)
    return game


def begin(table: Table, owner: User, seats: int | None = None, /, **options: int | str) -> Game:
    """Loba de Menos for the first `seats` people of the table, by default everybody."""
    begun = loba(table, **options)
    event = GameStarted(begun.variant, begun.options, begun.players[:seats])
    return services.start_game(table, event, key=a_key(), by=owner)
