"""The site's own middleware: bodies, headers, compression, polls, cookies, the language, NUL and sessions."""

from __future__ import annotations

import re
from collections.abc import Callable
from gzip import decompress
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeGuard, cast

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict, StreamingHttpResponse
from django.middleware.csrf import get_token
from django.middleware.gzip import GZipMiddleware, re_accepts_gzip
from django.middleware.locale import LocaleMiddleware
from django.utils.crypto import constant_time_compare
from django.utils.deprecation import MiddlewareMixin
from django.utils.functional import SimpleLazyObject
from django.utils.timezone import now
from django.utils.translation import activate, get_language

from games.common import (
    body_limits,
    db_errors,
    name_marks,
    poll_tickets,
    rate_limits,
    regions,
    request_handling,
    site_header,
)
from games.common.poll_tickets import PollTicket
from games.tables.services import devices, parked_sessions, vouches
from scorekeeper.request_limits import API, refusal_response

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User
    from django.http.request import _ImmutableQueryDict

    from scorekeeper.sessions import SessionStore

# The content security policy, without django-csp, since Django 6 has its own. Scripts and styles come from our
# own files, never inline.
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

NUL, NUL_REPLACEMENT = "\x00", "\x01"

WITHOUT_BODY = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}
SESSION_KEY_FORM = re.compile("[a-z0-9]{32}")  # as Django makes them
RENEWED_AT = "renewed_at"
DAY = 24 * 60 * 60
KILOBYTE = 1000  # bytes


class SiteHeaderMiddleware(MiddlewareMixin):
    """Middleware that marks every response as this site's, also refusals and files."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        name, release = site_header.field()
        response.headers[name] = release
        return response


class BodilessMiddleware(MiddlewareMixin):
    """Middleware that sends no body where HTTP has none: for HEAD, and with 204 and 304.

    A response to HEAD gets the length that GET would have. `manage.py serve` sends no such body either; this
    is for other servers, which may send whatever they are given.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.status_code in WITHOUT_BODY:
            response.headers.pop("Content-Length", None)
        elif request.method != "HEAD":
            return response
        if isinstance(response, StreamingHttpResponse):
            response.streaming_content = ()
        elif isinstance(response, HttpResponse):
            if request.method == "HEAD" and response.status_code not in WITHOUT_BODY:
                response.headers.setdefault("Content-Length", str(len(response.content)))
            response.content = b""
        return response


class HeadersMiddleware(MiddlewareMixin):
    """Middleware that adds the content security policy and `no-store` to responses without such headers.

    A cached page would be outdated after the next round, and shown to the next user of the phone.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Cache-Control", NO_STORE)
        return response


class CompressedPageMiddleware(GZipMiddleware):
    """Middleware that compresses pages, above all the live scoresheet, and API responses over a kilobyte."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Compress the response if the client accepts that; otherwise unpack a shared copy."""
        takes_gzip = re_accepts_gzip.search(request.headers.get("Accept-Encoding", ""))
        if isinstance(response, HttpResponse) and response.has_header("Content-Encoding") and not takes_gzip:
            del response.headers["Content-Encoding"]
            response.content = decompress(response.content)
            return response
        is_long = _is_page(response) or (_is_answer(response) and len(response.content) > KILOBYTE)
        return super().process_response(request, response) if is_long else response


class UpgradeMiddleware(MiddlewareMixin):
    """Middleware that lets a page of an earlier release go on to a whole page, with its own scripts and styles.

    htmx would swap the new page into the old document. Releases before 1.3.0 say nothing of themselves.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        name, release = site_header.field()
        is_swapped_in = request.method == "GET" and "HX-Boosted" in request.headers
        if not is_swapped_in or request.headers.get(name) == release:
            return None
        # Not HTML, which the service worker of the earlier release would cache as this page.
        return HttpResponse(content_type="text/plain", headers={"HX-Redirect": request.get_full_path()})


class PollMiddleware(MiddlewareMixin):
    """Middleware that answers the polls of open pages, before the session is read, with 204 or a shared copy.

    A poll's ticket is signed and proves the right to see the page (`games/common/poll_tickets.py`).
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        text, cookie = (
            request.headers.get(poll_tickets.HEADER),
            request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""),
        )
        ticket = PollTicket.read(text, request.path, cookie) if text and request.method == "GET" else None
        if ticket is None:
            return None
        if not rate_limits.POLLS.hit(cookie):
            wait = {"Retry-After": str(rate_limits.POLLS.resets_in)}
            return HttpResponse(status=HTTPStatus.TOO_MANY_REQUESTS, headers=wait)
        return ticket.answer()


class CsrfCookieMiddleware(MiddlewareMixin):
    """Middleware that sends the CSRF cookie with the first page, even if that page has no form.

    Otherwise two pages fetched at once could set different cookies, and the form on one of them be refused.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if (
            _is_page(response)
            and response.status_code == HTTPStatus.OK
            and settings.CSRF_COOKIE_NAME not in request.COOKIES
        ):
            get_token(request)
        return response


class LanguageMiddleware(LocaleMiddleware):
    """Middleware that activates the reader's language and the formats of the reader's region.

    The page of a table later activates the table's region. Django adds `Content-Language` and `Vary`.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language first, because the region depends on it."""
        activate(regions.reader_language(request))
        request.LANGUAGE_CODE = get_language()
        regions.activate_region(regions.reader_region(request), country=regions.reader_country(request))


