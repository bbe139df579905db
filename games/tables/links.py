"""Links by which a phone comes in: tonight's for everybody at the table, personal ones, and sign-in links.

A GET uses nothing up, because chats look at links. Unknown, used, expired and revoked links answer alike.

A sign-in link is valid for an hour, is used once, and signs in one user on the phone that opens it. A user makes one
for another phone, or for the app on an iPhone's home screen, which shares neither cookies nor storage with the
browser. The operator makes one for a user who lost the password; then the phone may set a new password without the
old one for a while. The user's other sessions go on.
"""

from __future__ import annotations

import secrets
from base64 import urlsafe_b64encode
from copy import copy
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.core.cache import cache
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.timezone import now

from games.common.days import night_of, window_of
from games.common.locks import TOKEN_BYTES, hash_of, lock, revise
from games.common.roles import WRITERS
from games.models import BY_STRENGTH, MOST_LINKS, Access, Link, LinkKind, Member, Role, Table
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.tables.access import hold
from games.tables.lobby import agree, give_access, phones_of, replace
from games.tables.users import own_name

SALT = "games.tables.links"
LASTS = timedelta(days=7)  # a personal link
AT_LEAST = timedelta(hours=2)  # how long tonight's link works after it was shown


class LinkGone(Exception):
    """Raised when a link is unknown, used, expired or revoked."""


def find_link(token: str, user: User | None) -> Link | None:
    """Return the link with this token that gives this user access to a table, or None.

    A link that this very user used is found too, so that a second tap succeeds. `user` is None for a stranger.
    Tonight's link is not for somebody whose access was ended.
    """
    links = Link.objects.filter(token_hash=hash_of(token), table__isnull=False, table__erased_at=None)
    link = links.select_related("table", "member__table", "made_by").first()
    if link is None:
        return None
    known = link.table.accesses.filter(user=user).first() if user and link.table else None
    if known is not None and known.ended_at is not None and link.kind == LinkKind.TONIGHT:
        return None
    was_used = known is not None and known.stands and link.used_by_id == known.user_id
    return link if link.stands or (was_used and link.revoked_at is None) else None


# --- tonight's link ---------------------------------------------------------------------------------------


def night_token(link: Link) -> str:
    """Return the token of tonight's link, computed from its row with the site's secret."""
    row = f"{link.pk} {link.table_id} {round(link.made_at.timestamp() * 1_000_000)}"
    return urlsafe_b64encode(salted_hmac(SALT, row, algorithm="sha256").digest()[:TOKEN_BYTES]).decode()


def standing_tonight(table: Table) -> Link | None:
    """Return tonight's link if there is one whose token can be computed, else None.

    A link made under another secret of the site stays valid, but cannot be shown again.
    """
    tonight = night_of(now(), table)
    links = table.links.standing().filter(kind=LinkKind.TONIGHT)
    known = (link for link in links if night_of(link.made_at, table) == tonight)
    return next(
        (link for link in known if constant_time_compare(link.token_hash, hash_of(night_token(link)))), None
    )


@transaction.atomic
def show_tonight(table: Table, *, by: User) -> Link:
    """Return tonight's link, made if there is none. It works for at least two more hours.

    Raise RoleMissing unless `by` is an owner or a scorer.
    """
    held, _mine = hold(table, by, *WRITERS)
    at = now()
    until = max(window_of(night_of(at, held), held)[1], at + AT_LEAST)
    link = standing_tonight(held)
    if link is None:
        token = secrets.token_hex()  # until the row has the id from which the token is computed
        link = _make(held, LinkKind.TONIGHT, Role.WITNESS, token, by=by, until=until)
        link.token_hash = hash_of(night_token(link))
    link.expires_at = max(link.expires_at, until)
    link.save(update_fields=["token_hash", "expires_at"])
    return link


# --- personal links ---------------------------------------------------------------------------------------


