"""The acts of the site's operator: say who may open a table, block a user, and give a table another owner."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils.timezone import localdate

from games.common import locks
from games.models import Access, Link, LinkKind, Role, Table
from games.scoring.i18n import Text, _
from games.tables.services import devices, links, lobby, setup, users

CLOSED_MESSAGES = {
    "known": _("On this site, only people who already play can create tables."),
    "nobody": _("On this site, only its operator can create tables."),
}


def can_create_table(user: User | AnonymousUser) -> bool:
    """Return whether this user may open a table here (the setting NEW_TABLES).

    Known are users with a password, and those who have access to a table.
    """
    if settings.NEW_TABLES != "known":
        return settings.NEW_TABLES not in CLOSED_MESSAGES
    return isinstance(user, User) and (user.has_usable_password() or user.accesses.valid().exists())


def creation_refusal(user: User | AnonymousUser) -> Text | None:
    """Return the sentence that says who opens tables here to a user who may not, else None."""
    return None if can_create_table(user) else CLOSED_MESSAGES[settings.NEW_TABLES]


def create_table_for_owner(parts: dict[str, Any]) -> tuple[Table, str]:
    """Create a table without an owner. Return it and the token of the link that makes its first user the owner."""
    with transaction.atomic():
        table = setup.build_table(parts)
        return table, links.create_for_owner(table)


# --- blocked users ----------------------------------------------------------------------------------------------------


def is_blocked(user: User) -> bool:
    """Return whether the operator blocked this user, whose account is not deleted."""
    return not user.is_active and not users.is_deleted(user)


@transaction.atomic
def block(user: User) -> None:
    """End the sessions, tokens and links of this user, who can then do nothing on the site until `unblock`.

    Their accesses stay. Tonight's codes of their tables change, as when an owner ends an access.
    """
    tables = locks.lock_all(Table.objects.filter(pk__in=user.accesses.values("table")))
    devices.sign_out_everywhere(user)
    user.tokens.revoke()
    user.links.revoke()
    user.sign_in_links.revoke()
    user.offers.all().delete()
    Link.objects.filter(table__in=tables, kind=LinkKind.TONIGHT).revoke()
    locks.bump_all_revisions(tables)
    user.is_active = False
    user.save(update_fields=["is_active"])


def unblock(user: User) -> None:
    """Let a blocked user in again, with the accesses that they had. Sessions, tokens and links stay ended."""
    user.is_active = True
    user.save(update_fields=["is_active"])


# --- owners -----------------------------------------------------------------------------------------------------------


def is_owner(user: User, table: Table) -> bool:
    """Return whether the user owns the table for good, and no other owner can remove them."""
    owning = table.accesses.owners().filter(user=user, until=None)
    return owning.filter(raised_by=None, took_over_at=None).exists()


@transaction.atomic
def grant_ownership(table: Table, user: User) -> None:
    """Make this user an owner of the table for good, whom no other owner can remove."""
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
