"""Erase a table. Nobody can open it any more; owners can restore it for some days; then its rows are deleted.

This is the only way in which records are ever deleted. The database's guards (`games/guards.py`) permit the
deletion once the table cannot be restored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime, timedelta

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, ForeignKey, Model, OuterRef, QuerySet
from django.http import Http404
from django.utils.timezone import now

from games.locks import revise
from games.models import (
    UNUSED_DAYS,
    Debt,
    Device,
    Entry,
    Face,
    Game,
    Grant,
    HandSource,
    Invite,
    Member,
    Newcomer,
    Offer,
    Payment,
    Record,
    Removal,
    Result,
    Season,
    SharedCost,
    Table,
    Token,
)
from games.names import same_name
from games.people.guests import GUEST
from games.people.owners import hold
from games.scoring.errors import RuleError
from games.scoring.words import _

# The models whose rows belong to a table. Each model comes before the models that its foreign keys refer to.
# The values are the look-ups from a row to its table. Models of the first two groups can have many rows.
OF_A_TABLE: Mapping[type[Model], str] = {
    Debt: "table",
    Entry: "table",
    Payment: "table",
    SharedCost: "table",
}
OF_A_GAME: tuple[type[Model], ...] = (Result, Offer, HandSource, Record)
THE_REST: tuple[type[Model], ...] = (
    *(Season, Token, Face, Newcomer),
    *(Grant, Invite, Removal, Member),
)

ROWS_AT_ONCE = 500
GAMES_AT_ONCE = 20  # a game has at most a thousand records
IN_A_REQUEST = 10  # deletion steps of one request
# The `erased_at` of a table whose rows are being deleted: final even if the server's clock is set back.
NO_RETURN = datetime(1970, 1, 1, tzinfo=UTC)


class NotErased(Exception):
    """Raised when the table is not erased, or an owner can still restore it."""


class GoneForGood(Http404):
    """Raised when the table can no longer be restored."""


@transaction.atomic
def erase(table: Table, *, name: str, by: User) -> Table:
    """Mark the table as erased, so that nobody can open it, and return it.

    Raise RuleError unless `name`, typed as a confirmation, is the table's name. Raise OwnsNoLonger if `by` is
    no longer an owner.
    """
    held = hold(table, by)
    if not same_name(" ".join(name.split()), held.name):
        raise RuleError(
            _("Nothing was erased. Type the name of the table: {name}", name=held.name), field="name"
        )
    if held.erased_at is None:
        held.erased_at = now()
        held.save(update_fields=["erased_at"])
        revise(held)
    return held


@transaction.atomic
def bring_back(table: Table, *, by: User) -> Table:
    """Restore an erased table for its owner `by`, and return it.

    Raise GoneForGood if it is too late. Raise OwnsNoLonger if `by` is no longer an owner.
    """
    held = hold(table, by)
    if _is_past_return(held):
        raise GoneForGood
    if held.erased_at is not None:
        held.erased_at = None
        held.save(update_fields=["erased_at"])
    return held


def _is_past_return(table: Table) -> bool:
    return Table.objects.past_return().filter(pk=table.pk).exists()


def shut_unused() -> int:
    """Erase unused tables, and return their number.

    A table older than `UNUSED_DAYS` days is unused if it has no games and no money, and if none of its users
    was seen in that time. Owners can restore it for as many days as a table that an owner erased.
    """
    long_ago = now() - timedelta(days=UNUSED_DAYS)
    seen = Device.objects.filter(user__grants__table=OuterRef("pk"), seen_on__gt=long_ago.date())
    unused = Table.objects.filter(erased_at=None, created_at__lt=long_ago).exclude(Exists(seen))
    for kind in (Game, Payment, Entry):
        unused = unused.exclude(Exists(kind.objects.filter(table=OuterRef("pk"))))
    return unused.update(erased_at=now())


def drop_lost_guests() -> int:
    """Delete guests that nobody uses any more, and return their number.

    These are guests older than `UNUSED_DAYS` days who are signed in on no device and to whom no other row
    refers, e.g. no grant and no record.
    """
    long_ago = now() - timedelta(days=UNUSED_DAYS)
    lost = User.objects.filter(
        password__startswith=UNUSABLE_PASSWORD_PREFIX, username__startswith=GUEST, date_joined__lt=long_ago
    )
    users = list(lost.values_list("pk", flat=True))
    before = User.objects.count()
    for first in range(0, len(users), ROWS_AT_ONCE):
        with transaction.atomic():
            _drop_guests(users[first : first + ROWS_AT_ONCE])
    return before - User.objects.count()


def finish_all() -> int:
    """Delete all rows of the erased tables that cannot be restored. Return the number of tables."""
    tables = list(Table.objects.past_return().values_list("pk", flat=True))
    for table in tables:
        finish_erasing(table)
    return len(tables)


def finish_erasing(table: int, *, most: int | None = None, visitor: int | None = None) -> bool:
    """Delete the rows of this table in at most `most` steps. Return whether all rows are deleted.

    Each step is a transaction of its own, so that other writers need not wait long. Without `most` the number
    of steps has no limit. Raise NotErased if the table can still be restored. Guests of the table who have
    nothing else are deleted too, but not the user with the id `visitor`, who made this request.
    """
    steps = 0
    while most is None or steps < most:
        if _is_gone_after_a_step(table, visitor):
            return True
        steps += 1
    return False


@transaction.atomic
def _is_gone_after_a_step(table: int, visitor: int | None) -> bool:
    """Delete some of the table's rows in one transaction. Return whether the table itself is deleted."""
    held = Table.objects.select_for_update(no_key=True).filter(pk=table).first()
    if held is None:
        return True
    if not _is_past_return(held):
        raise NotErased
    Table.objects.filter(pk=held.pk).update(erased_at=NO_RETURN)
    some = _some_of(held)
    last = [*(rows(kind).filter(table=held) for kind in THE_REST), rows(Table).filter(pk=held.pk)]
    _drop(some or last, visitor)
    return not some


