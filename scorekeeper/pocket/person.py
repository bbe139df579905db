"""The only user on a phone: every request is this user's."""

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
    """Authenticates every request as the user whose data was copied to the phone."""

    user: User | None = None
    mark = ""
    seen: Copy = {}  # the part of the copy that shows which changes are newer (`seen_of`)

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        assert self.user is not None
        request.session = SessionStore()
        request.user = self.user
        return self.get_response(request)


def mark(request: HttpRequest) -> dict[str, str]:
    """Return template variables: the user's opaque identifier and the CSRF token, both made by the site."""
    token = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    return {"person": OnePersonMiddleware.mark, **({"csrf_token": token} if token else {})}


def bundle(request: HttpRequest) -> dict[str, object]:
    """Return template variables: the unsent changes to mark, and no offer to download the app (`pocket`)."""
    known = request.resolver_match.kwargs if request.resolver_match else {}
    return {"pocket": None, "unsent": SimpleLazyObject(lambda: marks(known.get("code", "")))}
