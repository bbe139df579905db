"""Games for the browser tests, written in the notation of NOTATION.md and recorded through the services."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.auth.models import User

from games.models import Game, Table
from games.play.services import recording
from games.scoring.events import GameStarted
from games.scoring.text.notation import parse_line
from games.scoring.variants import get_variant
from tests.factories import new_key, table_players

RISING: dict[str, int | str] = {"reentry_price": "linear", "reentries": "unlimited"}


def ids(table: Table) -> list[str]:
    """Return the players' ids in seat order."""
    return [member.slug for member in table.members.all()]


def hands(players: Iterable[str], points: int, step: int = 0) -> str:
    """Return the hands of a notation line: each of these players has `step` points more than the one before."""
    return " ".join(f"{player}={points + step * place}" for place, player in enumerate(players))


def play(game: Game, owner: User, *lines: str) -> Game:
    """Record these lines one by one in the game. The events of one line are recorded together."""
    for line in lines:
        recording.record(game, *parse_line(line), after=game.records.count(), key=new_key(), by=owner)
    return game


def begin(table: Table, owner: User, seats: int | None = None, /, **options: int | str) -> Game:
    """Start a game for the first `seats` members, by default all. The default variant is Loba de Menos."""
    variant = get_variant(str(options.pop("variant", "loba_menos")))
    event = GameStarted(
        variant.key, tuple(options.items()), table_players(table)[:seats], direction=variant.direction
    )
    return recording.start_game(table, event, key=new_key(), by=owner)


def begin_with_rising_stake(table: Table, owner: User) -> Game:
    """Play one round at $10 each with rising re-entry prices. Beto has 60 points."""
    return play(begin(table, owner, stake=10, **RISING), owner, "round ana out beto=60 caro=40 dani=12")
