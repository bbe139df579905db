"""The golden games, for tests that play them through the API or the pages."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import pytest

from games.models import COLOURS, Member, Table
from games.scoring.events import Event, GameStarted, Log, PlayerJoined, PlayersSeated, SeatHandedOver
from games.scoring.text.game_file import GameFileLine, parse_game_file

GOLDEN = sorted((Path(__file__).parent / "scoring" / "golden").glob("*.game"))
# Excluded: a night of an old notebook is imported whole and cannot be played.
NOTEBOOK_NIGHTS = {"night_of_an_old_notebook", "night_of_unknown_figures"}


def read_golden(path: Path) -> tuple[GameFileLine, ...]:
    return parse_game_file(path.read_text(encoding="utf-8"))


def each_golden_game(sampled: int, without: Collection[str] = ()):
    """Return a decorator that parametrizes a test by every game that can be played, except those in `without`.

    Usual runs try one of `sampled` games; the others are marked long.
    """
    return pytest.mark.parametrize(
        "path",
        [
            pytest.param(path, id=path.stem, marks=[] if place % sampled == 0 else pytest.mark.long)
            for place, path in enumerate(GOLDEN)
            if path.stem not in {*NOTEBOOK_NIGHTS, *without}
        ],
    )


def create_members(table: Table, log: Log) -> dict[str, str]:
    """Create a member for everybody who ever plays in this game. Return their names by player id."""
    names = _player_names(log)
    Member.objects.bulk_create(
        Member(table=table, slug=slug, name=name, colour=number % COLOURS + 1)
        for number, (slug, name) in enumerate(names.items())
    )
    return names


def _player_names(log: Log) -> dict[str, str]:
    names: dict[str, str] = {}
    for event in log:
        content: Event | object = getattr(event, "event", event)
        match content:
            case PlayerJoined(player=newcomer) | SeatHandedOver(to=newcomer):
                names[newcomer.id] = newcomer.name
            case GameStarted(players=players) | PlayersSeated(players=players):
                names |= {player.id: player.name for player in players}
    return names
