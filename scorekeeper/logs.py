"""Log lines like django-structlog's, with a request's id, but with secret tokens masked and no package.

An entry is one line, truncated and escaped. Error pages, the log and the `X-Request-ID` header show the
request's id.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from copy import copy
from datetime import datetime
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.timezone import get_default_timezone

SECURITY_LOGGER = "django.security."
HOST_LOGGER = f"{SECURITY_LOGGER}DisallowedHost"
LONGEST_LINE = 1000  # characters of a line; it is truncated before anything searches it
# The token of a link has 32 of these characters. URLs are often mangled (with a blank, with capitals), so
# half a token counts, wherever it is. `%` is for a URL that was encoded twice.
TOKEN = re.compile(r"[\w%-]{16,}", re.ASCII)
TOKEN_SIGN = re.compile(r"[A-Z0-9]")  # a token has at least one of these
FIRST_SEGMENT = re.compile(r"/[a-z0-9-]{0,15}(?=/|$)", re.ASCII)


class LogFormatter(logging.Formatter):
    """A formatter of log lines. `%(id)s` is a blank and the request's id, or "" outside a request."""

    def format(self, record: logging.LogRecord) -> str:
        record = _prepare(record)
        record.id = f" {request_id()}" if request_id() else ""
        return "\n".join(_mask_tokens(_truncate(line)) for line in super().format(record).split("\n"))

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        """Return the moment on the site's clock, also where the system has no time zones."""
        moment = datetime.fromtimestamp(record.created, tz=get_default_timezone())
        return moment.strftime(datefmt or settings.LOGGED_AT)


def _prepare(record: logging.LogRecord) -> logging.LogRecord:
    """Return a copy of the record whose message is one line; only errors of the program keep a traceback.

    A request that Django refuses as suspicious is no such error.
    """
    record = copy(record)
    request = getattr(record, "request", None)
    if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
        written = (request.path, request.path.encode("unicode_escape").decode("ascii"))  # as Django logs it
        record.args = tuple(log_path(request) if part in written else part for part in record.args)
    message = (
        record.getMessage()
        if record.name != HOST_LOGGER
        else "Asked for a host that is not in ALLOWED_HOSTS."
    )
    record.msg, record.args = _escape(_truncate(message)), ()
    if record.name.startswith(SECURITY_LOGGER):
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    if record.levelno < logging.ERROR:
        record.exc_info = record.exc_text = None
    return record


def log_path(request: HttpRequest) -> str:
    """Return the path of a request for the log; for one that leads nowhere, its beginning and its length.

    Links are often mangled, and pieces of the token may then be anywhere in the path.
    """
    place = request.resolver_match
    if place is not None and place.url_name != "api-unknown":
        return request.path
    known = FIRST_SEGMENT.match(request.path)
    return f"{known[0] if known else '/'}… ({len(request.path)} letters)"


def _truncate(text: str) -> str:
    return text if len(text) <= LONGEST_LINE else f"{text[: LONGEST_LINE - 1]}…"


def _escape(text: str) -> str:
    """Return the text with unprintable characters escaped: a line break in a URL could forge a line."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )


def _mask_tokens(line: str) -> str:
    """Return the line with everything after its first slash masked that could be a token."""
    before, slash, address = line.partition("/")
    return f"{before}{slash}{TOKEN.sub(_mask_match, address)}"


def _mask_match(match: re.Match[str]) -> str:
    return "…" if TOKEN_SIGN.search(match[0]) else match[0]


ID_BYTES = 4  # bytes of a request id, short enough to read out over the phone

_id = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the request that this thread handles or handled last; "" before the first request."""
    return _id.get()


def renew_request_id() -> None:
    """Set a new id for the request that this thread is about to handle."""
    _id.set(secrets.token_hex(ID_BYTES))


HEADER = "X-Request-ID"
LOG = logging.getLogger("scorekeeper.access")


class RequestIdMiddleware:
    """Middleware that gives every request an id, and logs it if ACCESS_LOG is set.

    The id stays set after the response, because Django logs 4xx and 5xx responses later.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        renew_request_id()
        began = perf_counter()
        response = self.get_response(request)
        response.headers[HEADER] = request_id()
        if settings.ACCESS_LOG:  # without the query, which may contain typed text
            took = 1000 * (perf_counter() - began)
            LOG.info(
                "%s %s %d %.1f ms",
                (request.method or "")[:20],
                log_path(request),
                response.status_code,
                took,
            )
        return response
