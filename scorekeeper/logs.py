"""The log formatter: one line for each entry, with the secret tokens of addresses masked.

Every request has an id, which error pages, the log and the `X-Request-ID` header show.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from copy import copy
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

REFUSED = "django.security."
# The token of a link has 32 of these characters. An address is often mangled (broken by a line, with a blank,
# with capitals), so half of one counts wherever it stands. `%` is for an address that was encoded twice.
TOKEN = re.compile(r"(?=[\w%-]*[A-Z0-9])[\w%-]{16,}", re.ASCII)


class Line(logging.Formatter):
    """A formatter of log lines. `%(id)s` in the format is a blank and the request's id, or "" outside a request."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of the log line for this record."""
        record = _prepared(record)
        record.id = f" {request_id()}" if request_id() else ""
        return "\n".join(map(_masked, super().format(record).split("\n")))


def _prepared(record: logging.LogRecord) -> logging.LogRecord:
    """Return a copy of the record whose message is one line; only errors of the program keep a traceback.

    A request that Django refuses as suspicious is no such error.
    """
    record = copy(record)
    record.msg, record.args = _escaped(record.getMessage()), ()
    if record.name.startswith(REFUSED):
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    if record.levelno < logging.ERROR:
        record.exc_info = record.exc_text = None
    return record


def _escaped(text: str) -> str:
    """Return the text with unprintable characters escaped: a line break in an address could forge a line."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )


def _masked(line: str) -> str:
    """Return the line with everything masked that could be a token and stands behind its first slash."""
    before, slash, address = line.partition("/")
    return f"{before}{slash}{TOKEN.sub('…', address)}"


BYTES = 4  # bytes of a request id, short enough to read out over the telephone

_id = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the request that this thread handles or handled last; "" before the first request."""
    return _id.get()


def renew_request_id() -> None:
    """Set a new id for the request that this thread begins to handle."""
    _id.set(secrets.token_hex(BYTES))


HEADER = "X-Request-ID"
LOG = logging.getLogger("scorekeeper.access")


class RequestIdMiddleware:
    """Gives every request an id, which stays set after the response: Django logs 4xx and 5xx responses later."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        renew_request_id()
        began = perf_counter()
        response = self.get_response(request)
        response.headers[HEADER] = request_id()
        if settings.ACCESS_LOG:  # without the query, which may hold typed text
            took = 1000 * (perf_counter() - began)
            LOG.info("%s %s %d %.1f ms", request.method, request.path, response.status_code, took)
        return response
