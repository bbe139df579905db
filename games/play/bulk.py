"""The import of many finished games at once, with the same rows as if they were recorded one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.common.locks import lock, raise_version
from games.common.nights import night_of, season_on
from games.models import Game, Table
from games.money.debts import enter_games
from games.play.recording import check_members
from games.play.writer import Batch, ReadyGames, Whole
from games.scoring.events import Event
from games.scoring.ledger import nets
from games.scoring.replay import replay

AT_ONCE = 500  # games that are replayed and inserted together


@dataclass(frozen=True)
class Played:
    """A finished game to import: its events, and for each event the moment at which it was recorded.

    `key` is an idempotency key that no game of the table has.
    """

    key: str
    log: Sequence[Event]
    moments: Sequence[datetime]


@transaction.atomic
def write_games(table: Table, played: Iterable[Played], *, by: User) -> int:
    """Insert these games, enter what each moved, in the order of their end, and return their number."""
    lock(table)
    table = Table.objects.prefetch_related("members").get(pk=table.pk)  # every result needs the members
    waiting = iter(played)
    games: list[Whole] = []
    while some := list(islice(waiting, AT_ONCE)):
        games += _write(table, some, by=by)
    enter_games(
        table,
        ((whole.game, nets(whole.state) if whole.state.is_over else {}) for whole in games),
        at=now(),
        by=by,
    )
    return len(games)


def _write(table: Table, played: Sequence[Played], *, by: User) -> Sequence[Whole]:
    wholes = []
    for game_played in played:
        state = replay(game_played.log)
        check_members(table.members.all(), state)
        night = night_of(game_played.moments[0], table)
        game = Game(
            table=table,
            season=season_on(night, table),
            key=game_played.key,
            started_at=game_played.moments[0],
            night_number=night.toordinal(),
        )
        batches = [
            Batch(
                after,
                (event,),
                f"{game_played.key}-{after + 1}" if after else game_played.key,
                moment,
                by,
                moment,
            )
            for after, (event, moment) in enumerate(zip(game_played.log, game_played.moments, strict=True))
        ]
        wholes.append(Whole(game, batches, state))
    ReadyGames(wholes, {member.slug: member for member in table.members.all()}).store()
    raise_version(table)
    return wholes
