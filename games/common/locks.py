"""Locks on a table and its games, and the conflict raised when another writer recorded first."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import F, QuerySet

from games.common import write_queue
from games.models import KEY_LENGTH, Access, Game, Payment, SharedCost, Table
from games.scoring.errors import RuleError
from games.scoring.events import Event
from games.scoring.i18n import _


class StaleData(Exception):
    """Raised if what is to be changed is no longer as the user saw it."""


class StaleGame(StaleData):
    """A conflict: another writer recorded more events than the user had seen.

    `after` is the number of the last event that the user had seen; `since` are the events after that number.
    """

    def __init__(self, *, after: int, since: tuple[Event, ...]) -> None:
        super().__init__(f"{len(since)} events were recorded after number {after}")
        self.after = after
        self.since = since


class ConcurrentChange(RuleError):
    """Raised when another user has meanwhile changed or ended the row that this action concerns."""

    def __init__(self) -> None:
        super().__init__(_("Not saved: this has changed in the meantime. Check it and try again."))


def lock(table: Table) -> Table:
    """Lock the row of this `Table` until the transaction ends, and return the row as it is stored now.

    PostgreSQL locks only this row; on SQLite the transaction itself locks the whole database.
    """
    with write_queue.reserve_place():
        return Table.objects.select_for_update(no_key=True).get(pk=table.pk)


def lock_all(tables: QuerySet[Table]) -> list[Table]:
    """Lock the rows of these tables until the transaction ends, in the order of their ids, and return them."""
    with write_queue.reserve_place():
        return list(tables.order_by("pk").select_for_update(no_key=True))


ATTEMPTS = 5  # a table at which people record all the time takes one or two

Computed = TypeVar("Computed")
Result = TypeVar("Result")


def write_unless_changed(
    table: Table, compute: Callable[[], Computed], write: Callable[[Table, Computed], Result]
) -> Result:
    """Compute what is slow, lock the table and write; compute it anew if something was recorded meanwhile.

    `write` gets the table as it is stored now. Raise ConcurrentChange if something was recorded each time.
    """
    for _attempt in range(ATTEMPTS):
        version, computed = get_version(table), compute()
        with transaction.atomic():
            locked = lock(table)
            if locked.version == version:
                return write(locked, computed)
    raise ConcurrentChange


def lock_game(game: Game) -> Table:
    """Lock the rows of the game's table and of the game until the transaction ends. Return the table.

    The game's fields that another writer may have changed are read again. The table is locked first because a
    writer of several games does so too: with another order the two writers could deadlock.
    """
    table = lock(game.table)
    lock_game_row(game)
    return table


def lock_game_row(game: Game) -> None:
    """Lock the row of a game whose table is locked already, and read again what another writer may have changed."""
    game.refresh_from_db(
        fields=["variant", "ended_at", "discarded_at", "spot_nets", "spot_at", "spot_by"],
        from_queryset=Game.objects.select_for_update(no_key=True),
    )


def get_version(table: Table) -> int:
    """Return the present version of the table.

    A result computed before the table was locked is still valid if the version is the same under the lock.
    """
    return Table.objects.values_list("version", flat=True).get(pk=table.pk)


def bump_version(table: Table) -> int:
    """Increase the table's version and return it. Call this once for each write, inside its transaction.

    The records and entries of the write carry it, so call this before they are inserted. The row stays locked
    until the transaction ends, so two writes never have the same version.
    """
    raised = _RAISED.get()
    if raised is not None and raised[0] == table.pk:
        return raised[1]
    with connection.cursor() as cursor:  # Django's update() returns no column
        cursor.execute(_RAISE, [table.pk])
        return int(cursor.fetchone()[0])


def bump_versions(tables: Collection[int]) -> None:
    """Increase the versions of the tables with these ids, after a write that adds no record and no entry."""
    Table.objects.filter(pk__in=tables).update(version=F("version") + 1)


_RAISE = "UPDATE games_table SET version = version + 1 WHERE id = %s RETURNING version"
_RAISED: ContextVar[tuple[int, int] | None] = ContextVar("raised", default=None)


@contextmanager
def single_version(table: Table) -> Iterator[int]:
    """Raise the table's version once for several writes of one transaction, and yield it."""
    version = bump_version(table)
    before = _RAISED.set((table.pk, version))
    try:
        yield version
    finally:
        _RAISED.reset(before)


def bump_revision(table: Table) -> None:
    """Increase the table's revision, so that pages that poll for changes are rendered again.

    Call this function inside the transaction, after a change that is not an event of a game. Taking away
    somebody's rights is such a change: every polling page must then prove its permission again
    (`games/common/poll_tickets.py`).
    """
    bump_all_revisions([table])


def bump_all_revisions(tables: Iterable[Table]) -> None:
    """Increase the revisions of these tables, which the caller has locked, as `bump_revision` does."""
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(revision=F("revision") + 1)


def bump_revisions(user: User) -> None:
    """Increase the revision of every table that this user has access to. Call this inside the transaction."""
    bump_all_revisions(
        lock_all(Table.objects.filter(pk__in=Access.objects.filter(user=user).values("table")))
    )


# --- idempotency keys of forms ----------------------------------------------------------------------------------------

TOKEN_BYTES = 24  # random bytes in the token of a link or a program


class IdempotencyKeyReused(Exception):
    """Raised when an idempotency key was used before, with other content."""


def check_key(key: str, *, longest: int = KEY_LENGTH) -> None:
    """Raise RuleError unless this key has 1 to `longest` characters, all of them printable."""
    if not key or len(key) > longest or not key.isprintable():
        raise RuleError(_("A key must have 1 to {longest} characters.", longest=longest), field="key")


def check_key_owner(row: Payment | SharedCost, *, by: User) -> None:
    """Raise IdempotencyKeyReused if another user at the table recorded this row under its key.

    A guest who has signed in since is no longer at the table: the phone may send again what the guest recorded.
    """
    if row.recorded_by_id != by.pk and row.table.accesses.valid().filter(user=row.recorded_by_id).exists():
        raise IdempotencyKeyReused


def new_form_key() -> str:
    """Return an idempotency key for a form about to be shown."""
    return secrets.token_urlsafe(12)


def hash_token(token: str) -> str:
    """Return the hash under which the secret token of a link or a program is stored."""
    return sha256(token.encode()).hexdigest()
