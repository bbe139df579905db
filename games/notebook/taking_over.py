"""Import an old notebook: all its nights become finished games in one transaction.

An import can be undone as a whole, and each of its games can be discarded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, time, timedelta
from typing import TypeVar
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.timezone import now

from games.keys import KeyReused, check_key
from games.locks import lock, raise_version, version_of
from games.models import (
    KEY_LENGTH,
    EntryKind,
    Game,
    Record,
    Result,
    Season,
    Table,
)
from games.money.debts import enter_games
from games.money.spot import mark_paid_on_the_spot
from games.nights import season_among
from games.notebook.old_games import ImportPreview, OldGame
from games.people.members import add_newcomers, newcomers
from games.play.writer import Batch, ReadyGames, Whole
from games.rows import AT_ONCE, Ready
from games.scoring.events import NightImported
from games.scoring.ledger import nets
from games.scoring.text.codec import KINDS

T = TypeVar("T")

BEGINS = time(21)
BETWEEN = timedelta(minutes=1)  # the time between the starts of one night's games, to keep their order
NUMBERED = 6  # the most characters of a game's key after the form's key: a colon and a number


class StaleOutlook(Exception):
    """Raised if the preview has problems or has changed since the user saw it.

    `outlook` is the present preview.
    """

    def __init__(self, outlook: ImportPreview) -> None:
        super().__init__("the preview has changed")
        self.outlook = outlook


def take_over(
    table: Table,
    look: Callable[[], ImportPreview],
    *,
    seen: str,
    paid: bool,
    key: str,
    by: User,
    apart: Collection[str] = (),
    at: datetime | None = None,
) -> int:
    """Import the notebook that `look` previews, and return the number of games.

    `look` is called again if something was recorded at the table meanwhile. With `paid`, each night's money
    was paid on the spot, so that nobody owes anything for it. A repeated key imports nothing again.

    Raise StaleOutlook if the preview has problems or no longer matches the digest `seen`, Alike if a new name
    differs from another only in accents and is not in `apart`, and KeyReused if something else was recorded
    under the key.
    """
    check_key(key, longest=KEY_LENGTH - NUMBERED)
    taken_at = at or now()

    def made_ready() -> _Nights:
        return _Nights(table, look(), paid=paid, apart=apart, key=key, by=by, at=taken_at)

    with ready_for(table, made_ready) as nights:
        known = _brought(table, key).count()
        return known or nights.store(seen)


@contextmanager
def ready_for(table: Table, make_ready: Callable[[], T]) -> Iterator[T]:
    """Lock the table and yield what was made ready before, because that is slow.

    It is made ready again if something was recorded at the table meanwhile.
    """
    version = version_of(table)
    made = make_ready()
    with transaction.atomic():
        if lock(table).version != version:
            made = make_ready()
        yield made


def take_back(table: Table, *, key: str, by: User, at: datetime | None = None) -> int:
    """Undo the import that had this idempotency key, and return the number of games.

    Each of its nights is discarded, the newest first.
    """
    check_key(key, longest=KEY_LENGTH - NUMBERED)
    taken_at = at or now()
    with transaction.atomic():
        lock(table)
        gone = list(_brought(table, key).filter(discarded_at=None).order_by("pk"))
        for start in range(0, len(gone), AT_ONCE):
            some = [game.pk for game in gone[start : start + AT_ONCE]]
            Result.objects.filter(game__in=some).delete()
            Game.objects.filter(pk__in=some).update(discarded_at=taken_at)
        enter_games(table, gone, EntryKind.DISCARDED, at=taken_at, by=by)
        raise_version(table)
    return len(gone)


def _brought(table: Table, key: str) -> QuerySet[Game]:
    """Return the games that were imported under exactly this idempotency key.

    The key of each game is this key, a colon and a number. Games whose keys merely begin with the same
    letters are left out.
    """
    imported = Record.objects.filter(game=OuterRef("pk"), number=1, kind=KINDS[NightImported])
    return table.games.filter(Exists(imported), key__regex=rf"^{re.escape(key)}:[0-9]+$")


class _Nights:
    """The rows of an import, prepared before the table is locked.

    They are valid as long as nothing else is recorded at the table.
    """

    def __init__(
        self,
        table: Table,
        outlook: ImportPreview,
        *,
        paid: bool,
        apart: Collection[str],
        key: str,
        by: User,
        at: datetime,
    ) -> None:
        self._table, self._outlook, self._at = table, outlook, at
        here = list(table.members.all())
        coming = newcomers(table, here, outlook.newcomers)
        members = {member.slug: member for member in (*here, *coming)}
        wholes = list(_wholes(table, outlook.games, key=key, by=by, at=at))
        self._keys = [whole.game.key for whole in wholes]
        if paid:
            for whole in wholes:
                mark_paid_on_the_spot(whole.game, nets(whole.state), by=by, at=at)
        self._newcomers = Ready(coming)
        self._games = ReadyGames(wholes, members)
        self._brought = [whole.game for whole in wholes]
        self._apart, self._by = apart, by
        self._seen = outlook.seen

    def store(self, seen: str) -> int:
        """Store the rows and return the number of games.

        Raise StaleOutlook, Alike or KeyReused as `take_over` says.
        """
        if self._outlook.problems or self._seen != seen:
            raise StaleOutlook(self._outlook)
        self._check_keys()
        add_newcomers(self._table, self._newcomers, apart=self._apart)
        self._games.store()
        enter_games(self._table, self._brought, EntryKind.ENDED, at=self._at, by=self._by)
        raise_version(self._table)
        return len(self._outlook.games)

    def _check_keys(self) -> None:
        """Raise KeyReused if a program recorded a game under one of this import's keys."""
        if self._table.games.filter(key__in=self._keys).exists():
            raise KeyReused


def _wholes(
    table: Table, old_games: Sequence[OldGame], *, key: str, by: User, at: datetime
) -> Iterator[Whole]:
    seasons = list(table.seasons.all())
    begun: dict[object, int] = {}
    for number, old_game in enumerate(old_games, start=1):
        place = begun[old_game.night.day] = begun.get(old_game.night.day, -1) + 1
        game = _row(table, seasons, old_game, key=f"{key}:{number}", after=place * BETWEEN, at=at)
        yield Whole(game, [Batch(0, (old_game.event,), game.key, game.started_at, by, at)], old_game.state)


def _row(
    table: Table, seasons: Sequence[Season], old_game: OldGame, *, key: str, after: timedelta, at: datetime
) -> Game:
    day = old_game.night.day
    evening = datetime.combine(day, BEGINS, ZoneInfo(table.timezone)) + after
    return Game(
        table=table,
        season=season_among(seasons, day),
        key=key,
        started_at=min(evening, at),  # at 21:00 or, if that is still to come, now
        night_number=day.toordinal(),
    )
