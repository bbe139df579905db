"""Locks on a table and its games, the conflicts between two writers, and idempotency keys."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import sha256
from threading import RLock
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import F, QuerySet

from games.common import db_errors, write_queue
from games.models import KEY_LENGTH, Access, Game, Payment, SharedCost, Table
from games.scoring.errors import RuleError
from games.scoring.events import Event
from games.scoring.i18n import _


class StaleData(Exception):
    """The data to be changed is no longer as the user saw it."""


class StaleGame(StaleData):
    """Another writer recorded events that the user had not seen.

    `after` is the number of the last event that the user had seen; `since` are the events after it.
    """

    def __init__(self, *, after: int, since: tuple[Event, ...]) -> None:
        super().__init__(f"{len(since)} events were recorded after number {after}")
        self.after = after
        self.since = since


class ConcurrentChange(RuleError):
    """Another user has meanwhile changed or ended the row that this action concerns."""

    def __init__(self) -> None:
        super().__init__(_("Not saved: this has changed in the meantime. Check it and try again."))


def lock(table: Table) -> Table:
    """Lock the table's row until the transaction ends, and return it as stored now.

    Call this inside a transaction. PostgreSQL locks only this row; on SQLite the transaction itself locks the
    whole database. Raise OperationalError if too many writers wait already (`games/common/write_queue.py`).
    """
    with write_queue.reserve_place():
        return Table.objects.select_for_update(no_key=True).get(pk=table.pk)


def lock_all(tables: QuerySet[Table]) -> list[Table]:
    """Lock the rows of these tables until the transaction ends, in the order of their ids, and return them.

    Call this inside a transaction. The order keeps two callers from a deadlock. Raise OperationalError like
    `lock`.
    """
    with write_queue.reserve_place():
        return list(tables.order_by("pk").select_for_update(no_key=True))


# --- writes that nobody waits for -------------------------------------------------------------------------------------


TURN = 0.5  # seconds; ten who come at once need less, even on a busy computer
_noting = RLock()


@contextmanager
def without_waiting() -> Iterator[None]:
    """Let no statement in the `with` block wait for a lock. Where it would have to, raise OperationalError.

    SQLite has one lock for all, so threads of this process that note something take turns, for up to TURN:
    otherwise, of ten who come at once, most would be refused because of each other.
    """
    if connection.vendor == "sqlite":
        with _take_turn(), _set_patience("PRAGMA busy_timeout", 0, "PRAGMA busy_timeout = {}"):
            yield
    else:
        with _set_patience("SHOW lock_timeout", "1ms", "SET lock_timeout = '{}'"):  # 0 would be without end
            yield


@contextmanager
def _take_turn() -> Iterator[None]:
    if not _noting.acquire(timeout=TURN):
        raise OperationalError("Others note something.")
    try:
        yield
    finally:
        _noting.release()


@contextmanager
def _set_patience(show: str, patience: object, change: str) -> Iterator[None]:
    """Change how long this connection waits for a lock during the `with` block."""
    (before,) = _ask_driver(show).fetchone()
    _ask_driver(change.format(patience))
    try:
        yield
    finally:
        _ask_driver(change.format(before))


def _ask_driver(statement: str) -> Any:
    """Execute a statement that is about the connection alone, and return the driver's cursor."""
    connection.ensure_connection()
    driver: Any = connection.connection
    with connection.wrap_database_errors:
        return driver.execute(statement)


def attempt(write: Callable[[], object]) -> bool:
    """Call `write`, which is one transaction, and return whether it was stored.

    If the database is locked, full, read-only or gone, nothing is stored. This is for what a page notes in
    passing, such as a visit: it never waits and never fails for that, and the next request tries again.
    """
    try:
        with without_waiting():
            write()
    except (DatabaseError, InterfaceError) as error:
        if not db_errors.is_database_failure(error):
            raise
        return False
    return True


# --- results computed without a lock ----------------------------------------------------------------------------------

ATTEMPTS = 5  # a table where people record all the time needs one or two

Computed = TypeVar("Computed")
Result = TypeVar("Result")


def write_unless_changed(
    table: Table, compute: Callable[[], Computed], write: Callable[[Table, Computed], Result]
) -> Result:
    """Compute something slow without a lock, then lock the table and write the result.

    `write` runs in a transaction and gets the table as stored now. If somebody wrote to the table meanwhile,
    compute again; raise ConcurrentChange after ATTEMPTS attempts.
    """
    for _attempt in range(ATTEMPTS):
        version, computed = get_version(table), compute()
        with transaction.atomic():
            locked = lock(table)
            if locked.version == version:
                return write(locked, computed)
    raise ConcurrentChange


