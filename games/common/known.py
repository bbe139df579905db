"""A cookie that proves an earlier login of this phone.

Too many failed logins under the same name from elsewhere then do not lock this phone out.
"""

from __future__ import annotations

from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse

KNOWN = "known"  # the name of the cookie, and the salt of its signature


def is_known(request: HttpRequest, name: str) -> bool:
    """Return whether this phone has logged in with this user name within the lifetime of a session."""
    proof = request.get_signed_cookie(KNOWN, default="", salt=KNOWN, max_age=settings.SESSION_COOKIE_AGE)
    return bool(proof == _proof(name))


def remember(response: HttpResponse, name: str) -> None:
    """Set the cookie that proves the login, for the lifetime of a session."""
    response.set_signed_cookie(
        KNOWN,
        _proof(name),
        salt=KNOWN,
        max_age=settings.SESSION_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _proof(name: str) -> str:
    """Return the cookie's value: a digest of the user name.

    A user name may have characters that a cookie cannot hold.
    """
    return sha256(name.encode()).hexdigest()
