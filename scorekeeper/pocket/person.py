"""The one person on a phone: every request is theirs, and the site has made their mark."""

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
    """Authenticate every request as the owner of the copy."""

    user: User | None = None
    mark = ""
    seen: Copy = {}  # the part of the copy that tells later changes from earlier ones

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        assert self.user is not None
        request.session = SessionStore()
        request.user = self.user
        return self.get_response(request)


def mark(request: HttpRequest) -> dict[str, str]:
    """Return the person's mark and the CSRF token as the site made them: the phone has no secret of its own."""
    token = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
    return {"person": OnePersonMiddleware.mark, **({"csrf_token": token} if token else {})}


def bundle(request: HttpRequest) -> dict[str, object]:
    """Return no offer of the bundle, which this phone has, and the unsent changes that its pages mark."""
    known = request.resolver_match.kwargs if request.resolver_match else {}
    return {"pocket": None, "unsent": SimpleLazyObject(lambda: marks(known.get("code", "")))}