# --- the rows of a game, and the numbers of a table -------------------------------------------------------------------


def lock_game(game: Game) -> Table:
    """Lock the rows of the game's table and of the game until the transaction ends, and return the table.

    Call this inside a transaction. The game's fields that another writer may have changed are read again. The
    table comes first because writers of several games lock it first too: in another order two writers could
    deadlock.
    """
    table = lock(game.table)
    lock_game_row(game)
    return table


def lock_game_row(game: Game) -> None:
    """Lock the row of a game whose table is already locked, and reread the fields that may have changed."""
    game.refresh_from_db(
        fields=["variant", "ended_at", "discarded_at", "spot_nets", "spot_at", "spot_by"],
        from_queryset=Game.objects.select_for_update(no_key=True),
    )


def get_version(table: Table) -> int:
    """Return the stored version of the table.

    A result computed before the table was locked is still valid if the version is the same under the lock.
    """
    return Table.objects.values_list("version", flat=True).get(pk=table.pk)


def bump_version(table: Table) -> int:
    """Increase the table's version and return it. Call this once for each write, inside its transaction.

    Call it before the write's records and ledger entries are inserted, since they carry the version. The row
    stays locked until the transaction ends, so no two writes have the same version. Inside `single_version`
    it returns that one version.
    """
    raised = _RAISED.get()
    if raised is not None and raised[0] == table.pk:
        return raised[1]
    with connection.cursor() as cursor:  # Django's update() returns no column
        cursor.execute(_RAISE, [table.pk])
        return int(cursor.fetchone()[0])


def bump_versions(tables: Collection[int]) -> None:
    """Increase the versions of the tables with these ids, after a write without records or ledger entries."""
    Table.objects.filter(pk__in=tables).update(version=F("version") + 1)


_RAISE = "UPDATE games_table SET version = version + 1 WHERE id = %s RETURNING version"
_RAISED: ContextVar[tuple[int, int] | None] = ContextVar("raised", default=None)


@contextmanager
def single_version(table: Table) -> Iterator[int]:
    """Increase the table's version once for several writes of one transaction, and yield it."""
    version = bump_version(table)
    before = _RAISED.set((table.pk, version))
    try:
        yield version
    finally:
        _RAISED.reset(before)


def bump_revision(table: Table) -> None:
    """Increase the table's revision, so that pages that poll for changes are rendered again.

    Call this inside the transaction, after a change that is not an event of a game. Taking away a right is
    such a change: every polling page must then prove its permission again (`games/common/poll_tickets.py`).
    """
    bump_all_revisions([table])


def bump_all_revisions(tables: Iterable[Table]) -> None:
    """Increase the revisions of these tables, which the caller has locked. See `bump_revision`."""
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(revision=F("revision") + 1)


def bump_revisions(user: User) -> None:
    """Lock every table where this user has or had access, and increase its revision.

    Call this inside a transaction.
    """
    bump_all_revisions(
        lock_all(Table.objects.filter(pk__in=Access.objects.filter(user=user).values("table")))
    )


# --- idempotency keys of forms ----------------------------------------------------------------------------------------

TOKEN_BYTES = 24  # random bytes in the token of a link or a program


class IdempotencyKeyReused(Exception):
    """The idempotency key was used before, with other content or by another user."""


def check_key(key: str) -> None:
    """Raise RuleError unless this key has 1 to KEY_LENGTH characters, all of them printable."""
    if not key or len(key) > KEY_LENGTH or not key.isprintable():
        raise RuleError(_("A key must have 1 to {longest} characters.", longest=KEY_LENGTH), field="key")


def check_key_owner(row: Payment | SharedCost, *, by: User) -> None:
    """Raise IdempotencyKeyReused if another user with a valid access to the table recorded this row.

    A guest who has signed in since has no valid access any more, so the phone may resend the guest's entries.
    """
    if row.recorded_by_id != by.pk and row.table.accesses.valid().filter(user=row.recorded_by_id).exists():
        raise IdempotencyKeyReused


def new_form_key() -> str:
    return secrets.token_urlsafe(12)


def hash_token(token: str) -> str:
    """Return the hash that is stored in place of the secret token of a link or a program."""
    return sha256(token.encode()).hexdigest()
