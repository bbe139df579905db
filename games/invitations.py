"""Invitations to a table and the grants they make: who is let in, as what, and until when."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from games.models import Grant, Invite, Role, Table
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.services import lock

TOKEN_BYTES = 24
WATCHES_FOR = timedelta(hours=24)
LASTS: Mapping[str, timedelta] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "year": timedelta(days=365),
}
BY_STRENGTH = (Role.WITNESS, Role.SCORER, Role.OWNER)


class InviteGone(Exception):
    """The invitation was revoked, used or over before it could be accepted."""


@transaction.atomic
def make_invite(
    table: Table, role: Role, *, lasts: timedelta, by: User, at: datetime | None = None
) -> tuple[Invite, str]:
    """A new invitation and its token, which is told once and kept nowhere."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    made_at = at or now()
    invite = Invite.objects.create(
        table=table,
        role=role,
        token_hash=hash_of(token),
        made_by=by,
        made_at=made_at,
        expires_at=made_at + lasts,
    )
    return invite, token


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode()).hexdigest()


def find_invite(token: str, user: User | None) -> Invite | None:
    """The invitation with this token that lets `user` in, or has let him in; None for any other token."""
    invites = Invite.objects.filter(token_hash=hash_of(token), table__erased_at=None)
    return invites.filter(pk__in=_open_to(user)).select_related("table").first()


def stands(invite: Invite) -> bool:
    """Whether the invitation still lets somebody in."""
    return Invite.objects.standing().filter(pk=invite.pk).exists()


def _open_to(user: User | None) -> QuerySet[Invite]:
    """Every invitation that stands, and those this user came in by: a tap repeated is no refusal."""
    standing = Invite.objects.standing()
    if user is None:
        return standing
    his = Grant.objects.standing().filter(user=user, invite__revoked_at=None).values("invite")
    return Invite.objects.filter(Q(pk__in=standing) | Q(pk__in=his))


@transaction.atomic
def accept_invite(invite: Invite, user: User, *, name: str = "") -> Grant:
    """What the user may do at the table now: what the invitation gives, or the more that he may already.

    An invitation that is over gives nothing new to who came in by it. `name` is what he calls himself, "" where he
    does not say. InviteGone where somebody else was faster.
    """
    table = lock(invite.table)
    invite = Invite.objects.get(pk=invite.pk)
    if not _open_to(user).filter(pk=invite.pk).exists():
        raise InviteGone
    if name:
        user.first_name = name
        user.save(update_fields=["first_name"])
    role, at = Role(invite.role), now()
    grant = table.grants.standing().filter(user=user).first()
    if grant is not None and (_is_enough(grant, role) or not stands(invite)):
        return grant
    grant, _is_new = table.grants.update_or_create(
        user=user,
        defaults={
            "role": role,
            "invite": invite,
            "made_at": at,
            "expires_at": at + WATCHES_FOR if role is Role.WITNESS else None,
        },
    )
    if role is not Role.WITNESS:
        invite.used_at = at
        invite.save(update_fields=["used_at"])
    return grant


def _is_enough(grant: Grant, role: Role) -> bool:
    """Whether a grant that stands gives all that this role would, for as long."""
    has, wanted = BY_STRENGTH.index(Role(grant.role)), BY_STRENGTH.index(role)
    return has > wanted or (has == wanted and grant.expires_at is None)


@transaction.atomic
def revoke_invite(invite: Invite) -> None:
    """Ends the invitation and every grant it made; RuleError where the table would be left without an owner."""
    table = lock(invite.table)
    _leave_an_owner(table, without=invite.grants.all())
    invite.grants.all().delete()
    Invite.objects.filter(pk=invite.pk, revoked_at=None).update(revoked_at=now())


@transaction.atomic
def keep_grant(grant: Grant) -> None:
    """Lets somebody who watches stay for good."""
    Grant.objects.filter(pk=grant.pk).update(expires_at=None)


@transaction.atomic
def end_grant(grant: Grant) -> None:
    """Ends what somebody may do at a table; RuleError where it would be left without an owner.

    The invitation he came in by is used up with it, or he would be back at once, as himself or as a new guest; the
    others who came in by it stay.
    """
    table = lock(grant.table)
    grants = table.grants.filter(pk=grant.pk)
    _leave_an_owner(table, without=grants)
    Invite.objects.standing().filter(grants__in=grants).update(used_at=now())
    grants.delete()


def _leave_an_owner(table: Table, *, without: QuerySet[Grant]) -> None:
    # The table is held: two owners who let each other go do it one after the other.
    owners = table.grants.standing().filter(role=Role.OWNER)
    if without.filter(role=Role.OWNER).exists() and not owners.exclude(pk__in=without).exists():
        raise RuleError(_("A table is never without an owner: let another owner in first."))
