"""Links like django-sesame's, but for guests too, and listed and revoked one by one.

They admit a phone to a table or sign it in: tonight's link, personal links and sign-in links. GET requests
never use up a link, because chat apps preview links. All invalid links get the same answer.

A sign-in link is valid for an hour, can be used once, and signs in one user on the phone that opens it. Users
create them for another phone, or for the app on an iPhone's home screen, which shares neither cookies nor
storage with the browser. The operator creates them for users who lost their password: then the phone may set
a new password without the old one for a while. The user's other sessions continue.
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

from games.common import days, locks, roles
from games.models import BY_STRENGTH, MOST_LINKS, Access, Link, LinkKind, Member, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import authorization, lobby, users

SALT = "games.tables.links"
PERSONAL_LIFETIME = timedelta(days=7)


class InvalidLink(Exception):
    """The link is unknown, used, expired or revoked."""


def find(token: str, user: User | None) -> Link | None:
    """Return the link with this token that gives this user access to a table, or None.

    A link that this user already used counts as valid, so that a second tap succeeds. `user` is None for an
    anonymous visitor. Tonight's link does not work for a user whose access was ended.
    """
    links = Link.objects.filter(
        token_hash=locks.hash_token(token), table__isnull=False, table__erased_at=None
    )
    link = links.select_related("table", "member__table", "made_by").first()
    if link is None:
        return None
    known = link.table.accesses.filter(user=user).first() if user and link.table else None
    if known is not None and known.ended_at is not None and link.kind == LinkKind.TONIGHT:
        return None
    was_used = known is not None and known.is_current and link.used_by_id == known.user_id
    return link if link.is_current or (was_used and link.revoked_at is None) else None


def find_own_table(token: str, user: User | None) -> Table | None:
    """Return the table of a link that is not valid (anymore) for a user who has access anyway, or None."""
    tables = Table.objects.filter(links__token_hash=locks.hash_token(token), erased_at=None)
    table = tables.first() if user else None
    return table if table and table.accesses.valid().filter(user=user).exists() else None


# --- tonight's link ---------------------------------------------------------------------------------------


def tonight_token(link: Link) -> str:
    """Return the token of tonight's link, computed from its row with the site's secret."""
    row = f"{link.pk} {link.table_id} {round(link.made_at.timestamp() * 1_000_000)}"
    return urlsafe_b64encode(
        salted_hmac(SALT, row, algorithm="sha256").digest()[: locks.TOKEN_BYTES]
    ).decode()


def find_tonight(table: Table) -> Link | None:
    """Return tonight's link if there is one whose token can be computed, otherwise None.

    A link that was created under another site secret stays valid but cannot be shown again.
    """
    tonight = days.night_for(now(), table)
    links = table.links.valid().filter(kind=LinkKind.TONIGHT)
    known = (link for link in links if days.night_for(link.made_at, table) == tonight)
    return next(
        (
            link
            for link in known
            if constant_time_compare(link.token_hash, locks.hash_token(tonight_token(link)))
        ),
        None,
    )


@transaction.atomic
def get_or_create_tonight(table: Table, *, by: User) -> Link:
    """Return tonight's link. It works until the night ends, and for at least two more hours.

    Lock the table. Raise RoleRequired unless `by` is an owner or a scorer, and RuleError if too many links
    are open.
    """
    locked_table, _access = authorization.lock_table(table, by, *roles.WRITERS)
    at = now()
    until = days.tonight_end(at, locked_table)
    link = find_tonight(locked_table)
    if link is None:
        token = secrets.token_hex()  # a placeholder: the token is computed from the row's id
        link = _create(locked_table, LinkKind.TONIGHT, Role.WITNESS, token, by=by, until=until)
        link.token_hash = locks.hash_token(tonight_token(link))
    link.expires_at = max(link.expires_at, until)
    link.save(update_fields=["token_hash", "expires_at"])
    return link


# --- personal links ---------------------------------------------------------------------------------------


@transaction.atomic
def create_personal(table: Table, *, by: User, role: Role, member: Member | None = None) -> tuple[Link, str]:
    """Create a personal link. Return it with its token, which is shown once.

    A link for a member replaces their earlier link, and grants at least the role of their present phones,
    which lose access when the link is used. Lock the table. Raise RoleRequired unless `by` is an owner, and
    RuleError if `by` may not replace one of these phones, because it is another owner's, or if too many links
    are open.
    """
    locked_table, _access = authorization.lock_table(table, by)
    for phone in lobby.member_phones(locked_table, member) if member else ():
        role = max(role, Role(phone.role), key=BY_STRENGTH.index)
        if not can_replace(phone, by):
            assert phone.person is not None
            raise RuleError(
                _("{name} is an owner here: only they can make that link.", name=phone.person.name)
            )
    return _create_personal(locked_table, role, member, by=by)


def can_replace(phone: Access, by: User | None) -> bool:
    """Return whether a link that `by` creates may replace this phone; None is the site's operator."""
    return phone.role != Role.OWNER or by is None or by.pk in (phone.user_id, phone.raised_by_id)


