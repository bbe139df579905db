"""What every answer carries: the content security policy, no leave to keep it, the cookie of forms, a longer session.

And what is answered by a ticket, what travels compressed, and what no request brings in: text that a database does not
take.
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

OWED = "owed"  # the part of a result that says who pays whom
NUL, IN_ITS_PLACE = "\x00", "\x01"

READING = {"GET", "HEAD"}
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


class CompressedPageMiddleware(GZipMiddleware):
    """Compresses pages, a changed sheet for a phone that watches above all.

    What programs are answered keeps the version it has, which would become a weak one.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """The page, compressed where whoever asks can read it."""
        return super().process_response(request, response) if _is_page(response) else response


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


class TicketMiddleware:
    """Answers a watching phone whose ticket is good, while nothing is new, before anybody asks who it is."""

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
    """Sends the cookie against forgery with the first page, whether it has a form or not.

    A page without one has the next pages fetched ahead while a tap asks for one of them: two first answers would each
    bring a cookie of their own, and the form of the one that is shown would be refused.
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
    """Lets another page replace the page where only a part was to be swapped in, which it does not have.

    Whoever ticks off a payment may be asked about it, or may be out by now: he reads so instead of nothing.
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
    """Puts another control character in the place of NUL, which PostgreSQL takes in no text, not even to look for it.

    Whoever reads a field refuses the one as he refuses the other, so nobody has to think of it again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: object, *_arguments: object) -> None:
        """Reads a form after the check against forgery, which reads it anyway; none where there is no check."""
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
    """Keeps the session, and lets a page be read where it cannot be kept just now: a full disk can still be read."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """The response with the session's cookie; without it where only reading was asked, and the disk is full."""
        try:
            return super().process_response(request, response)
        except DatabaseError as error:
            if not _was_only_read(request, error):
                raise
            return response


def _was_only_read(request: HttpRequest, error: DatabaseError) -> bool:
    return request.method in READING and is_database_fault(error)


class SessionRenewalMiddleware:
    """Begins the life of a session anew when a whole page is answered, once a day: nobody who plays is forgotten.

    On the same occasion its device is noted, and that it was seen today.
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
