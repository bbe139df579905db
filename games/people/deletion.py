"""Delete a user's account: the user's grants and claims end, and the user's row becomes anonymous.

A *grant* gives a user a role at a table, and by a *claim* the user says which member of the table they are.
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
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.locks import lock, raise_version, revise
from games.models import Grant, Member, Table
from games.people.claims import end_claims
from games.people.sign_in_links import drop_link
from games.people.users import DELETED


class OwnsAlone(Exception):
    """Raised when the user is the only owner of a table, which would be left without an owner."""


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
    _end_at_tables(user)
    if owned_alone(user):
        raise OwnsAlone
    _end_everywhere(user)


def _end_at_tables(user: User) -> None:
    """End the user's claims at all tables, and clear their payment details. The caller deletes the grants."""
    tables = Table.objects.filter(Q(grants__user=user) | Q(members__user=user)).distinct().order_by("pk")
    for table in tables:
        held = lock(table)
        _clear_accounts(held, held.members.filter(user=user, claimed_at__isnull=False))
        end_claims(held, user)
        revise(table)


def _end_everywhere(user: User) -> None:
    Session.objects.filter(session_key__in=user.devices.values("session_key")).delete()
    temporary = (user.devices, user.tokens, user.faces, user.newcomers, user.offers, user.grants)
    for rows in temporary:
        rows.all().delete()
    drop_link(user)
    _make_nobody(user)


def _clear_accounts(table: Table, members: QuerySet[Member]) -> None:
    """Clear the payment details of these members."""
    for member in members.exclude(account=""):
        member.account = ""
        member.save(update_fields=["account"])
    raise_version(table)


def _make_nobody(user: User) -> None:
    user.username = f"{DELETED}{secrets.token_hex(8)}"
    user.first_name = user.last_name = user.email = ""
    user.password = make_password(None)
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.save()
