"""Delete a user's account: the user's accesses and links go, and the user's row becomes anonymous.

The row stays because records, payments and notes refer to it, but without a name or a password, and nobody
can sign in to it. The members of tables stay, with their names and games. The text that tells others how to
send the member money is removed.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef

from games.common.locks import lock, raise_version, revise
from games.models import Access, Table
from games.tables.users import DELETED


class OwnsAlone(Exception):
    """Raised when the user is the only owner of a table, which would be left without an owner."""


def owned_alone(user: User) -> Sequence[Table]:
    """Return the tables of which this user is the only owner."""
    owning = Access.objects.owning().filter(table=OuterRef("pk"))
    mine = Table.objects.filter(Exists(owning.filter(user=user)), ~Exists(owning.exclude(user=user)))
    return list(mine.filter(erased_at=None).order_by("name", "pk"))


@transaction.atomic
def delete_account(user: User) -> None:
    """End all accesses, links, tokens and sessions of the user for good, and make the user anonymous.

    Users who came in by a link of theirs stay. Raise OwnsAlone if the user is the only owner of a table.
    """
    tables = [lock(table) for table in Table.objects.filter(accesses__user=user).order_by("pk")]
    if owned_alone(user):
        raise OwnsAlone
    _clear_accounts(user)
    Session.objects.filter(session_key__in=user.devices.values("session_key")).delete()
    for rows in (user.devices, user.tokens, user.offers, user.accesses, user.links, user.sign_in_links):
        rows.all().delete()
    for table in tables:
        revise(table)
    _make_nobody(user)


def _clear_accounts(user: User) -> None:
    """Clear the payment details of the members who this user is for good."""
    for access in user.accesses.for_good():
        member = access.person
        if member is not None and member.account:
            member.account = ""
            member.save(update_fields=["account"])
            raise_version(member.table)


def _make_nobody(user: User) -> None:
    user.username = f"{DELETED}{secrets.token_hex(8)}"
    user.first_name = user.last_name = user.email = ""
    user.password = make_password(None)
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.save()
