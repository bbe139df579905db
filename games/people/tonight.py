"""Tonight's invitation: one link for all phones at the table, which its owners and scorers may show again.

Its token is an HMAC by the site's secret over the invitation's row, so only the token's hash is stored. It
expires at the night's end. The module `faces` stores which member each phone's user is. A *newcomer* is a
user who is no member yet, and only gave a name.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from datetime import datetime, timedelta
from secrets import token_hex

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.timezone import now

from games.locks import lock
from games.models import Invite, Member, Role, Table
from games.nights import night_of, window_of
from games.people.faces import leave_face, propose, tap_face
from games.people.invitations import TOKEN_BYTES, accept_invite, check_room_for_invite, hash_of
from games.people.owners import OwnsNoLonger, hold
from games.scoring.errors import RuleError
from games.scoring.words import _

SALT = "games.people.tonight"
AT_LEAST = timedelta(hours=2)  # how long an invitation can be accepted after it was shown


def night_token(invite: Invite) -> str:
    """Return the token of tonight's invitation, computed from its row with the site's secret."""
    row = f"{invite.pk} {invite.table_id} {invite.night} {round(invite.made_at.timestamp() * 1_000_000)}"
    digest = salted_hmac(SALT, row, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()


def end_of_night(table: Table, at: datetime) -> datetime:
    """Return the end of the night to which this moment belongs, but at least two hours after the moment."""
    return max(window_of(night_of(at, table), table)[1], at + AT_LEAST)


def standing_tonight(table: Table, *, at: datetime | None = None) -> Invite | None:
    """Return tonight's invitation if it can still be accepted and its token computed, else None.

    An invitation made under another secret of the site stays valid, but its token cannot be computed again.
    """
    invites = table.invites.standing().filter(night=night_of(at or now(), table))
    return next((invite for invite in invites if _can_be_shown(invite)), None)


def _can_be_shown(invite: Invite) -> bool:
    return constant_time_compare(invite.token_hash, hash_of(night_token(invite)))


@transaction.atomic
def show_tonight(table: Table, *, by: User) -> Invite:
    """Return tonight's invitation, which can be accepted for at least two more hours.

    If there is none, make one for an owner; raise RuleError for a scorer, who may not make one.
    """
    held, at = lock(table), now()
    invite = standing_tonight(held, at=at) or _make(held, by=by, at=at)
    until = end_of_night(held, at)
    if invite.expires_at < until:
        invite.expires_at = until
        invite.save(update_fields=["expires_at"])
    return invite


def _make(table: Table, *, by: User, at: datetime) -> Invite:
    try:
        hold(table, by)
    except OwnsNoLonger:
        raise RuleError(_("An owner has to show the code first. Then you can show it too.")) from None
    check_room_for_invite(table)
    invite = Invite.objects.create(
        table=table,
        role=Role.WITNESS,
        token_hash=token_hex(32),  # a random hash, until the row has the id from which the token is computed
        made_by=by,
        made_at=at,
        expires_at=end_of_night(table, at),
        night=night_of(at, table),
    )
    invite.token_hash = hash_of(night_token(invite))
    invite.save(update_fields=["token_hash"])
    return invite


@transaction.atomic
def come_in(invite: Invite, user: User, *, member: Member | None = None, name: str | None = None) -> None:
    """Accept tonight's invitation as this member, as a newcomer of this name, or only to watch.

    Raise the same exceptions as `accept_invite`, `tap_face` and `propose`, and in that case store nothing.
    """
    accept_invite(invite, user)
    sit(invite.table, user, member=member, name=name)


@transaction.atomic
def sit(table: Table, user: User, *, member: Member | None = None, name: str | None = None) -> None:
    """Store who this user is tonight: this member, or a newcomer of this name. With neither, they only watch.

    The user must have access already. Raise RuleError like `tap_face` and `propose`.
    """
    if member is not None:
        tap_face(member, user)
    elif name is not None:
        propose(table, user, name)
    else:
        leave_face(table, user)
