"""An account deleted by whose it is: what it opened ends, and what was recorded by it stays, by nobody known.

Records, payments and notes hold their user for good, so the row stays too, without a name, a password or a way in. What
members of a table are called is the table's own, and stays as it is there; where to send them money goes.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games.changes import tell
from games.locks import lock, revise
from games.models import Change, Grant, Table, What
from games.people.claims import end_claims

DELETED = "deleted-"  # how the names of users begin who are gone


class OwnsAlone(Exception):
    """Whoever wants to be gone is the only owner of a table: it would be nobody's."""


def is_deleted(user: User) -> bool:
    """Whether this user has deleted the account."""
    return not user.is_active and user.username.startswith(DELETED)


def owned_alone(user: User) -> Sequence[Table]:
    """The tables that would be without an owner."""
    owning = Grant.objects.owning().filter(table=OuterRef("pk"))
    mine = Table.objects.filter(Exists(owning.filter(user=user)), ~Exists(owning.exclude(user=user)))
    return list(mine.filter(erased_at=None).order_by("name", "pk"))


@transaction.atomic
def delete_account(user: User) -> None:
    """Ends all that the user may do and is, everywhere, for good; OwnsAlone where a table would be nobody's.

    Their invitations let nobody in any more, as those of whoever owns a table no longer; who came in by them stays.
    """
    theirs = Q(grants__user=user) | Q(members__user=user)
    for table in Table.objects.filter(theirs).distinct().order_by("pk"):
        held = lock(table)
        _clear_accounts(held, user)
        end_claims(held, user)
        revise(table)
    if owned_alone(user):
        raise OwnsAlone
    Session.objects.filter(session_key__in=user.devices.values("session_key")).delete()
    for rows in (user.devices, user.tokens, user.grants):
        rows.all().delete()
    _make_nobody(user)


def _clear_accounts(table: Table, user: User) -> None:
    """Forgets where to send this user money; what was written for one nobody agreed to is not theirs."""
    theirs = list(table.members.filter(user=user, claimed_at__isnull=False).exclude(account=""))
    table.members.filter(pk__in=[member.pk for member in theirs]).update(account="")
    tell(table, *(Change(what=What.ACCOUNT_CHANGED, member=member) for member in theirs))


def _make_nobody(user: User) -> None:
    user.username = f"{DELETED}{secrets.token_hex(8)}"
    user.first_name = user.last_name = user.email = ""
    user.password = make_password(None)
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.save()
