"""The sessions of guests that wait on a phone while somebody else is signed in there.

A guest has no password, so the end of their session would be the end of the guest. When somebody else signs
in on the phone, the guest's session is parked: it stays for `LIFETIME`, and a signed cookie of the phone names
it. It ends like any session of the guest: from another phone, with a new password, or with the account.

A parked session is used once: the phone gets a new session in its place. Until the phone has opened a page
with that one, it may repeat the request, because the answer to the first may have been lost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.timezone import now

from games.common import request_handling
from games.tables.services import devices, guests

COOKIE = "parked"
SALT = "games.tables.parked_sessions"
LIFETIME = timedelta(days=90)
MOST = 20  # parked sessions of a phone
SEPARATOR = "-"  # between the keys in the cookie; no key has one

USED_BY = "used_by"  # session variable of a used session: the digest of its phone's CSRF cookie
REPLACES = "replaces"  # session variable of the new session: the key of the used one


@dataclass(frozen=True)
class ParkedSession:
    """A session that the phone can continue: its key, its guest, and when it expires."""

    key: str
    guest: User
    expires_at: datetime


def load(request: HttpRequest, *, for_update: bool = False) -> Sequence[ParkedSession]:
    """Return the parked sessions of this phone, oldest first, without those of the user who is here.

    With `for_update`, lock their rows until the transaction ends.
    """
    keys = _read_cookie(request)
    if not keys:
        return ()
    rows = Session.objects.filter(session_key__in=keys, expire_date__gt=now())
    if for_update:
        rows = rows.select_for_update()
    data_by_row = {row: row.get_decoded() for row in rows}
    open_rows = {
        row.session_key: (row, int(data[SESSION_KEY]))
        for row, data in data_by_row.items()
        if SESSION_KEY in data and _is_usable(data, request)
    }
    users = User.objects.filter(is_active=True).in_bulk([user for _row, user in open_rows.values()])
    found = (open_rows[key] for key in keys if key in open_rows)
    return [
        ParkedSession(row.session_key, users[user], row.expire_date)
        for row, user in found
        if user in users and guests.as_guest(users[user]) and users[user] != request.user
    ]


def park(request: HttpRequest) -> str:
    """Park the session of this guest, continue the request with an empty one, and return the parked key."""
    devices.record(request)  # so that the guest can end it from another phone
    session = request.session
    session.set_expiry(int(LIFETIME.total_seconds()))
    session.save()
    request.session = type(session)()
    return str(session.session_key)


def mark_used(request: HttpRequest, parked: ParkedSession) -> None:
    """Mark this session as used by this phone. Call this before the login, which replaces the CSRF cookie."""
    session = type(request.session)(parked.key)
    session[USED_BY] = _phone_digest(request)
    session.save()


def end_used(request: HttpRequest) -> None:
    """End the used session that the session of this request replaces, if the phone has received the new one."""
    is_received = request.COOKIES.get(settings.SESSION_COOKIE_NAME) == request.session.session_key
    if is_received and REPLACES in request.session:
        replaced = request.session[REPLACES]
        if request_handling.note(request, lambda: devices.end_sessions([replaced])):
            del request.session[REPLACES]


def set_cookie(response: HttpResponse, keys: Sequence[str]) -> None:
    """Let the phone remember these parked sessions, or forget them all."""
    if not keys:
        response.delete_cookie(COOKIE, samesite="Lax")
        return
    response.set_signed_cookie(
        COOKIE,
        SEPARATOR.join(keys[-MOST:]),
        salt=SALT,
        max_age=LIFETIME,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read_cookie(request: HttpRequest) -> Sequence[str]:
    text = request.get_signed_cookie(COOKIE, "", salt=SALT, max_age=LIFETIME)
    return text.split(SEPARATOR) if text else ()


def _is_usable(data: Mapping[str, Any], request: HttpRequest) -> bool:
    """Return whether a session with these data was not used yet, or only by this phone."""
    if USED_BY not in data:
        return True
    digest = _phone_digest(request)
    return digest != "" and constant_time_compare(data[USED_BY], digest)


def _phone_digest(request: HttpRequest) -> str:
    """Return a digest of the phone's CSRF cookie, which every sign-in replaces; "" without a cookie."""
    cookie = request.META.get(guests.CSRF_COOKIE, "")
    return salted_hmac(SALT, cookie, algorithm="sha256").hexdigest() if cookie else ""
