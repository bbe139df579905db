"""Whose phone this is: everything here is one person's, whose mark the site has made."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpRequest, HttpResponseBase
from django.utils.functional import SimpleLazyObject

from games.pocket.copying import Copy
from games.pocket.unsent import marks


class OnePersonMiddleware:
    """Lets whoever holds the phone be the one whose copy it is."""

    user: User | None = None
    mark = ""
    seen: Copy = {}  # of his copy what tells later things from earlier ones

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        assert self.user is not None
        request.session = SessionStore()
        request.user = self.user
        return self.get_response(request)


def mark(request: HttpRequest) -> dict[str, str]:
    """The person's mark and the forms' token as the site made them: here there is nothing to make them with."""
    token = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    return {"person": OnePersonMiddleware.mark, **({"csrf_token": token} if token else {})}


def bundle(request: HttpRequest) -> dict[str, object]:
    """Nothing to be taken along: it has been. And what its pages mark, since the site has not heard of it."""
    known = request.resolver_match.kwargs if request.resolver_match else {}
    return {"pocket": None, "unsent": SimpleLazyObject(lambda: marks(known.get("code", "")))}
