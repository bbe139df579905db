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

from games.models import SignInLink
from games.people.invitations import TOKEN_BYTES, hash_of

LASTS = timedelta(hours=1)
MAY_SET_UNTIL = "may_set_password_until"  # session variable: a time as a Unix timestamp
DOUBLE_TAP = 60  # seconds during which a repeated tap of the same form succeeds


class LinkGone(Exception):
    """Raised when a link was used before, is too old, or was replaced by a newer one."""


def make_link(user: User, *, is_operators: bool = False) -> str:
    """Make a sign-in link for this user and return its token, of which only a hash is stored.

    An earlier link of the user ends.
    """
    token, made_at = secrets.token_urlsafe(TOKEN_BYTES), now()
    link = {"token_hash": hash_of(token), "made_at": made_at, "expires_at": made_at + LASTS}
    defaults = {**link, "used_at": None, "is_operators": is_operators}
    SignInLink.objects.update_or_create(user=user, defaults=defaults)
    return token


def find_link(token: str) -> SignInLink | None:
    """Return the link with this token, or None if it is not valid."""
    link = SignInLink.objects.select_related("user").filter(token_hash=hash_of(token)).first()
    return link if link and _stands(link) else None


@transaction.atomic
def use_link(token: str, *, key: str = "") -> SignInLink:
    """Use up the link with this token and return it. Raise LinkGone if the link is not valid.

    `key` is a form key that we issued to the phone (`guest_keys.is_ours`), or "". A second call with the same
    key within a minute returns the link again: the browser may have dropped the answer to the first tap.
    """
    links = SignInLink.objects.select_related("user").select_for_update(of=("self",), no_key=True)
    link = links.filter(token_hash=hash_of(token)).first()
    if link is None or not (_stands(link) or _is_repeated(link, key)):
        raise LinkGone
    if link.used_at is None:
        link.used_at = now()
        link.save(update_fields=["used_at"])
        if key:
            cache.set(_remembered(link, key), True, DOUBLE_TAP)
    return link


def drop_link(user: User) -> None:
    """Delete the user's sign-in link."""
    SignInLink.objects.filter(user=user).delete()


def allow_new_password(session: SessionBase) -> None:
    """Let this session set a new password without the old one for as long as a link lasts."""
    session[MAY_SET_UNTIL] = (now() + LASTS).timestamp()


def may_set_password(session: SessionBase) -> bool:
    """Return whether this session may set a new password without the old one."""
    return bool(session.get(MAY_SET_UNTIL, 0) > now().timestamp())


def forbid_new_password(session: SessionBase) -> None:
    """Make this session give the old password again before it sets a new one."""
    session.pop(MAY_SET_UNTIL, None)


def _stands(link: SignInLink) -> bool:
    return link.used_at is None and link.expires_at > now() and link.user.is_active


def _is_repeated(link: SignInLink, key: str) -> bool:
    return bool(key) and link.user.is_active and cache.get(_remembered(link, key)) is not None


def _remembered(link: SignInLink, key: str) -> str:
    """Return the cache key that remembers the use of this link by this form."""
    return f"signed-in:{hash_of(f'{link.token_hash} {key}')}"
