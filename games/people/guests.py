"""Guests: users without a user name and password, identified only by their phone's session.

A *grant* gives a user a role at a table. A *claim* says that the user is a certain member of the table, and a
*face* says so for one night. A player *offers* a hand by sending their own cards to the scorer.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from games.locks import lock, raise_version, revise
from games.models import Grant, Offer, Role, Table
from games.people.invitations import BY_STRENGTH
from games.people.staying import keep_members

GUEST = "guest-"  # the user names of guests begin with this
DOUBLE_TAP = timedelta(minutes=1)
NOBODY = {"user": None, "claimed_at": None}  # the columns of a member without a claim


@transaction.atomic
def make_guest(key: str = "") -> User:
    """Make a user without a user name and password, who is identified only by the session.

    With a form key that we issued (`guest_keys.is_ours`), a second call within a minute returns the same
    guest: the second request of a double tap does not have the new session's cookie yet.
    """
    if key:
        defaults = {"password": make_password(None)}
        guest, _is_new = User.objects.get_or_create(username=_name_under(key), defaults=defaults)
        if _is_of_this_minute(guest):
            return guest
    return User.objects.create_user(f"{GUEST}{secrets.token_hex(8)}")


def guest_under(key: str) -> User | None:
    """Return the guest who was made under this form key within the last minute, or None."""
    guest = User.objects.filter(username=_name_under(key)).first() if key else None
    return guest if guest is not None and _is_of_this_minute(guest) else None


def _name_under(key: str) -> str:
    return f"{GUEST}{sha256(key.encode()).hexdigest()[:20]}"


def _is_of_this_minute(guest: User) -> bool:
    return guest_of(guest) is not None and now() - guest.date_joined < DOUBLE_TAP


def guest_of(user: User | AnonymousUser) -> User | None:
    """Return this user if they are a guest. Return None for a user with a password and an anonymous user."""
    return user if isinstance(user, User) and not user.has_usable_password() else None


def tables_open_to(user: User) -> QuerySet[Table]:
    """Return the tables to which this user has access now: those that a guest loses with the session."""
    return Table.objects.filter(grants__in=user.grants.standing(), erased_at=None).order_by("name", "pk")


@transaction.atomic
def bring_along(guest: User, user: User) -> None:
    """Move this guest's grants, claims, faces and offered hands to `user`.

    If the guest and `user` both have a grant at a table, keep the stronger grant. Revoke the guest's API
    tokens that are not limited to one table. Records, and the sources of recorded hands, keep the guest as
    the user who made them.
    """
    for table in (
        Table.objects.filter(Q(grants__user=guest) | Q(members__user=guest)).distinct().order_by("pk")
    ):
        lock(table)
        _bring_grant(table, guest, user)
        revise(table)
        _bring_claims(table, guest, user)
        _bring_faces(table, guest, user)
        _bring_offers(table, guest, user)
    guest.tokens.filter(table=None).revoke()  # the guest did not mean these tokens for the tables of `user`


def _bring_grant(table: Table, guest: User, user: User) -> None:
    """Move the guest's valid grant at a table to `user`. If both have one, keep the stronger.

    An ended grant stays the guest's, so that it can be restored.
    """
    both = table.grants.filter(user__in=(guest, user))
    standing = list(both.standing())
    if guest.pk not in {grant.user_id for grant in standing}:
        return
    kept = max(standing, key=_reach)
    kept.ranks_from = min(grant.ranks_from for grant in standing if grant.role == kept.role)
    if user.pk not in {grant.user_id for grant in standing}:
        table.tokens.filter(user=user).revoke()  # these tokens ended together with the user's grant here
    table.tokens.filter(user=guest).update(user=user)
    others = both.exclude(pk=kept.pk)
    others.delete()
    kept.user = user
    kept.records_until = max((grant.records_until for grant in standing if grant.records_until), default=None)
    kept.save(update_fields=["user", "ranks_from", "records_until"])
    table.invites.filter(made_by=guest).update(made_by=user)
    table.invites.filter(replaces=guest).update(replaces=user)
    table.invites.filter(used_by=guest).update(used_by=user)
    table.removals.filter(made_by=guest).update(made_by=user)


def _bring_claims(table: Table, guest: User, user: User) -> None:
    """Move the guest's claims at a table, or end them if the user already claims a member."""
    is_somebody = table.members.filter(user=user, merged_into=None).exists()
    table.members.filter(user=guest).update(**NOBODY if is_somebody else {"user": user})
    keep_members(table, [user.pk])
    raise_version(table)


def _bring_faces(table: Table, guest: User, user: User) -> None:
    """Move the faces that the guest tapped and the names they gave.

    For a night on which the user tapped a face or gave a name too, the guest's is deleted. If the user claims
    a member, the faces of other members are deleted, and so are the names.
    """
    claimed = table.members.filter(user=user, merged_into=None).first()
    if claimed is not None:
        table.faces.filter(user=guest).exclude(member=claimed).delete()
        table.newcomers.filter(user=guest).delete()
    for rows in (table.faces, table.newcomers):
        nights = list(rows.filter(user=user).values_list("night", flat=True))
        rows.filter(user=guest).exclude(night__in=nights).update(user=user)
        rows.filter(user=guest).delete()


def _bring_offers(table: Table, guest: User, user: User) -> None:
    """Move the hands that the guest offered.

    If the user offered a hand for the same player of the game, keep only the newer one.
    """
    for offer in Offer.objects.filter(game__table=table, user=guest):
        others = Offer.objects.filter(game=offer.game_id, player=offer.player, user=user)
        if others.filter(offered_at__gt=offer.offered_at).exists():
            offer.delete()
            continue
        others.delete()
        offer.user = user
        offer.save(update_fields=["user"])


def _reach(grant: Grant) -> tuple[int, bool, datetime]:
    """Return a sort key that orders grants by strength: by role, then by how long they last.

    The second value is True for a grant that never expires.
    """
    return BY_STRENGTH.index(Role(grant.role)), grant.expires_at is None, grant.expires_at or grant.made_at
