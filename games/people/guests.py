"""Guests: users without a name or password, kept by the session of their phone; and what becomes of them at a sign-in."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.timezone import now

from games.changes import tell
from games.locks import lock, revise
from games.models import Change, Flag, Grant, Member, Role, Table, What
from games.people.invitations import BY_STRENGTH

GUEST = "guest-"  # how the names of users begin who have none
DOUBLE_TAP = timedelta(minutes=1)
NOBODY = {"user": None, "claimed_at": None}  # whom a member is claimed by


@transaction.atomic
def make_guest(key: str = "") -> User:
    """A user without name or password, who is whoever holds the session.

    The key of the form that made him, where it `is_ours`, gives the same guest for a moment: the second tap has no
    session yet.
    """
    if key:
        name = f"{GUEST}{sha256(key.encode()).hexdigest()[:20]}"
        guest, _is_new = User.objects.get_or_create(username=name, defaults={"password": make_password(None)})
        if guest_of(guest) and now() - guest.date_joined < DOUBLE_TAP:
            return guest
    return User.objects.create_user(f"{GUEST}{secrets.token_hex(8)}")


def guest_of(user: User | AnonymousUser) -> User | None:
    """The guest this user is; None for who has a password, and for nobody."""
    return user if isinstance(user, User) and not user.has_usable_password() else None


def tables_open_to(user: User) -> QuerySet[Table]:
    """The tables this user opens now; a guest's nobody could open any more once his phone forgot him."""
    return Table.objects.filter(grants__in=user.grants.standing(), erased_at=None).order_by("name", "pk")


def has_something(guest: User) -> bool:
    """Whether a guest may do, might again, or is anything at a table, or has a doubt that is open."""
    return (
        guest.grants.exists()
        or Member.objects.filter(user=guest).exists()
        or Flag.objects.filter(by=guest, resolved_at=None).exists()
    )


@transaction.atomic
def bring_along(guest: User, user: User) -> None:
    """Gives `user` all that this guest may do, doubts, and is: the more of it where both have some at a table.

    The records keep the name under which they were made.
    """
    for table in (
        Table.objects.filter(Q(grants__user=guest) | Q(members__user=guest)).distinct().order_by("pk")
    ):
        lock(table)
        _bring_grant(table, guest, user)
        revise(table)
        _bring_claims(table, guest, user)
    guest.tokens.filter(table=None).revoke()  # nobody meant the tables of `user` by it
    same = Flag.objects.filter(
        by=user, resolved_at=None, **{name: OuterRef(name) for name in ("game", "number", "player")}
    )
    Flag.objects.filter(~Exists(same), by=guest).update(by=user)


def _bring_grant(table: Table, guest: User, user: User) -> None:
    """What the guest may do at a table; what has ended stays, with all that hangs on it, for whoever undoes that."""
    both = table.grants.filter(user__in=(guest, user))
    standing = list(both.standing())
    if guest.pk not in {grant.user_id for grant in standing}:
        return
    kept = max(standing, key=_reach)
    kept.ranks_from = min(grant.ranks_from for grant in standing if grant.role == kept.role)
    if user.pk not in {grant.user_id for grant in standing}:
        table.tokens.filter(user=user).revoke()  # which had died with what he had there
    table.tokens.filter(user=guest).update(user=user)
    both.exclude(pk=kept.pk).delete()
    kept.user = user
    kept.save(update_fields=["user", "ranks_from"])
    table.invites.filter(made_by=guest).update(made_by=user)
    table.removals.filter(made_by=guest).update(made_by=user)


def _bring_claims(table: Table, guest: User, user: User) -> None:
    """Whom the guest says to be, unless the user is somebody already."""
    is_somebody = table.members.filter(user=user, merged_into=None).exists()
    claimed = list(table.members.filter(user=guest))
    table.members.filter(user=guest).update(**NOBODY if is_somebody else {"user": user})
    tell(table, *(Change(what=What.CLAIMS_CHANGED, member=member) for member in claimed))


def _reach(grant: Grant) -> tuple[int, bool, datetime]:
    """How much a grant allows, then whether for good, then until when."""
    return BY_STRENGTH.index(Role(grant.role)), grant.expires_at is None, grant.expires_at or grant.made_at