class NameMarksMiddleware:
    """Middleware that keeps the names on pages from the translation of browsers (`games/common/name_marks.py`).

    The API and files have bare names.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(API):
            return self.get_response(request)
        with name_marks.use_marks():
            response = self.get_response(request)
        is_file = response.has_header("Content-Disposition")
        if isinstance(response, HttpResponse) and not is_file and name_marks.are_in(response.content):
            text = response.content.decode()
            response.content = name_marks.resolve(text) if _is_page(response) else name_marks.remove(text)
            response.headers.pop("Content-Length", None)  # middleware inside of this has set it
        return response


def _is_answer(response: HttpResponseBase) -> TypeGuard[HttpResponse]:
    return response.headers.get("Content-Type", "").startswith("application/json") and not response.streaming


def _is_page(response: HttpResponseBase) -> bool:
    return response.headers.get("Content-Type", "").startswith("text/html")


class StorableTextMiddleware(MiddlewareMixin):
    """Middleware that refuses fields longer than any real one, and makes all others storable.

    NUL, which PostgreSQL refuses in any text, becomes another control character, which fields refuse.
    """

    def process_view(self, request: HttpRequest, view: object, *_arguments: object) -> HttpResponse | None:
        """Check the fields of `request.GET`, and of `request.POST` unless the view may read the body."""
        request.GET = _replace_nul(request.GET)
        if getattr(view, "csrf_exempt", False):
            return None
        for name, texts in request.POST.lists():
            most = body_limits.max_field(view, name)
            if len(name) > body_limits.LONGEST_FIELD or max(map(len, texts), default=0) > most:
                return refusal_response(request, HTTPStatus.UNPROCESSABLE_ENTITY, most)
        request.POST = _replace_nul(request.POST)
        return None


def _replace_nul(data: _ImmutableQueryDict) -> _ImmutableQueryDict:
    if not any(NUL in text for name, texts in data.lists() for text in (name, *texts)):
        return data
    clean_data = QueryDict(mutable=True, encoding=data.encoding)
    for name, texts in data.lists():
        clean_data.setlist(
            name.replace(NUL, NUL_REPLACEMENT), [text.replace(NUL, NUL_REPLACEMENT) for text in texts]
        )
    clean_data._mutable = False
    return cast("_ImmutableQueryDict", clean_data)


class TolerantSessionMiddleware(SessionMiddleware):
    """Django's session middleware, but a reading request neither waits for the database's lock nor needs it.

    It never deletes the session cookie. The response to a request of an ended session may reach the phone
    after the response to a sign-in, and would delete the cookie of the new session.
    """

    def process_request(self, request: HttpRequest) -> None:
        """Read the session. Ignore a cookie that is no key of ours: PostgreSQL refuses NUL in a query."""
        if not SESSION_KEY_FORM.fullmatch(request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")):
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
        super().process_request(request)
        cast("SessionStore", request.session).is_reading = request_handling.is_reading(request)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save the session and set its cookie.

        A reading request skips both if the database cannot be written at once. So does a 503: a request that
        has waited for the database once does not wait again.
        """
        if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            return response
        try:
            super().process_response(request, response)
        except (DatabaseError, InterfaceError) as error:
            if not (request_handling.is_reading(request) and db_errors.is_database_failure(error)):
                raise
        if request.session.is_empty():
            response.cookies.pop(settings.SESSION_COOKIE_NAME, None)
        return response


class UserMiddleware(AuthenticationMiddleware):
    """Django's middleware, but it takes the user that was read with the session, which saves a query.

    A user who does not pass Django's checks is left to Django.
    """

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = cast("User", SimpleLazyObject(lambda: _session_user(request)))


def _session_user(request: HttpRequest) -> User | AnonymousUser:
    session = cast("SessionStore", request.session)
    pk, digest = session.get(SESSION_KEY), session.get(HASH_SESSION_KEY, "")  # reads the session
    user = session.user
    is_valid = (
        user is not None
        and user.is_active
        and str(user.pk) == pk
        and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and constant_time_compare(digest, user.get_session_auth_hash())
    )
    return user if user is not None and is_valid else get_user(request)


class SessionRenewalMiddleware(MiddlewareMixin):
    """Middleware that extends the session once a day at a whole page, so that active users stay signed in.

    It also stores the user's device (browser), with the day it was last seen, and ends the parked session that
    this one replaces. Any request that reads the session ends the question whether its user has a new phone;
    programs, and polls with a ticket, do not.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_answered = response.status_code != HTTPStatus.SERVICE_UNAVAILABLE
        user = request.user if is_answered and request.session.accessed else None
        has_vouches = cast("SessionStore", request.session).has_vouches
        if user is not None and user.is_authenticated and has_vouches is not False:
            vouches.end_about(user.pk)
        if is_answered and _is_whole_page(request) and SESSION_KEY in request.session:
            at = int(now().timestamp())
            is_due = at - request.session.get(RENEWED_AT, 0) > DAY
            if is_due or not devices.is_recorded(request):
                is_stored = request_handling.note(request, lambda: devices.record(request))
                if is_due and is_stored:
                    request.session[RENEWED_AT] = at
            parked_sessions.end_used(request)
        return response


def _is_whole_page(request: HttpRequest) -> bool:
    return "HX-Request" not in request.headers or "HX-Boosted" in request.headers
