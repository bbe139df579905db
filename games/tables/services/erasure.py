"""Erasing tables and accounts.

Nobody can open an erased table. Owners can restore it for some days; then `purge` deletes its rows. Records
are never deleted in any other way: the database's triggers (`games/common/triggers.py`) permit it only once
the table cannot be restored. A backup made earlier still has them.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import timedelta

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX, make_password
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, F, ForeignKey, Model, OuterRef, QuerySet
from django.http import Http404
from django.utils.timezone import now

from games import models
from games.common import locks, naming
from games.models import TABLE_NAME_LENGTH
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.scoring.text_line import RAW_FACTOR
from games.tables.services import authorization, devices, guests, takeovers, users

# The models whose rows belong to a table, with the look-up from a row to the table. They are in the order of
# deletion: each model comes before those that its foreign keys refer to.
OF_A_TABLE: Mapping[type[Model], str] = {
    **dict.fromkeys((models.Arrival, models.Debt, models.Entry, models.Payment, models.SharedCost), "table"),
    **dict.fromkeys(
        (models.Result, models.Offer, models.Flag, models.HandSource, models.Record), "game__table"
    ),
    models.Vouch: "access__table",
    **dict.fromkeys(
        (models.Game, models.Season, models.Token, models.Pen, models.PenRequest, models.Access), "table"
    ),
    **dict.fromkeys((models.Link, models.Member), "table"),
}

ERASURE = ("erased_at", "erased_by_operator")
BEYOND_RESTORE = timedelta(days=models.ERASING_DAYS, minutes=1)  # longer ago than a table can be restored


class CannotRestore(Http404):
    """The table can no longer be restored."""


@transaction.atomic
def erase(table: models.Table, *, name: str, by: User) -> models.Table:
    """Mark the table as erased, so that nobody can open it, and return it. A repeated call changes nothing.

    `name` is the table's name, typed as a confirmation. Lock the table. Raise RuleError if the name is wrong
    or if `by` took over the table less than sixty days ago, and RoleRequired if `by` is no longer an owner.
    """
    locked_table, access = authorization.lock_table(table, by)
    takeovers.check_can_erase(access)
    if len(name) > TABLE_NAME_LENGTH * RAW_FACTOR or not naming.names_match(
        " ".join(name.split()), locked_table.name
    ):
        raise RuleError(
            _("Nothing was deleted. Type the name of the table: {name}", name=locked_table.name), field="name"
        )
    if locked_table.erased_at is None:
        locked_table.erased_at = now()
        locked_table.save(update_fields=ERASURE)
        locks.bump_revision(locked_table)
    return locked_table


@transaction.atomic
def erase_as_operator(table: models.Table, *, at_once: bool = False) -> models.Table:
    """Mark the table as erased by the site's operator, and return it. Its owners cannot restore it.

    With `at_once` nobody can, and the next `purge` deletes its rows.
    """
    locked_table = locks.lock(table)
    locked_table.erased_at = now() - BEYOND_RESTORE if at_once else locked_table.erased_at or now()
    locked_table.erased_by_operator = True
    locked_table.save(update_fields=ERASURE)
    locks.bump_revision(locked_table)
    return locked_table


@transaction.atomic
def restore(table: models.Table, *, by: User | None) -> models.Table:
    """Restore an erased table for its owner `by`, or for the site's operator (None), and return it.

    Lock the table. Raise CannotRestore if it is too late, or if an owner tries to restore what the operator
    erased. Raise RoleRequired if `by` is no longer an owner.
    """
    locked_table = locks.lock(table) if by is None else authorization.lock_table(table, by)[0]
    is_barred = by is not None and locked_table.erased_by_operator
    if is_barred or models.Table.objects.purgeable().filter(pk=locked_table.pk).exists():
        raise CannotRestore
    if locked_table.erased_at is not None:
        locked_table.erased_at, locked_table.erased_by_operator = None, False
        locked_table.save(update_fields=ERASURE)
    return locked_table


def erase_unused() -> int:
    """Erase unused tables, and return their number.

    A table is unused if it is older than `UNUSED_DAYS` days, has no games and no money, and none of its users
    was seen in that time. Owners can restore it like any erased table.
    """
    long_ago = now() - timedelta(days=models.UNUSED_DAYS)
    seen = models.Device.objects.filter(user__accesses__table=OuterRef("pk"), seen_on__gt=long_ago.date())
    unused = models.Table.objects.filter(erased_at=None, created_at__lt=long_ago).exclude(Exists(seen))
    for kind in (models.Game, models.Payment, models.SharedCost, models.Entry):
        unused = unused.exclude(Exists(kind.objects.filter(table=OuterRef("pk"))))
    return unused.update(erased_at=now(), revision=F("revision") + 1)


def purge() -> int:
    """Delete all rows of the erased tables that can no longer be restored. Return the number of tables.

    Each table is deleted in its own transaction. Its guests are left to `delete_inactive_guests`.
    """
    tables = list(models.Table.objects.purgeable().values_list("pk", flat=True))
    for table in tables:
        with transaction.atomic():
            for kind, way in OF_A_TABLE.items():
                _delete(_rows(kind).filter(**{way: table}))
            _delete(_rows(models.Table).filter(pk=table))
    return len(tables)


def delete_expired_accesses() -> int:
    """Delete the accesses whose night ended more than `UNUSED_DAYS` days ago, and return their number.

    An access that was ended by somebody stays, so that tonight's link never readmits its user. So does one
    whose user has tokens for the table, because a new access would make them valid again.
    """
    tokens = models.Token.objects.filter(user=OuterRef("user"), table=OuterRef("table"), revoked_at=None)
    old = models.Access.objects.filter(ended_at=None, until__lt=now() - timedelta(days=models.UNUSED_DAYS))
    return old.exclude(Exists(tokens)).delete()[0]


def delete_past_pens() -> None:
    """Delete the pens of past nights, and the questions about them."""
    models.Pen.objects.filter(until__lt=now()).delete()
    models.PenRequest.objects.filter(until__lt=now()).delete()


@transaction.atomic
def delete_inactive_guests() -> int:
    """Delete guests that are no longer used, and return their number.

    They are older than `UNUSED_DAYS` days, have no device, and no other row refers to them, such as an access
    or a record.
    """
    inactive = User.objects.filter(
        password__startswith=UNUSABLE_PASSWORD_PREFIX,
        username__startswith=guests.USERNAME_PREFIX,
        date_joined__lt=now() - timedelta(days=models.UNUSED_DAYS),
    ).exclude(Exists(models.Device.objects.filter(user=OuterRef("pk"))))
    for kind in OF_A_TABLE:
        for field in _user_fields(kind):
            inactive = inactive.filter(~Exists(_rows(kind).filter(**{field.name: OuterRef("pk")})))
    # locked, so that no other transaction adds a row that refers to them
    pks = list(inactive.select_for_update().values_list("pk", flat=True))
    User.objects.filter(pk__in=pks).delete()
    return len(pks)


def _rows(kind: type[Model]) -> QuerySet[Model]:
    """Return all rows of this model, bypassing the restrictions of its manager (`ImmutableQuerySet`)."""
    return kind._base_manager.all()


def _delete(rows: QuerySet[Model]) -> None:
    """Delete the rows in one statement. The database's triggers (`games/common/triggers.py`) still apply."""
    rows._raw_delete(rows.db)