@transaction.atomic
def create_for_member(member: Member) -> tuple[Link, str]:
    """Create a personal link as the site's operator, with the strongest role of the member's phones."""
    table = locks.lock(member.table)
    phone_roles = [Role.WITNESS, *(Role(phone.role) for phone in lobby.member_phones(table, member))]
    return _create_personal(table, max(phone_roles, key=BY_STRENGTH.index), member, by=None)


def create_for_owner(table: Table) -> str:
    """Create a personal link that makes its user an owner, as the site's operator. Return its token."""
    return _create_personal(table, Role.OWNER, None, by=None)[1]


def _create_personal(table: Table, role: Role, member: Member | None, *, by: User | None) -> tuple[Link, str]:
    if member is not None:
        table.links.filter(kind=LinkKind.PERSONAL, member=member).revoke()
    token = secrets.token_urlsafe(locks.TOKEN_BYTES)
    return _create(
        table, LinkKind.PERSONAL, role, token, by=by, until=now() + PERSONAL_LIFETIME, member=member
    ), token


def _create(
    table: Table,
    kind: LinkKind,
    role: Role,
    token: str,
    *,
    by: User | None,
    until: datetime,
    member: Member | None = None,
) -> Link:
    if table.links.valid().count() >= MOST_LINKS:
        raise RuleError(_("At most {most} links can be open at a time. Revoke one first.", most=MOST_LINKS))
    return Link.objects.create(
        kind=kind,
        table=table,
        role=role,
        member=member,
        token_hash=locks.hash_token(token),
        made_by=by,
        expires_at=until,
    )


@transaction.atomic
def revoke(link: Link, *, by: User) -> None:
    """Revoke a link of the table. Users who already used it keep their access. Only owners may do this."""
    assert link.table is not None
    table, _access = authorization.lock_table(link.table, by)
    table.links.filter(pk=link.pk).revoke()
    locks.bump_revision(table)


@transaction.atomic
def redeem_personal(link: Link, user: User, *, name: str = "") -> Access:
    """Give the user the access that a personal link grants, without an end. Return the access.

    Nothing they already have is reduced. A link for a member makes them that member and ends the access of
    the member's earlier phones. A repeated call by the same user changes nothing. Lock the table. Raise
    InvalidLink if the link was used or revoked meanwhile, and RuleError if the user is confirmed to be
    another member.
    """
    assert link.table is not None
    table = locks.lock(link.table)
    link = Link.objects.select_related("member__table", "made_by").get(pk=link.pk)
    row = table.accesses.filter(user=user).first()
    known = copy(row) if row is not None and row.is_current else None
    if known is not None and link.used_by_id == user.pk and link.revoked_at is None:
        return known
    if not link.is_current:
        raise InvalidLink
    access = row or Access(user=user, table=table, role=link.role)
    lobby.grant(access, role=Role(link.role), until=None)
    if access.role == link.role == Role.OWNER and (known is None or known.role != Role.OWNER):
        access.raised_by, access.took_over_at = link.made_by, _maker_took_over_at(link)
    link.used_at, link.used_by = now(), user
    link.save(
        update_fields=["used_at", "used_by"]
    )  # first, because ending the earlier phone revokes its user's links
    _replace_phones(link, access, known)
    _set_missing_name(user, name or (link.member.current.name if link.member else ""))
    locks.bump_revision(table)
    return access


