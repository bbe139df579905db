"""What every answer carries: the content security policy, no leave to keep it, and now and then a longer session."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponseBase
from django.utils.timezone import now

# Scripts and styles come from our own files, never from inside a page.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

NO_STORE = "private, no-store"

RENEWED_AT = "renewed_at"
DAY = 24 * 60 * 60


class ContentSecurityPolicyMiddleware:
    """Adds the policy to every answer that has none of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


class NoStoreMiddleware:
    """Keeps every answer out of every cache that does not say itself how long it holds.

    The next round makes a page wrong, and the next person with the phone may not be the one who asked for it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", NO_STORE)
        return response


class SessionRenewalMiddleware:
    """Begins the life of a session anew when a whole page is answered, once a day: nobody who plays is forgotten."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if _is_whole_page(request) and SESSION_KEY in request.session:
            at = int(now().timestamp())
            if at - request.session.get(RENEWED_AT, 0) > DAY:
                request.session[RENEWED_AT] = at
        return response


def _is_whole_page(request: HttpRequest) -> bool:
    return "HX-Request" not in request.headers or "HX-Boosted" in request.headers