def _user_fields(kind: type[Model]) -> Iterable[ForeignKey[User, User]]:
    fields = (field for field in kind._meta.concrete_fields if isinstance(field, ForeignKey))
    return [field for field in fields if field.related_model is User]


# --- delete a user's account ------------------------------------------------------------------------------------------


class SoleOwner(Exception):
    """The user is the only owner of a table, which would be left without one."""


@transaction.atomic
def delete_account(user: User) -> None:
    """Delete the user's accesses, links, tokens and sessions, and make the user anonymous.

    People admitted by the user's links keep their access. Lock all tables of the user. Raise SoleOwner if the
    user is the only owner of a table.
    """
    tables = locks.lock_all(models.Table.objects.filter(pk__in=user.accesses.values("table")))
    if authorization.solely_owned_tables(user).exists():
        raise SoleOwner
    _clear_accounts(user)
    devices.sign_out_everywhere(user)
    for rows in (user.pens, user.pen_requests, user.vouches, user.tokens, user.offers, user.accesses):
        rows.all().delete()
    for link_rows in (user.links, user.sign_in_links):
        link_rows.all().delete()
    for field in _user_fields(models.Arrival):
        models.Arrival.objects.filter(**{field.name: user}).update(**{field.name: None})
    locks.bump_all_revisions(tables)
    _anonymize(user)


def _clear_accounts(user: User) -> None:
    accesses = user.accesses.lasting().select_related("member__merged_into")
    people = {access.person for access in accesses if access.person is not None and access.person.account}
    models.Member.objects.filter(pk__in=[member.pk for member in people]).update(account="")
    locks.bump_versions({member.table_id for member in people})


def _anonymize(user: User) -> None:
    user.username = f"{users.DELETED_PREFIX}{secrets.token_hex(8)}"
    user.first_name = user.last_name = user.email = ""
    user.password = make_password(None)
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.save()
