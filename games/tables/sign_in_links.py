"""Sign-in links: valid for an hour, used once, and signing in one user on the phone that opens them.

A user makes one for another phone, or for the app on an iPhone's home screen, which shares neither cookies
nor storage with the browser. The operator makes one for a user who lost the password; then the phone may set
a new password without the old one for a while. The user's other sessions go on.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.core.cache import cache
from django.db import transaction
from django.utils.timezone import now

from games.common.locks import TOKEN_BYTES, hash_of
from games.models import Link, LinkKind
from games.tables.links import LinkGone

LASTS = timedelta(hours=1)
MAY_SET_UNTIL = "may_set_password_until"  # session variable: a time as a Unix timestamp
DOUBLE_TAP = 60  # seconds during which a repeated tap of the same form succeeds


@transaction.atomic
def make_link(user: User, *, is_operators: bool = False) -> str:
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
        expires_at=now() + LASTS,
    )
    return token


def find_link(token: str) -> Link | None:
    """Return the sign-in link with this token, or None if it is not valid."""
    links = Link.objects.standing().filter(token_hash=hash_of(token), user__is_active=True)
    return links.select_related("user").first()


@transaction.atomic
def use_link(token: str, *, key: str = "") -> Link:
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
    session[MAY_SET_UNTIL] = (now() + LASTS).timestamp()


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
