"""Guests: users without a user name and password, identified only by their phone's session."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import timedelta
from hashlib import sha256
from typing import TypeVar

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.timezone import now

from games.common import locks
from games.models import BY_STRENGTH, Access, Flag, Game, Link, Offer, Role, Table, Vouch
from games.tables.services import users, vouches

USERNAME_PREFIX = "guest-"  # the user names of guests begin with this
DOUBLE_TAP = timedelta(minutes=1)
MOST_GAMES = 100  # whose queued entries come along; an entry of an older game stays with the guest
Row = TypeVar("Row", Offer, Flag, Vouch)


@transaction.atomic
def create(key: str = "") -> User:
    """Create a guest.

    `key` is a form key that we issued (`is_valid_form_key`), or "". A second call with the same key within a
    minute returns the same guest: the second request of a double tap does not have the new session's cookie
    yet.
    """
    if key:
        defaults = {"password": make_password(None)}
        guest, _is_new = User.objects.get_or_create(username=_username_for_form_key(key), defaults=defaults)
        if _is_recent(guest):
            return guest
    return User.objects.create_user(f"{USERNAME_PREFIX}{secrets.token_hex(8)}")


def find_by_form_key(key: str) -> User | None:
    """Return the guest created with this form key within the last minute, or None."""
    guest = User.objects.filter(username=_username_for_form_key(key)).first() if key else None
    return guest if guest is not None and _is_recent(guest) else None


def _username_for_form_key(key: str) -> str:
    return f"{USERNAME_PREFIX}{sha256(key.encode()).hexdigest()[:20]}"


def _is_recent(guest: User) -> bool:
    return as_guest(guest) is not None and now() - guest.date_joined < DOUBLE_TAP


def as_guest(user: User | AnonymousUser) -> User | None:
    return user if isinstance(user, User) and not user.has_usable_password() else None


def visitor_context(request: HttpRequest) -> dict[str, dict[str, object]]:
    """Return the template variable `visitor`. Its mark keeps the data of different users apart on a phone.

    `was` is the mark of the guest whose tables came along when this user signed in (`entries_mark`).
    """
    user = request.user
    if not isinstance(user, User):
        return {"visitor": {"mark": ""}}
    is_guest = as_guest(user) is not None
    was = request.session.get(users.WAS_GUEST, "")
    return {
        "visitor": {
            "mark": users.opaque_id(user),
            "name": users.display_name(user),
            "is_guest": is_guest,
            "was": was,
        }
    }


def accessible_tables(user: User) -> QuerySet[Table]:
    """Return the tables that this user can access now. Guests lose them with their session."""
    return Table.objects.filter(accesses__in=user.accesses.valid(), erased_at=None).order_by("name", "pk")


def has_access(guest: User) -> bool:
    """Return whether the guest has a valid access, even at an erased table, which an owner can restore."""
    return guest.accesses.valid().exists()


@transaction.atomic
def move_tables(guest: User, user: User, chosen: Collection[int]) -> Collection[Table]:
    """Move what the guest has at some tables to `user`, who signs in on the guest's phone. Return the tables.

    `chosen` are the ids of the guest's accesses to these tables. With them go tokens, hands, links, pens and
    vouches. If both have an access at a table, keep the stronger role, and prefer the user's own member.
    Records, and the sources of recorded hands, still name the guest as the user who made them. Revoke the
    sign-in links and the API tokens for all tables of a guest who has no table left. Lock the tables.
    """
    accesses = guest.accesses.valid().filter(pk__in=chosen)
    tables = locks.lock_all(Table.objects.filter(pk__in=accesses.values("table"), erased_at=None))
    moved = _move_accesses(tables, guest, user)
    tables = [table for table in tables if table.pk in moved]
    _move_hands(tables, guest, user)
    Link.objects.filter(table__in=tables, made_by=guest).update(made_by=user)
    for rows in (guest.pens, guest.pen_requests):
        rows.filter(table__in=tables).update(user=user)
    _move_rows(Vouch.objects.filter(access__table__in=tables), guest, user, same=("access",))
    Access.objects.filter(table__in=tables, raised_by=guest).update(raised_by=user)
    locks.bump_all_revisions(tables)
    if not has_access(guest):
        guest.sign_in_links.revoke()
        guest.tokens.filter(table=None).revoke()  # they were not meant for the tables of `user`
    return tables


def entries_mark(guest: User, tables: Collection[Table], *, has_more: bool) -> str:
    """Return the mark of a guest whose queued entries come along with these tables.

    If the guest has more tables, only the entries made at these come along. Then the codes of these tables
    and of their newest games follow the mark.
    """
    if not has_more:
        return users.opaque_id(guest)
    games = Game.objects.filter(table__in=tables).order_by("-started_at").values_list("code", flat=True)
    return " ".join([users.opaque_id(guest), *(table.code for table in tables), *games[:MOST_GAMES]])


def _move_accesses(tables: Collection[Table], guest: User, user: User) -> Collection[int]:
    """Move the guest's valid accesses to these tables, and return the ids of the tables they were for.

    An access that ends with the night stays with the guest where the user's own access was ended.
    """
    user_accesses = {access.table_id: access for access in user.accesses.filter(table__in=tables)}
    guest_accesses = [
        access
        for access in guest.accesses.valid().filter(table__in=tables).select_related("table")
        # tonight's link never readmits a user whose access was ended
        if not (
            (known := user_accesses.get(access.table_id))
            and known.ended_at is not None
            and access.until is not None
        )
    ]
    replaced = {
        access.table_id: user_accesses[access.table_id]
        for access in guest_accesses
        if access.table_id in user_accesses
    }
    # the user's own tokens ended with their earlier access, and stay ended
    without_access = [
        access.table_id
        for access in guest_accesses
        if (known := replaced.get(access.table_id)) is None or not known.is_current
    ]
    user.tokens.filter(table__in=without_access).revoke()
    guest.tokens.filter(table__in=[access.table_id for access in guest_accesses]).update(user=user)
    claimed = {access.pk: access.member_id for access in guest_accesses}
    for access in guest_accesses:
        known = replaced.get(access.table_id)
        if known is not None and known.is_current:
            _upgrade(access, by=known)
        access.user = user
    Access.objects.filter(pk__in=[access.pk for access in replaced.values()]).delete()
    vouches.drop(
        [access for access in guest_accesses if access.is_confirmed or access.member_id != claimed[access.pk]]
    )
    Access.objects.bulk_create(
        guest_accesses, update_conflicts=True, unique_fields=["id"], update_fields=["user", *STRENGTHENED]
    )
    return {access.table_id for access in guest_accesses}


STRENGTHENED = (
    *("role", "raised_by", "took_over_at", "member", "name", "confirmed_at", "confirmed_by"),
    *("until", "made_at", "opened_on", "asked_at"),
)


def _upgrade(access: Access, *, by: Access) -> None:
    """Raise this access to the user's existing one, `by`, where that has more: role, member, time.

    Only the fields in STRENGTHENED change. The user's own member is preferred, unless the guest's is more
    certain.
    """
    stronger = max((by, access), key=_rank)
    access.role, access.raised_by_id = stronger.role, stronger.raised_by_id
    access.took_over_at = stronger.took_over_at
    face = max((by, access), key=_certainty)
    access.member_id, access.name = face.member_id, face.name
    access.confirmed_at, access.confirmed_by_id = face.confirmed_at, face.confirmed_by_id
    is_for_good = face.is_lasting
    if access.until is not None:
        access.until = by.until and max(access.until, by.until)
    if access.until is None and not is_for_good:
        access.confirmed_at = access.confirmed_by_id = None  # confirmed only for one night
    access.made_at = min(access.made_at, by.made_at)
    access.opened_on = max(filter(None, (access.opened_on, by.opened_on)), default=None)
    access.asked_at = min(filter(None, (access.asked_at, by.asked_at)), default=None)


def _rank(access: Access) -> tuple[int, bool, bool]:
    """Return a sort key for the role. Among owners, one who founded the table is strongest."""
    return BY_STRENGTH.index(Role(access.role)), access.took_over_at is None, access.raised_by_id is None


def _certainty(access: Access) -> tuple[bool, bool, bool]:
    """Return a sort key for the identity: lasting, confirmed for tonight, or only claimed."""
    return access.is_lasting, access.is_confirmed, access.member_id is not None or access.name != ""


def _move_hands(tables: Collection[Table], guest: User, user: User) -> None:
    offers, flags = Offer.objects.filter(game__table__in=tables), Flag.objects.filter(game__table__in=tables)
    _move_rows(offers, guest, user, same=("game", "player"))
    _move_rows(flags, guest, user, same=("game", "player", "number"))


def _move_rows(rows: QuerySet[Row], guest: User, user: User, *, same: Collection[str]) -> None:
    """Move the guest's rows. Each replaces the user's row with equal values in the fields `same`."""
    replacing = rows.filter(user=guest, **{name: OuterRef(name) for name in same})
    rows.filter(user=user).filter(Exists(replacing)).delete()
    rows.filter(user=guest).update(user=user)


# --- form keys that may make a guest ----------------------------------------------------------------------------------

SALT = "games.tables.guests"
SIGNATURE_LENGTH = 20  # hexadecimal digits
CSRF_COOKIE = "CSRF_COOKIE"  # where Django keeps the phone's CSRF cookie in `request.META`


def issue_form_key(request: HttpRequest) -> str:
    """Return a new form key, signed for this phone. The response sets the phone's CSRF cookie."""
    key = locks.new_form_key()
    get_token(request)
    return f"{key}.{_signature(request, key)}"


def is_valid_form_key(request: HttpRequest, key: str) -> bool:
    """Return whether this key was issued to the phone that sends it."""
    made, _dot, signature = key.rpartition(".")
    return CSRF_COOKIE in request.META and constant_time_compare(signature, _signature(request, made))


def _signature(request: HttpRequest, key: str) -> str:
    return salted_hmac(SALT, f"{key} {request.META[CSRF_COOKIE]}", algorithm="sha256").hexdigest()[
        :SIGNATURE_LENGTH
    ]