def rows(kind: type[Model]) -> QuerySet[Model]:
    """Return all rows of this model, without the restrictions of its manager (see `FinalQuerySet`).

    The triggers of the database (`games/guards.py`) still apply.
    """
    return kind._base_manager.all()


def _some_of(table: Table) -> list[QuerySet[Model]]:
    """Return the rows to delete in the next step, as query sets in the order of deletion.

    These are rows of models of which a table can have many, e.g. games and payments. Return [] if no such
    rows are left.
    """
    for kind, way in OF_A_TABLE.items():
        some = list(rows(kind).filter(**{way: table}).values_list("pk", flat=True)[:ROWS_AT_ONCE])
        if some:
            return [rows(kind).filter(pk__in=some)]
    games = list(rows(Game).filter(table=table).values_list("pk", flat=True)[:GAMES_AT_ONCE])
    if games:
        return [*(rows(kind).filter(game__in=games) for kind in OF_A_GAME), rows(Game).filter(pk__in=games)]
    return []


def _drop(parts: Iterable[QuerySet[Model]], visitor: int | None) -> None:
    """Delete the rows of these query sets, and the guests to whom only these rows referred.

    The guest with the id `visitor` is not deleted.
    """
    users: set[int] = set()
    for some in parts:
        for field in _users_of(some.model):
            users.update(some.order_by().values_list(field.attname, flat=True).distinct())
        some._raw_delete(some.db)
    _drop_guests(users - {None, visitor})


def _drop_guests(users: Collection[int]) -> None:
    """Delete the guests among these users to whom no row of any table refers.

    A guest who is signed in on a phone stays: `drop_lost_guests` deletes them once the session has ended.
    """
    guests = User.objects.filter(pk__in=users, password__startswith=UNUSABLE_PASSWORD_PREFIX)
    guests = guests.exclude(Exists(Device.objects.filter(user=OuterRef("pk"))))
    list(guests.select_for_update())  # locks the guests, so that no other transaction refers to one meanwhile
    kinds: tuple[type[Model], ...] = (*OF_A_TABLE, *OF_A_GAME, Game, *THE_REST)
    for kind in kinds:
        for field in _users_of(kind):
            guests = guests.filter(~Exists(rows(kind).filter(**{field.name: OuterRef("pk")})))
    User.objects.filter(pk__in=list(guests.values_list("pk", flat=True))).delete()


def _users_of(kind: type[Model]) -> Iterable[ForeignKey[User, User]]:
    """Return the fields of this model that refer to a user."""
    fields = (field for field in kind._meta.concrete_fields if isinstance(field, ForeignKey))
    return [field for field in fields if field.related_model is User]