@transaction.atomic
def make_personal(table: Table, *, by: User, role: Role, member: Member | None = None) -> tuple[Link, str]:
    """Make a personal link. Return it and its token, which is shown once.

    For a member it replaces their earlier link, and it gives at least the role of their present phones, which
    lose their access when the link is used. Raise RoleMissing unless `by` is an owner, and RuleError if the
    phone is another owner's that `by` may not replace.
    """
    held, _mine = hold(table, by)
    for phone in phones_of(held, member) if member else ():
        role = max(role, Role(phone.role), key=BY_STRENGTH.index)
        if not _may_replace(phone, by):
            assert phone.person is not None
            raise RuleError(
                _("{name} is an owner here: only they can make that link.", name=phone.person.name)
            )
    return _personal(held, role, member, by=by)


def _may_replace(phone: Access, by: User | None) -> bool:
    """Return whether a link of `by` may end this phone: of an owner, theirs, their maker's, or the operator's."""
    return phone.role != Role.OWNER or by is None or by.pk in (phone.user_id, phone.raised_by_id)


@transaction.atomic
def let_in(member: Member) -> tuple[Link, str]:
    """Make a personal link for a member as the site's operator, with the role of their present phone."""
    held = lock(member.table)
    roles = [Role.WITNESS, *(Role(phone.role) for phone in phones_of(held, member))]
    return _personal(held, max(roles, key=BY_STRENGTH.index), member, by=None)


def operators_link(table: Table) -> str:
    """Return the token of a new personal link that makes its user an owner of the table."""
    return _personal(table, Role.OWNER, None, by=None)[1]


def _personal(table: Table, role: Role, member: Member | None, *, by: User | None) -> tuple[Link, str]:
    if member is not None:
        table.links.filter(kind=LinkKind.PERSONAL, member=member).revoke()
    token = secrets.token_urlsafe(TOKEN_BYTES)
    return _make(table, LinkKind.PERSONAL, role, token, by=by, until=now() + LASTS, member=member), token


def _make(
    table: Table,
    kind: LinkKind,
    role: Role,
    token: str,
    *,
    by: User | None,
    until: datetime,
    member: Member | None = None,
) -> Link:
    if table.links.standing().count() >= MOST_LINKS:
        raise RuleError(_("At most {most} links can be open at once. Revoke one first.", most=MOST_LINKS))
    return Link.objects.create(
        kind=kind,
        table=table,
        role=role,
        member=member,
        token_hash=hash_of(token),
        made_by=by,
        expires_at=until,
    )


@transaction.atomic
def revoke_link(link: Link, *, by: User) -> None:
    """Revoke a link of the table. Whoever used it stays. Raise RoleMissing unless `by` is an owner."""
    assert link.table is not None
    held, _mine = hold(link.table, by)
    held.links.filter(pk=link.pk).revoke()
    revise(held)


@transaction.atomic
def use_personal(link: Link, user: User, *, name: str = "") -> Access:
    """Give this user what a personal link gives, for good. Return their access.

    Nothing that they have gets less. A link for a member makes them this member, in place of the member's
    earlier phone, whose access ends. Raise LinkGone if it was used or revoked meanwhile, and RuleError if the
    user is confirmed to be another member.
    """
    assert link.table is not None
    table = lock(link.table)
    link = Link.objects.select_related("member__table", "made_by").get(pk=link.pk)
    row = table.accesses.filter(user=user).first()
    known = copy(row) if row is not None and row.stands else None
    if known is not None and link.used_by_id == user.pk and link.revoked_at is None:
        return known
    if not link.stands:
        raise LinkGone
    access = row or Access(user=user, table=table, role=link.role)
    give_access(access, role=Role(link.role), until=None)
    if access.role == link.role == Role.OWNER and (known is None or known.role != Role.OWNER):
        access.raised_by, access.took_over_at = link.made_by, _took_over_at(link)
    link.used_at, link.used_by = now(), user
    link.save(update_fields=["used_at", "used_by"])  # first: with the earlier phone its user's links end
    _take_the_place(link, access, known)
    _name(user, name or (link.member.now.name if link.member else ""))
    revise(table)
    return access


