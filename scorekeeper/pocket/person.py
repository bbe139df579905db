"""Whose phone this is: everything here is one person's, whose mark the site has made."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpRequest, HttpResponseBase


class OnePersonMiddleware:
    """Lets whoever holds the phone be the one whose copy it is."""

    user: User | None = None
    mark = ""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        assert self.user is not None
        request.session = SessionStore()
        request.user = self.user
        return self.get_response(request)


def mark(request: HttpRequest) -> dict[str, str]:
    """The person's mark as the site made it: here there is nothing to make it with."""
    return {"person": OnePersonMiddleware.mark}


def bundle(request: HttpRequest) -> dict[str, None]:
    """Nothing to be taken along: it has been."""
    return {"pocket": None}
