"""Sign-in links: a registered user who lost their password gets in by a link from the operator.

The user's other sessions go on. Only a new password ends them, as every change of the password does; the
phone that used the link may set one without the old password for a while.

A browser makes another kind of link, for the app on its device's home screen: on an iPhone that app shares
neither cookies nor storage with the browser. That link signs in any user, guests included, but does not allow
setting a password.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.core.cache import cache
from django.db import transaction
from django.utils.timezone import now

from games.models import Device, SignInLink
from games.people.devices import devices_of
from games.people.invitations import TOKEN_BYTES, hash_of

LASTS = timedelta(hours=1)
MAY_SET_UNTIL = "may_set_password_until"  # session variable: a time as a Unix timestamp
DOUBLE_TAP = 60  # seconds during which a repeated tap of the same form succeeds


class LinkGone(Exception):
    """Raised when a link was used before, is too old, or was replaced by a newer one."""


def make_link(user: User) -> str:
    """Make a sign-in link for this user and return its token, of which only a hash is stored.

    An earlier link of the user ends.
    """
    return _store(user, secrets.token_urlsafe(TOKEN_BYTES))


def make_home_screen_link(device: Device) -> str:
    """Make a link that signs in the user of this device in the app on its home screen, and return its token.

    An earlier link of the device ends. Other links of the user stay.
    """
    return _store(device.user, secrets.token_urlsafe(TOKEN_BYTES), device=device)


def _store(user: User, token: str, *, device: Device | None = None) -> str:
    made_at = now()
    SignInLink.objects.update_or_create(
        user=user,
        device=device,
        defaults={
            "token_hash": hash_of(token),
            "made_at": made_at,
            "expires_at": made_at + LASTS,
            "used_at": None,
        },
    )
    return token


def find_link(token: str) -> SignInLink | None:
    """Return the link with this token, or None if it is not valid."""
    link = _link(token)
    return link if link and _stands(link) else None


@transaction.atomic
def use_link(token: str, *, key: str = "") -> SignInLink:
    """Use up the link with this token and return it. Raise LinkGone if the link is not valid.

    `key` is a form key that we issued to the phone (`guest_keys.is_ours`), or "". A second call with the same
    key within a minute returns the link again: the browser may have dropped the answer to the first tap.
    """
    link = _link(token, is_locked=True)
    if link is None or not (_stands(link) or _is_repeated(link, key)):
        raise LinkGone
    if link.used_at is None:
        link.used_at = now()
        link.save(update_fields=["used_at"])
        if key:
            cache.set(_remembered(link, key), True, DOUBLE_TAP)
    return link


def drop_links(user: User) -> None:
    """Delete the user's sign-in links."""
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


def _link(token: str, *, is_locked: bool = False) -> SignInLink | None:
    links = SignInLink.objects.select_related("user")
    if is_locked:
        links = links.select_for_update(of=("self",), no_key=True)
    return links.filter(token_hash=hash_of(token)).first()


def _stands(link: SignInLink) -> bool:
    if link.device_id is not None and not devices_of(link.user).filter(pk=link.device_id).exists():
        return False
    return link.used_at is None and link.expires_at > now() and link.user.is_active


def _is_repeated(link: SignInLink, key: str) -> bool:
    return bool(key) and link.user.is_active and cache.get(_remembered(link, key)) is not None


def _remembered(link: SignInLink, key: str) -> str:
    """Return the cache key that remembers the use of this link by this form."""
    return f"signed-in:{hash_of(f'{link.token_hash} {key}')}"