def _took_over_at(link: Link) -> datetime | None:
    """Return when the owner who made this link took over the table, or None."""
    assert link.table is not None
    makers = link.table.accesses.filter(user=link.made_by_id).values_list("took_over_at", flat=True)
    return makers.first()


def _take_the_place(link: Link, access: Access, known: Access | None) -> None:
    """Store the access, with the link's member if it has one: their earlier phone loses its access.

    `known` is what the user had before the link, if anything. Raise LinkGone if the earlier phone is an owner's
    since the link was made, and not to be replaced by its maker.
    """
    if link.member is None:
        access.save()
        return
    member = link.member.now
    if known is not None and known.is_confirmed and known.person != member:
        assert known.person is not None
        raise RuleError(_("You are already {name} here.", name=known.person.name))
    earlier = [phone for phone in phones_of(access.table, member) if phone.user_id != access.user_id]
    if not all(_may_replace(phone, link.made_by) for phone in earlier):
        raise LinkGone
    replace(earlier, access, by=link.made_by)
    access.member, access.name = member, ""
    agree(access, by=link.made_by, until=None)


def _name(user: User, name: str) -> None:
    """Give a user without a name this one."""
    if name and not own_name(user):
        user.first_name = name
        user.save(update_fields=["first_name"])


SIGN_IN_LASTS = timedelta(hours=1)
MAY_SET_UNTIL = "may_set_password_until"  # session variable: a time as a Unix timestamp
DOUBLE_TAP = 60  # seconds during which a repeated tap of the same form succeeds


@transaction.atomic
def make_sign_in_link(user: User, *, is_operators: bool = False) -> str:
    """Make a sign-in link for this user, by themselves or by the site's operator. Return its token.

    An earlier link of the user ends.
    """
    user.sign_in_links.revoke()
    token = secrets.token_urlsafe(TOKEN_BYTES)
    Link.objects.create(
        kind=LinkKind.SIGN_IN,
        token_hash=hash_of(token),
        user=user,
        made_by=None if is_operators else user,
        expires_at=now() + SIGN_IN_LASTS,
    )
    return token


def find_sign_in_link(token: str) -> Link | None:
    """Return the sign-in link with this token, or None if it is not valid."""
    links = Link.objects.standing().filter(token_hash=hash_of(token), user__is_active=True)
    return links.select_related("user").first()


@transaction.atomic
def use_sign_in_link(token: str, *, key: str = "") -> Link:
    """Use up the sign-in link with this token and return it. Raise LinkGone if it is not valid.

    `key` is a form key that we issued to the phone (`guest_keys.is_ours`), or "". A second call with the same
    key within a minute returns the link again: the browser may have dropped the answer to the first tap.
    """
    links = Link.objects.filter(token_hash=hash_of(token), user__is_active=True).select_related("user")
    link = links.select_for_update(of=("self",), no_key=True).first()
    if link is None or not (link.stands or _is_repeated(link, key)):
        raise LinkGone
    if link.used_at is None:
        link.used_at, link.used_by = now(), link.user
        link.save(update_fields=["used_at", "used_by"])
        if key:
            cache.set(_remembered(link, key), True, DOUBLE_TAP)
    return link


def allow_new_password(session: SessionBase) -> None:
    """Let this session set a new password without the old one for as long as a link lasts."""
    session[MAY_SET_UNTIL] = (now() + SIGN_IN_LASTS).timestamp()


def may_set_password(session: SessionBase) -> bool:
    """Return whether this session may set a new password without the old one."""
    return bool(session.get(MAY_SET_UNTIL, 0) > now().timestamp())


def forbid_new_password(session: SessionBase) -> None:
    """Make this session give the old password again before it sets a new one."""
    session.pop(MAY_SET_UNTIL, None)


def _is_repeated(link: Link, key: str) -> bool:
    return bool(key) and link.revoked_at is None and cache.get(_remembered(link, key)) is not None


def _remembered(link: Link, key: str) -> str:
    """Return the cache key that remembers the use of this link by this form."""
    return f"signed-in:{hash_of(f'{link.token_hash} {key}')}"
