"""Many games written at once, each row as `services.record` would have written it: for a season made up in a minute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.changes import tell
from games.locks import lock
from games.models import Because, Change, Game, Table, What
from games.money.plans import replanned
from games.nights import night_of, season_on
from games.play.recording import check_members
from games.play.writer import Batch, ReadyGames, Whole
from games.scoring.events import Event
from games.scoring.replay import replay

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
    wholes = []
    for found in played:
        state = replay(found.log)
        check_members(table.members.all(), state)
        night = night_of(found.moments[0], table)
        game = Game(
            table=table,
            season=season_on(night, table),
            key=found.key,
            started_at=found.moments[0],
            night_number=night.toordinal(),
        )
        batches = [
            Batch(after, (event,), f"{found.key}-{after + 1}" if after else found.key, moment, by)
            for after, (event, moment) in enumerate(zip(found.log, found.moments, strict=True))
        ]
        wholes.append(Whole(game, batches, state))
    ReadyGames(wholes, {member.slug: member for member in table.members.all()}).store()
    tell(table, *(Change(what=What.GAME_ADDED, game=whole.game) for whole in wholes))
