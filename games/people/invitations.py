"""Invitations to a table and the grants they make: who is let in, as what, and until when.

How they end is `removals`.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from hashlib import sha256

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.utils.timezone import now

from games.locks import lock
from games.models import MOST_INVITES, Game, Grant, Invite, Role, Table
from games.people.owners import hold, take_place
from games.people.tries import Tries
from games.scoring.errors import RuleError
from games.scoring.words import _

TOKEN_BYTES = 24
WATCHES_FOR = timedelta(hours=24)
LASTS: Mapping[str, timedelta] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "year": timedelta(days=365),
}
OWNING_LASTS = LASTS["week"]  # for somebody else
SPARE_LASTS = LASTS["year"]
WRONG = Tries("invitation", most=20, window=15 * 60)  # links that let nobody in, by address
ACCEPTED = Tries("accept", most=30, window=15 * 60)  # of one invitation, by address
BY_STRENGTH = (Role.WITNESS, Role.SCORER, Role.OWNER)


class InviteGone(Exception):
    """The invitation was revoked, used or over before it could be accepted."""


@transaction.atomic
def make_invite(
    table: Table, role: Role, *, lasts: timedelta, by: User, at: datetime | None = None
) -> tuple[Invite, str]:
    """A new invitation and its token, which is told once and kept nowhere.

    One to own the table has a life of its own, whatever `lasts`.
    """
    return _make(table, role, lasts=OWNING_LASTS if role is Role.OWNER else lasts, by=by, at=at)


@transaction.atomic
def make_spare(table: Table, *, by: User) -> tuple[Invite, str]:
    """An owner's own way back in, should the phone get lost: an invitation to be kept, and its token."""
    return _make(table, Role.OWNER, lasts=SPARE_LASTS, by=by, is_spare=True)


def _make(
    table: Table,
    role: Role,
    *,
    lasts: timedelta,
    by: User,
    at: datetime | None = None,
    is_spare: bool = False,
) -> tuple[Invite, str]:
    hold(table, by)
    if Invite.objects.standing().filter(table=table).count() >= MOST_INVITES:
        raise RuleError(
            _("At most {most} invitations are open at once: revoke one first.", most=MOST_INVITES),
            field="role",
        )
    token = secrets.token_urlsafe(TOKEN_BYTES)
    made_at = at or now()
    invite = Invite.objects.create(
        table=table,
        role=role,
        token_hash=hash_of(token),
        made_by=by,
        made_at=made_at,
        expires_at=made_at + lasts,
        is_spare=is_spare,
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
    """Every invitation that stands, and those this user came in by: a tap repeated is no refusal.

    Whoever was put out comes back by none made before: the ended grant stays, for the undo.
    """
    standing = Invite.objects.standing()
    if user is None:
        return standing
    his = Grant.objects.standing().filter(user=user, invite__revoked_at=None).values("invite")
    out = Grant.objects.filter(user=user, table=OuterRef("table"), removal__made_at__gt=OuterRef("made_at"))
    return Invite.objects.filter(Q(pk__in=standing) | Q(pk__in=his)).exclude(Exists(out))


def only_ways_in(tables: Iterable[Table], me: User) -> Collection[int]:
    """The ids of the tables that would be lost with this phone, of those that are mine.

    No password, no other owner, no link of one's own to open it by; an invitation for somebody else is none.
    """
    if me.has_usable_password():
        return ()
    owners = Grant.objects.standing().filter(table=OuterRef("pk"), role=Role.OWNER)
    # Before there were spare links, one to own the table lived as long as its maker said.
    is_kept = Q(is_spare=True) | Q(role=Role.OWNER, expires_at__gt=F("made_at") + OWNING_LASTS)
    invites = Invite.objects.standing().filter(is_kept, table=OuterRef("pk"))
    mine = Table.objects.filter(pk__in=[table.pk for table in tables])
    lost = mine.filter(Exists(owners.filter(user=me)), ~Exists(owners.exclude(user=me)), ~Exists(invites))
    return set(lost.values_list("pk", flat=True))


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
    if grant is None:
        table.tokens.filter(user=user).revoke()  # those of an earlier time, which had died with it
    grant, _is_new = table.grants.update_or_create(
        user=user,
        defaults={
            "role": role,
            "invite": invite,
            "made_at": at,
            "ranks_from": at,
            "removal": None,
            "expires_at": at + WATCHES_FOR if role is Role.WITNESS else None,
        },
    )
    if invite.is_spare:
        take_place(grant, invite.made_by)
    if role is not Role.WITNESS:
        invite.used_at = at
        invite.save(update_fields=["used_at"])
    return grant


def _is_enough(grant: Grant, role: Role) -> bool:
    """Whether a grant that stands gives all that this role would, for as long."""
    has, wanted = BY_STRENGTH.index(Role(grant.role)), BY_STRENGTH.index(role)
    return has > wanted or (has == wanted and grant.expires_at is None)


@transaction.atomic
def keep_grant(grant: Grant) -> None:
    """Lets somebody who watches stay for good."""
    Grant.objects.filter(pk=grant.pk).update(expires_at=None)


def game_to_open(table: Table) -> Game | None:
    """What whoever comes in wants to see: the game recorded in last of those being played, else the newest."""
    games = table.games.filter(discarded_at=None)
    playing = games.filter(ended_at=None).annotate(touched_at=Max("records__recorded_at"))
    return playing.order_by("-touched_at", "-pk").first() or games.first()
