"""Delete a user's account: the user's grants and claims end, and the user's row becomes anonymous.

The row stays because records, payments and notes refer to it, but without a name or a password, and nobody
can sign in to it. The names of members belong to the table and stay. The text that tells others how to send
the member money is removed.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games import trail
from games.changes import tell
from games.locks import lock, revise
from games.models import Change, ChangeKind, Grant, Table
from games.people.claims import end_claims
from games.people.sign_in_links import drop_link

DELETED = "deleted-"  # the user names of deleted accounts begin with this


class OwnsAlone(Exception):
    """Raised when the user is the only owner of a table, which would be left without an owner."""


def is_deleted(user: User) -> bool:
    """Return whether this user has deleted the account."""
    return not user.is_active and user.username.startswith(DELETED)


def owned_alone(user: User) -> Sequence[Table]:
    """Return the tables of which this user is the only owner."""
    owning = Grant.objects.owning().filter(table=OuterRef("pk"))
    mine = Table.objects.filter(Exists(owning.filter(user=user)), ~Exists(owning.exclude(user=user)))
    return list(mine.filter(erased_at=None).order_by("name", "pk"))


@transaction.atomic
def delete_account(user: User) -> None:
    """End all grants, claims, tokens and sessions of the user for good, and make the user anonymous.

    The user's open invitations end too, but users who accepted one earlier stay. Raise OwnsAlone if the user
    is the only owner of a table.
    """
    theirs = Q(grants__user=user) | Q(members__user=user)
    for table in Table.objects.filter(theirs).distinct().order_by("pk"):
        held = lock(table)
        _clear_accounts(held, user)
        end_claims(held, user)
        trail.note(held, trail.gone(held.grants.filter(user=user)))
        revise(table)
    if owned_alone(user):
        raise OwnsAlone
    Session.objects.filter(session_key__in=user.devices.values("session_key")).delete()
    for rows in (user.devices, user.tokens, user.grants):
        rows.all().delete()
    drop_link(user)
    _make_nobody(user)


def _clear_accounts(table: Table, user: User) -> None:
    """Clear the payment details of the members whom an owner confirmed to be this user."""
    theirs = list(table.members.filter(user=user, claimed_at__isnull=False).exclude(account=""))
    for member in theirs:
        member.account = member.account_salt = ""
        member.save(update_fields=["account", "account_salt"])
    trail.note(table, trail.members(theirs))
    tell(table, *(Change(what=ChangeKind.ACCOUNT_CHANGED, member=member) for member in theirs))


def _make_nobody(user: User) -> None:
    user.username = f"{DELETED}{secrets.token_hex(8)}"
    user.first_name = user.last_name = user.email = ""
    user.password = make_password(None)
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.save()
