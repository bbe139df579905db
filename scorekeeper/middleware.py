"""The site's own middleware.

It adds the content security policy, `no-store`, the CSRF cookie and a longer session, answers polls by
ticket, compresses pages, and replaces NUL characters, which PostgreSQL does not store.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.middleware.csrf import get_token
from django.middleware.gzip import GZipMiddleware
from django.utils.timezone import now

from games.faults import is_database_fault
from games.people.devices import is_noted, note_device
from games.tickets import BY_TICKET_ALONE, HEADER, NOT_ENOUGH, is_unchanged

if TYPE_CHECKING:
    from django.http.request import _ImmutableQueryDict

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
TICKET = f"HTTP_{HEADER.upper().replace('-', '_')}"

OWED = "owed"  # the id of the part of a result page that says who pays whom
NUL, IN_ITS_PLACE = "\x00", "\x01"

READING = {"GET", "HEAD"}
RENEWED_AT = "renewed_at"
DAY = 24 * 60 * 60


class ContentSecurityPolicyMiddleware:
    """Adds the policy to every response that has none of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        return response


class CompressedPageMiddleware(GZipMiddleware):
    """Compresses pages, above all the sheet that is sent to watching phones.

    API responses stay uncompressed: compression would weaken their ETag.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress a page for clients that accept it."""
        return super().process_response(request, response) if _is_page(response) else response


class NoStoreMiddleware:
    """Sets `no-store` on every response that sets no cache time itself.

    The next round makes a page wrong, and the next person with the phone may not be the one who asked for it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", NO_STORE)
        return response


class TicketMiddleware:
    """Answers a poll without news by its ticket alone, before sessions and users are read."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        ticket = request.META.get(TICKET)
        if ticket and request.method == "GET":
            cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
            if is_unchanged(ticket, request.path, cookie):
                return HttpResponse(status=204)
            if BY_TICKET_ALONE in request.META:
                return HttpResponse(status=NOT_ENOUGH)
        return self.get_response(request)


class FormCookieMiddleware:
    """Sends the CSRF cookie with the first page, even if that page has no form.

    A page without forms prefetches the next pages while a tap asks for one of them: two first responses would
    each set a cookie of their own, and the form on the shown page would be refused.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if (
            _is_page(response)
            and response.status_code == HTTPStatus.OK
            and settings.CSRF_COOKIE_NAME not in request.COOKIES
        ):
            get_token(request)
        return response


class WholePageMiddleware:
    """Replaces the whole page if the response lacks the part that was to be swapped in.

    A user who ticks off a payment may have to answer a question first, or may have lost access: then that
    page shows instead of nothing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.headers.get("HX-Target") == OWED and _is_page_without(OWED, response):
            response.headers["HX-Retarget"] = response.headers["HX-Reselect"] = "#main"
            response.headers["HX-Reswap"] = "outerHTML show:window:top"
        return response


def _is_page_without(part: str, response: HttpResponseBase) -> bool:
    if not (_is_page(response) and isinstance(response, HttpResponse)):
        return False
    return f'id="{part}"'.encode() not in response.content


def _is_page(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")


class StorableTextMiddleware:
    """Replaces NUL by another control character, because PostgreSQL accepts NUL in no text, even in a query.

    Field readers refuse the other character as they would refuse NUL, so no other code has to think of it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, *_arguments: object) -> None:
        """Clean the query and the form.

        It runs after the CSRF check, which reads the form anyway. Where there is no check the form is left
        unread.
        """
        request.GET = _storable(request.GET)
        if not getattr(view, "csrf_exempt", False):
            request.POST = _storable(request.POST)


def _storable(sent: _ImmutableQueryDict) -> _ImmutableQueryDict:
    if not any(NUL in text for name, texts in sent.lists() for text in (name, *texts)):
        return sent
    stored = QueryDict(mutable=True, encoding=sent.encoding)
    for name, texts in sent.lists():
        stored.setlist(name.replace(NUL, IN_ITS_PLACE), [text.replace(NUL, IN_ITS_PLACE) for text in texts])
    stored._mutable = False
    return cast("_ImmutableQueryDict", stored)


class LastingSessionMiddleware(SessionMiddleware):
    """Saves the session, but lets a page be read if saving fails: a full disk can still be read."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Set the session's cookie; leave it out if a read-only request meets a full disk."""
        try:
            return super().process_response(request, response)
        except DatabaseError as error:
            if not _was_only_read(request, error):
                raise
            return response


def _was_only_read(request: HttpRequest, error: DatabaseError) -> bool:
    return request.method in READING and is_database_fault(error)


class SessionRenewalMiddleware:
    """Extends the session once a day when a whole page is answered, so that nobody who plays is signed out.

    At the same time it records the device and the day on which it was seen.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if _is_whole_page(request) and SESSION_KEY in request.session:
            at = int(now().timestamp())
            is_due = at - request.session.get(RENEWED_AT, 0) > DAY
            if is_due:
                request.session[RENEWED_AT] = at
            if is_due or not is_noted(request):
                _note_device(request)
        return response


def _note_device(request: HttpRequest) -> None:
    try:
        note_device(request)
    except DatabaseError as error:
        if not _was_only_read(request, error):
            raise


def _is_whole_page(request: HttpRequest) -> bool:
    return "HX-Request" not in request.headers or "HX-Boosted" in request.headers
