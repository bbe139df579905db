"""Invitations to a table, and the grants that users get by accepting an invitation.

The module `removals` ends invitations and grants.
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

from games import trail
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
OWNING_LASTS = LASTS["week"]  # of an invitation for another owner
SPARE_LASTS = LASTS["year"]
WRONG = Tries("invitation", most=20, window=15 * 60)  # invalid links, per address
ACCEPTED = Tries("accept", most=30, window=15 * 60)  # acceptances of one invitation, per address
BY_STRENGTH = (Role.WITNESS, Role.SCORER, Role.OWNER)


class InviteGone(Exception):
    """Raised when an invitation was revoked, used up or expired before the user accepted it."""


@transaction.atomic
def make_invite(
    table: Table, role: Role, *, lasts: timedelta, by: User, at: datetime | None = None
) -> tuple[Invite, str]:
    """Make an invitation. Return the invitation and its token, which is shown once and stored only as a hash.

    For an invitation to become an owner, `lasts` is ignored: such an invitation is valid for `OWNING_LASTS`.
    """
    return _make(table, role, lasts=OWNING_LASTS if role is Role.OWNER else lasts, by=by, at=at)


@transaction.atomic
def make_spare(table: Table, *, by: User) -> tuple[Invite, str]:
    """Make a spare invitation, an owner's own backup for a lost phone.

    Return the invitation and its token.
    """
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
    """Return the hash under which a token is stored."""
    return sha256(token.encode()).hexdigest()


def find_invite(token: str, user: User | None) -> Invite | None:
    """Return the invitation with this token if `user` may accept it or has accepted it; otherwise None."""
    invites = Invite.objects.filter(token_hash=hash_of(token), table__erased_at=None)
    return invites.filter(pk__in=_open_to(user)).select_related("table").first()


def stands(invite: Invite) -> bool:
    """Return whether the invitation is still valid."""
    return Invite.objects.standing().filter(pk=invite.pk).exists()


def _open_to(user: User | None) -> QuerySet[Invite]:
    """Return the invitations that this user may accept, or has accepted (so that a repeated tap succeeds).

    A removed user cannot come back with an invitation made before the removal. Accepting it would overwrite
    the ended grant, which undoing the removal restores.
    """
    standing = Invite.objects.standing()
    if user is None:
        return standing
    used = Grant.objects.standing().filter(user=user, invite__revoked_at=None).values("invite")
    out = Grant.objects.filter(user=user, table=OuterRef("table"), removal__made_at__gt=OuterRef("made_at"))
    return Invite.objects.filter(Q(pk__in=standing) | Q(pk__in=used)).exclude(Exists(out))


def only_ways_in(tables: Iterable[Table], me: User) -> Collection[int]:
    """Return the ids of the tables that would have no owner left if the user `me` lost this phone.

    A user with a password loses none. A guest loses a table without another owner and without a spare
    invitation.
    """
    if me.has_usable_password():
        return ()
    owners = Grant.objects.standing().filter(table=OuterRef("pk"), role=Role.OWNER)
    # Before spare invitations existed, owners used a long-lived owner's invitation for the same purpose.
    is_kept = Q(is_spare=True) | Q(role=Role.OWNER, expires_at__gt=F("made_at") + OWNING_LASTS)
    invites = Invite.objects.standing().filter(is_kept, table=OuterRef("pk"))
    mine = Table.objects.filter(pk__in=[table.pk for table in tables])
    lost = mine.filter(Exists(owners.filter(user=me)), ~Exists(owners.exclude(user=me)), ~Exists(invites))
    return set(lost.values_list("pk", flat=True))


@transaction.atomic
def accept_invite(invite: Invite, user: User, *, name: str = "") -> Grant:
    """Accept an invitation and return the user's grant.

    A grant of the user that gives at least as much stays as it is. A user who accepted the invitation before
    gets their grant back from this function, even if the invitation has expired since. `name` is the display
    name that the user gave, or "". Raise InviteGone if the invitation is no longer valid, for example because
    somebody else used it up.
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
        table.tokens.filter(user=user).revoke()  # tokens of an earlier grant must not come back to life
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
    trail.note(table, trail.grants([grant]))
    if role is not Role.WITNESS:
        invite.used_at = at
        invite.save(update_fields=["used_at"])
    return grant


def _is_enough(grant: Grant, role: Role) -> bool:
    """Return whether a valid grant gives at least this role and does not expire earlier."""
    has, wanted = BY_STRENGTH.index(Role(grant.role)), BY_STRENGTH.index(role)
    return has > wanted or (has == wanted and grant.expires_at is None)


@transaction.atomic
def keep_grant(grant: Grant) -> None:
    """Remove the end date of a witness's grant."""
    table = lock(grant.table)
    table.grants.filter(pk=grant.pk).update(expires_at=None)
    trail.note(table, trail.grants(table.grants.filter(pk=grant.pk)))


def game_to_open(table: Table) -> Game | None:
    """Return the game to show to a new user: the unfinished game recorded last, or else the newest game."""
    games = table.games.filter(discarded_at=None)
    playing = games.filter(ended_at=None).annotate(touched_at=Max("records__recorded_at"))
    return playing.order_by("-touched_at", "-pk").first() or games.first()
