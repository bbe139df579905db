"""Many games written at once, each row as `services.record` would have written it: for a season made up in a minute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.book import contents
from games.models import Because, Game, Record, Result, Table
from games.nights import night_of, season_on
from games.plans import replanned
from games.results import repeat, results_of
from games.scoring.events import Event
from games.scoring.replay import replay
from games.services import check_members, lock

AT_ONCE = 500


@dataclass(frozen=True)
class Played:
    """A game as it was played: its events, when each was recorded by itself, and a key no game of the table has."""

    key: str
    log: Sequence[Event]
    moments: Sequence[datetime]


@transaction.atomic
def write_games(table: Table, played: Iterable[Played], *, by: User) -> int:
    """How many games were written; what they changed in the accounts is one change."""
    lock(table)
    table = Table.objects.prefetch_related("members").get(pk=table.pk)  # asked for by every result
    written, waiting = 0, iter(played)
    with replanned(table, Because.IMPORTED, at=now()):
        while some := list(islice(waiting, AT_ONCE)):
            _write(table, some, by=by)
            written += len(some)
    return written


def _write(table: Table, played: Sequence[Played], *, by: User) -> None:
    states = [replay(game.log) for game in played]
    games = []
    for found, state in zip(played, states, strict=True):
        check_members(table.members.all(), state)
        night = night_of(found.moments[0], table)
        game = Game(
            table=table,
            season=season_on(night, table),
            key=found.key,
            started_at=found.moments[0],
            night_number=night.toordinal(),
            ended_at=found.moments[state.outcome.number - 1] if state.outcome else None,
        )
        repeat(game, state)
        games.append(game)
    Game.objects.bulk_create(games)
    Record.objects.bulk_create(
        Record(
            game=game,
            number=number,
            kind=kind,
            data=content,
            key=found.key if number == 1 else f"{found.key}-{number}",
            recorded_at=moment,
            recorded_by=by,
        )
        for game, found in zip(games, played, strict=True)
        for number, ((kind, content), moment) in enumerate(
            zip(contents(found.log), found.moments, strict=True), start=1
        )
    )
    Result.objects.bulk_create(
        result
        for game, state in zip(games, states, strict=True)
        if state.is_over
        for result in results_of(game, state)
    )
