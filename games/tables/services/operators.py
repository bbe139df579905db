"""Services for the site's operator: who can create tables, blocked and erased users, and new owners of a table.

Pages and programs ask `creation_refusal` before they create a table; commands do not.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils.timezone import localdate, now

from games.common import locks
from games.models import ERASING_DAYS, Access, AccountErasure, Link, LinkKind, Role, Table
from games.scoring.i18n import Text, _
from games.tables.services import authorization, devices, erasure, links, lobby, setup, users
from games.tables.services.erasure import SoleOwner

CLOSED_MESSAGES = {
    "known": _("On this site, only people who already play can create tables."),
    "nobody": _("On this site, only its operator can create tables."),
}


def can_create_table(user: User | AnonymousUser) -> bool:
    """Return whether this user may create a table on this site (the setting NEW_TABLES).

    “known” means users with a password or with access to a table.
    """
    if settings.NEW_TABLES != "known":
        return settings.NEW_TABLES not in CLOSED_MESSAGES
    return isinstance(user, User) and (user.has_usable_password() or user.accesses.valid().exists())


def creation_refusal(user: User | AnonymousUser) -> Text | None:
    """Return a sentence on who can create tables here for a user who cannot, otherwise None."""
    return None if can_create_table(user) else CLOSED_MESSAGES[settings.NEW_TABLES]


def create_table_for_owner(parts: dict[str, Any]) -> tuple[Table, str]:
    """Create a table without an owner. Return it with the token of a link that makes its user the owner."""
    with transaction.atomic():
        table = setup.build_table(parts)
        return table, links.create_for_owner(table)


# --- blocked users ----------------------------------------------------------------------------------------------------


def is_blocked(user: User) -> bool:
    return not user.is_active and not users.is_deleted(user) and find_erasure(user) is None


@transaction.atomic
def block(user: User) -> None:
    """End the user's sessions, and revoke their tokens and links. They are shut out until `unblock`.

    Their accesses stay. Tonight's links of their tables are revoked, as when an owner ends an access. Lock
    all tables of the user.
    """
    tables = locks.lock_all(Table.objects.filter(pk__in=user.accesses.values("table")))
    devices.sign_out_everywhere(user)
    user.tokens.revoke()
    user.links.revoke()
    user.sign_in_links.revoke()
    user.offers.all().delete()
    user.pens.end()
    Link.objects.filter(table__in=tables, kind=LinkKind.TONIGHT).revoke()
    locks.bump_all_revisions(tables)
    user.is_active = False
    user.save(update_fields=["is_active"])


def unblock(user: User) -> None:
    """Unblock the user. Their accesses are valid again; sessions, tokens and links stay ended."""
    user.is_active = True
    user.save(update_fields=["is_active"])


# --- erased users -----------------------------------------------------------------------------------------------------


def find_erasure(user: User) -> AccountErasure | None:
    """Return when and how the operator erased this user; None for others."""
    return AccountErasure.objects.filter(user=user).first()


@transaction.atomic
def erase_account(user: User) -> None:
    """Block the user and suspend their accesses, until `restore_account`, or `purge_accounts` some days later.

    A suspended access is not valid: it owns no table, and confirms nobody. Lock all tables of the user. Raise
    SoleOwner if the user is the only owner of a table.
    """
    locks.lock_all(Table.objects.filter(pk__in=user.accesses.values("table")))
    if authorization.solely_owned_tables(user).exists():
        raise SoleOwner
    was_blocked = is_blocked(user)
    block(user)
    row = AccountErasure.objects.create(user=user, was_blocked=was_blocked)
    user.accesses.update(suspended_at=row.erased_at)


@transaction.atomic
def restore_account(user: User) -> None:
    """Give an erased user their accesses back. Sessions, tokens and links stay ended, as after `unblock`.

    Lock the erasure first, and then all tables of the user.
    """
    row = AccountErasure.objects.select_for_update().get(user=user)
    tables = locks.lock_all(Table.objects.filter(pk__in=user.accesses.values("table")))
    user.accesses.update(suspended_at=None)
    user.is_active = not row.was_blocked
    user.save(update_fields=["is_active"])
    row.delete()
    locks.bump_all_revisions(tables)


@transaction.atomic
def delete_account(user: User) -> None:
    """Delete the account of a user, erased or not, for good. Raise SoleOwner like `erase_account`."""
    if find_erasure(user) is not None:
        restore_account(user)
    erasure.delete_account(user)


def purge_accounts() -> tuple[int, list[User]]:
    """Delete the accounts that can no longer be restored.

    Return their number, and the users who stay erased because they are the only owner of a table.
    """
    long_ago = now() - timedelta(days=ERASING_DAYS)
    erased_users = User.objects.filter(erasure__erased_at__lt=long_ago).order_by("pk")
    count, sole_owners = 0, []
    for user in erased_users:
        try:
            count += _purge_account(user, long_ago)
        except SoleOwner:
            sole_owners.append(user)
    return count, sole_owners


@transaction.atomic
def _purge_account(user: User, long_ago: datetime) -> bool:
    """Delete the account, unless the operator has restored it meanwhile. Return whether it is deleted."""
    erasures = AccountErasure.objects.select_for_update().filter(user=user, erased_at__lt=long_ago)
    if erasures.first() is None:
        return False
    delete_account(user)
    return True


# --- owners -----------------------------------------------------------------------------------------------------------


def is_owner(user: User, table: Table) -> bool:
    """Return whether the user is a lasting owner of the table and no other owner can remove them."""
    owning = table.accesses.owners().filter(user=user, until=None)
    return owning.filter(raised_by=None, took_over_at=None).exists()


@transaction.atomic
def grant_ownership(table: Table, user: User) -> None:
    """Make this user a lasting owner of the table that no other owner can remove. End all takeover requests.

    Lock the table.
    """
    locked_table = locks.lock(table)
    access = locked_table.accesses.filter(user=user).first() or Access(
        user=user, table=locked_table, role=Role.OWNER
    )
    lobby.grant(access, role=Role.OWNER, until=None)
    access.raised_by = access.took_over_at = None
    access.opened_on = localdate()
    access.save(update_fields=["raised_by", "took_over_at", "opened_on"])
    locked_table.accesses.exclude(asked_at=None).update(asked_at=None)
    locks.bump_revision(locked_table)
