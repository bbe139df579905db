"""A phone that has signed in keeps a proof of it, so that failed logins elsewhere do not lock it out."""

from __future__ import annotations

from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse

KNOWN = "known"  # the cookie, and the salt of its signature


def is_known(request: HttpRequest, name: str) -> bool:
    """Return whether this phone signed in under this name, no longer ago than a session lasts."""
    proof = request.get_signed_cookie(KNOWN, default="", salt=KNOWN, max_age=settings.SESSION_COOKIE_AGE)
    return bool(proof == _proof(name))


def remember(response: HttpResponse, name: str) -> None:
    """Set the proof as a cookie, for as long as a session lasts."""
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
    """Return a digest of the name, which may have letters that no header can hold."""
    return sha256(name.encode()).hexdigest()
