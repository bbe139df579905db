"""Invitations to a table, and the grants that users get by accepting an invitation.

A grant gives a user a role at the table: owner, scorer (who records) or witness (who only watches). The
module `removals` ends invitations and grants.
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
from games.models import MOST_INVITES, Game, Grant, Invite, Member, Role, Table
from games.people.limits import Limit
from games.people.new_phones import check_user, replacement_of, still_means_the_same, take_over
from games.people.owners import hold, take_place
from games.people.staying import is_a_member
from games.people.users import own_name
from games.scoring.errors import RuleError
from games.scoring.words import _

TOKEN_BYTES = 24
WATCHES_FOR = timedelta(hours=24)  # a watcher's access; the invitation's page names it too
LASTS: Mapping[str, timedelta] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
    "year": timedelta(days=365),
}
OWNING_LASTS = LASTS["week"]  # validity of an invitation for another owner
SPARE_LASTS = LASTS["year"]  # validity of an owner's own link for a lost phone
NEW_PHONE_LASTS = LASTS["hour"]  # validity of a link for a member's new phone; its page names it too
WRONG = Limit("invitation", most=20)  # invalid links, per address
ACCEPTED = Limit("accept", most=30)  # acceptances of one invitation, per address
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


@transaction.atomic
def make_new_phone(member: Member, *, by: User) -> tuple[Invite, str]:
    """Make an invitation for this member's new phone. Return the invitation and its token.

    An earlier invitation for the same member ends. Raise RuleError if `by` is the member, or may not remove
    the lost phone's user, and OwnsNoLonger if `by` is no longer an owner.
    """
    table = hold(member.table, by)
    member = table.members.get(pk=member.pk)
    role = replacement_of(member, by=by).role
    _revoke_all(table.invites.standing().filter(member=member))
    replaces = member.user if member.claimed_at is not None else None
    return _make(table, role, lasts=NEW_PHONE_LASTS, by=by, member=member, replaces=replaces)


def _revoke_all(invites: QuerySet[Invite]) -> None:
    """Revoke these invitations. No user may have accepted one of them, because the grants are not ended."""
    invites.update(revoked_at=now())


def _make(
    table: Table,
    role: Role,
    *,
    lasts: timedelta,
    by: User,
    at: datetime | None = None,
    is_spare: bool = False,
    member: Member | None = None,
    replaces: User | None = None,
) -> tuple[Invite, str]:
    hold(table, by)
    check_room_for_invite(table)
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
        member=member,
        replaces=replaces,
    )
    return invite, token


def check_room_for_invite(table: Table) -> None:
    """Raise RuleError if the table has as many open invitations as it may have."""
    if Invite.objects.standing().filter(table=table).count() >= MOST_INVITES:
        raise RuleError(
            _("At most {most} invitations can be open at once. Revoke one first.", most=MOST_INVITES),
            field="role",
        )


def hash_of(token: str) -> str:
    """Return the hash under which a token is stored."""
    return sha256(token.encode()).hexdigest()


def find_invite(token: str, user: User | None) -> Invite | None:
    """Return the invitation with this token if `user` may accept it or has accepted it; otherwise None.

    `user` is None for an anonymous visitor.
    """
    invites = Invite.objects.filter(token_hash=hash_of(token), table__erased_at=None)
    invites = invites.filter(pk__in=_open_to(user))
    return invites.select_related("table", "member__table", "made_by").first()


def stands(invite: Invite) -> bool:
    """Return whether the invitation is still valid: not expired, revoked or used up."""
    return Invite.objects.standing().filter(pk=invite.pk).exists()


def _open_to(user: User | None) -> QuerySet[Invite]:
    """Return the invitations that this user may accept, or has accepted (so that a repeated tap succeeds).

    A removed user cannot come back with an invitation made before the removal. Accepting it would overwrite
    the ended grant, which undoing the removal restores.
    """
    standing = Invite.objects.standing()
    if user is None:
        return standing
    grants = Grant.objects.standing().filter(user=user)
    used = grants.filter(invite__revoked_at=None).values("invite")
    out = Grant.objects.filter(user=user, table=OuterRef("table"), removal__made_at__gt=OuterRef("made_at"))
    took = Q(Exists(grants.filter(table=OuterRef("table"))), used_by=user, revoked_at=None)
    return Invite.objects.filter(Q(pk__in=standing) | Q(pk__in=used) | took).exclude(Exists(out))


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

    If the user has a grant that gives at least as much as the invitation, keep it unchanged. For a user who
    accepted the invitation before, return their grant even if the invitation has expired since. `name` is the
    display name that the user gave, or "". With an invitation for a member's new phone, a user without a name
    gets the member's name.

    Raise InviteGone if the invitation is no longer valid, for example because somebody else used it up, and
    RuleError if it is for a new phone and this user is somebody else.
    """
    table = lock(invite.table)
    invite = Invite.objects.select_related("made_by", "member__table").get(pk=invite.pk)
    if not _open_to(user).filter(pk=invite.pk).exists():
        raise InviteGone
    if invite.member is not None and invite.used_by_id != user.pk:
        return _accept_new_phone(table, invite, user)
    if name:
        user.first_name = name
        user.save(update_fields=["first_name"])
    grant = table.grants.standing().filter(user=user).first()
    if grant is not None and (_is_enough(grant, invite) or not stands(invite)):
        return grant
    grant = _give(table, invite, user, at=now())
    if invite.is_spare:
        take_place(grant, invite.made_by)
    if grant.role != Role.WITNESS:
        invite.used_at = grant.made_at
        invite.save(update_fields=["used_at"])
    return grant


