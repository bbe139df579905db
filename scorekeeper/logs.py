"""Log lines like django-structlog's, with a request's id, but without names and secret tokens, and no package.

An entry is one line, truncated and escaped; an error has its traceback. A request is written as its route and
status, because a path may hold a name or a token. Error pages, the log and the `X-Request-ID` header show the
request's id.
"""

from __future__ import annotations

import logging
import re
import secrets
import traceback
from collections.abc import Callable
from contextvars import ContextVar
from copy import copy
from datetime import datetime
from time import perf_counter
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.timezone import get_default_timezone

SECURITY_LOGGER = "django.security."
HOST_LOGGER = f"{SECURITY_LOGGER}DisallowedHost"
SERVER_LOGGER = "waitress"
LONGEST_LINE = 1000  # characters of a line; it is truncated before anything searches it
# The token of a link has 32 of these characters. URLs are often mangled (with a blank, with capitals), so
# half a token counts, wherever it is. `%` is for a URL that was encoded twice.
TOKEN = re.compile(r"[\w%-]{16,}", re.ASCII)
TOKEN_SIGN = re.compile(r"[A-Z0-9]")  # a token has at least one of these

NO_ROUTE = "(no route)"
UNROUTED = re.compile("/(healthz|readyz|static/|solo/)")  # what middleware answers, before there is a route
HIDDEN = "…"
URL_PATH = re.compile(r"(?<=://)([^/\s]*)/\S*")
SERVED_PATH = re.compile("(?<= while serving ).*", re.DOTALL)  # in messages of waitress
CODE_LINE = re.compile(r'  File "|    |  \[Previous')  # a line of a traceback that quotes the program
# Values in the messages of exceptions: of Django's `NoReverseMatch`, and in PostgreSQL's details.
VALUES = re.compile(r"(?<=arguments ').*(?=' not found)|(?<=^DETAIL:).*")


class LogFormatter(logging.Formatter):
    """A formatter of log lines. `%(id)s` is a blank and the request's id, or "" outside a request.

    The entries in the attribute `before` of a record (`log_limit.py`) come before it.
    """

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(self._format_entry(entry) for entry in (*getattr(record, "before", ()), record))

    def _format_entry(self, record: logging.LogRecord) -> str:
        record = _prepare(record)
        number = getattr(record, "id", request_id())
        record.id = f" {number}" if number else ""
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
    record.msg, record.args = _escape(_truncate(message(record))), ()
    if record.name.startswith(SECURITY_LOGGER):
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    raised, record.exc_info, record.exc_text = record.exc_info, None, None
    if raised and record.levelno >= logging.ERROR:
        record.exc_text = _format_traceback(raised, find_request(record))
    return record


def message(record: logging.LogRecord) -> str:
    """Return the message of a record, with the route and the status in place of a request's path."""
    request = find_request(record)
    text = record.getMessage()
    if request is None:
        is_servers = record.name == SERVER_LOGGER
        return SERVED_PATH.sub(lambda path: find_route(_decode(path[0])), text) if is_servers else text
    if record.name == HOST_LOGGER:
        text = "Asked for a host that is not in ALLOWED_HOSTS"
    for path in (request.path, request.path.encode("unicode_escape").decode("ascii")):  # as Django logs it
        text = text.removesuffix(f": {path}")
    text = _hide_values(URL_PATH.sub(rf"\1/{HIDDEN}", _truncate(text)), _path_values(request))
    return f"{text}: {route(request)} {getattr(record, 'status_code', '')}".rstrip()


def find_request(record: logging.LogRecord) -> HttpRequest | None:
    request = getattr(record, "request", None)
    return request if isinstance(request, HttpRequest) else None


def route(request: HttpRequest) -> str:
    """Return the pattern of the request's URL, such as `/t/<slug:table_code>/`, or NO_ROUTE."""
    match = request.resolver_match
    return find_route(request.path_info) if match is None else f"/{match.route}"


def find_route(path: str) -> str:
    """Return the pattern of the URL with this path, without the prefix of the script; NO_ROUTE if it has none."""
    if unrouted := UNROUTED.match(path):
        return unrouted[0]
    try:
        return f"/{resolve(path).route}"
    except Resolver404:
        return NO_ROUTE


def _decode(path: str) -> str:
    """Return the path in a WSGI environment, where each byte is a character, as text."""
    return path.encode("latin-1", "replace").decode(errors="replace")


def _format_traceback(raised: tuple[Any, Any, Any], request: HttpRequest | None) -> str:
    """Return the traceback, without values in the messages of its exceptions that the request's path has."""
    values = _path_values(request) if request else None
    lines = "".join(traceback.format_exception(*raised)).rstrip("\n").split("\n")
    return "\n".join(
        line if CODE_LINE.match(line) else _hide_values(_truncate(line), values) for line in lines
    )


def _path_values(request: HttpRequest) -> re.Pattern[str] | None:
    """Return a pattern of the values in the path of this request: names, codes, tokens. None if it has none."""
    values = request.resolver_match.kwargs.values() if request.resolver_match else ()
    texts = [request.path.strip("/"), *(value for value in values if isinstance(value, str))]
    forms = [
        re.escape(form) for text in texts if len(text) > 1 for form in (text, quote(text), repr(text)[1:-1])
    ]
    return re.compile(rf"(?<!\w)({'|'.join(forms)})(?!\w)") if forms else None


def _hide_values(line: str, values: re.Pattern[str] | None) -> str:
    line = VALUES.sub(HIDDEN, line)
    return values.sub(HIDDEN, line) if values else line


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
        if settings.ACCESS_LOG:
            took = 1000 * (perf_counter() - began)
            LOG.info(
                "%s %s %d %.1f ms",
                (request.method or "")[:20],
                route(request),
                response.status_code,
                took,
            )
        return response