def _maker_took_over_at(link: Link) -> datetime | None:
    assert link.table is not None
    makers = link.table.accesses.filter(user=link.made_by_id).values_list("took_over_at", flat=True)
    return makers.first()


def _replace_phones(link: Link, access: Access, known: Access | None) -> None:
    """Store the access. If the link has a member, confirm them and end the access of their earlier phones.

    `known` is the user's access before the link, if any. Raise InvalidLink if an earlier phone has become an
    owner's since the link was created, so that its creator may not replace it.
    """
    if link.member is None:
        access.save()
        return
    member = link.member.current
    if known is not None and known.is_confirmed and known.person != member:
        assert known.person is not None
        raise RuleError(_("You are already {name} here.", name=known.person.name))
    earlier = [
        phone for phone in lobby.member_phones(access.table, member) if phone.user_id != access.user_id
    ]
    if not all(can_replace(phone, link.made_by) for phone in earlier):
        raise InvalidLink
    lobby.replace_phone(earlier, access, by=link.made_by)
    access.member, access.name = member, ""
    lobby.store_confirmation(access, by=link.made_by, until=None)


def _set_missing_name(user: User, name: str) -> None:
    if name and not users.display_name(user):
        user.first_name = name
        user.save(update_fields=["first_name"])


SIGN_IN_LIFETIME = timedelta(hours=1)
PASSWORD_RESET_UNTIL = "may_set_password_until"  # session variable: a Unix timestamp
DOUBLE_TAP_SECONDS = 60  # from the first tap: a repeated one succeeds


@transaction.atomic
def create_sign_in(user: User, *, is_operators: bool = False) -> str:
    """Create a sign-in link for this user, and revoke their earlier ones. Return its token.

    `is_operators` is True if the operator created it, which also permits a password reset.
    """
    user.sign_in_links.revoke()
    token = secrets.token_urlsafe(locks.TOKEN_BYTES)
    Link.objects.create(
        kind=LinkKind.SIGN_IN,
        token_hash=locks.hash_token(token),
        user=user,
        made_by=None if is_operators else user,
        expires_at=now() + SIGN_IN_LIFETIME,
    )
    return token


def find_sign_in(token: str) -> Link | None:
    links = Link.objects.valid().filter(token_hash=locks.hash_token(token), user__is_active=True)
    return links.select_related("user").first()


@transaction.atomic
def redeem_sign_in(token: str, *, key: str = "") -> Link:
    """Use up the sign-in link with this token and return it. Raise InvalidLink if it is not valid.

    `key` is a form key that we issued to the phone (`guests.is_valid_form_key`), or "". A second call with
    the same key within a minute returns the link again, because the browser may have dropped the answer to
    the first tap.
    """
    links = Link.objects.filter(token_hash=locks.hash_token(token), user__is_active=True).select_related(
        "user"
    )
    link = links.select_for_update(of=("self",), no_key=True).first()
    if link is None or not (link.is_current or _is_repeated(link, key)):
        raise InvalidLink
    if link.used_at is None:
        link.used_at, link.used_by = now(), link.user
        link.save(update_fields=["used_at", "used_by"])
        if key:
            cache.set(_repeat_cache_key(link, key), True, DOUBLE_TAP_SECONDS)
    return link


def allow_password_reset(session: SessionBase) -> None:
    """Let this session set a new password without the old one for `SIGN_IN_LIFETIME`."""
    session[PASSWORD_RESET_UNTIL] = (now() + SIGN_IN_LIFETIME).timestamp()


def can_reset_password(session: SessionBase) -> bool:
    return bool(session.get(PASSWORD_RESET_UNTIL, 0) > now().timestamp())


def end_password_reset(session: SessionBase) -> None:
    session.pop(PASSWORD_RESET_UNTIL, None)


def _is_repeated(link: Link, key: str) -> bool:
    return bool(key) and link.revoked_at is None and cache.get(_repeat_cache_key(link, key)) is not None


def _repeat_cache_key(link: Link, key: str) -> str:
    return f"signed-in:{locks.hash_token(f'{link.token_hash} {key}')}"