def _accept_new_phone(table: Table, invite: Invite, user: User) -> Grant:
    """Make the user the member whom the invitation names, in place of the user of the lost phone.

    Return the user's grant. Raise RuleError if the user may not become the member, e.g. because they claim
    another one, and InviteGone if the new phone would no longer get the same role.
    """
    assert invite.member is not None
    check_user(invite, user)
    if not still_means_the_same(invite):
        raise InviteGone
    lost, at = take_over(invite, user), now()
    if not own_name(user):
        user.first_name = invite.member.name
        user.save(update_fields=["first_name"])
    grant = table.grants.standing().filter(user=user).first()
    if grant is None or not _is_enough(grant, invite):
        grant = _give(table, invite, user, at=at)
        if lost is not None:
            grant.ranks_from = lost.ranks_from
            grant.save(update_fields=["ranks_from"])
    invite.used_at, invite.used_by = at, user
    invite.save(update_fields=["used_at", "used_by"])
    return grant


def _give(table: Table, invite: Invite, user: User, *, at: datetime) -> Grant:
    """Give the user the role of the invitation, in place of the grant that they have or had."""
    fresh: dict[str, object] = {}
    if not table.grants.standing().filter(user=user).exists():
        table.tokens.filter(user=user).revoke()  # tokens of an earlier grant must not come back to life
        fresh["records_until"] = None  # the right to record until a night ends must not come back either
    grant, _is_new = table.grants.update_or_create(
        user=user,
        defaults={
            "role": invite.role,
            "invite": invite,
            "made_at": at,
            "ranks_from": at,
            "removal": None,
            "expires_at": _end_of(invite, user, at=at),
            **fresh,
        },
    )
    return grant


def _end_of(invite: Invite, user: User, *, at: datetime) -> datetime | None:
    """Return the end of the access that this invitation gives the user; None if that access does not expire.

    Only the access of a witness expires, unless the user is a confirmed member.
    """
    if invite.role != Role.WITNESS or is_a_member(user, invite.table):
        return None
    return at + WATCHES_FOR if invite.night is None else invite.expires_at


def _is_enough(grant: Grant, invite: Invite) -> bool:
    """Return whether a valid grant gives at least the invitation's role and does not expire earlier."""
    has, wanted = BY_STRENGTH.index(Role(grant.role)), BY_STRENGTH.index(Role(invite.role))
    if has != wanted:
        return has > wanted
    return grant.expires_at is None or (invite.night is not None and grant.expires_at >= invite.expires_at)


def game_to_open(table: Table) -> Game | None:
    """Return the game to show to a new user: the unfinished game recorded last, or else the newest game."""
    games = table.games.filter(discarded_at=None)
    playing = games.filter(ended_at=None).annotate(touched_at=Max("records__recorded_at"))
    return playing.order_by("-touched_at", "-pk").first() or games.first()
