"""Request ids, which error pages and the log show, and warnings about slow requests and queries."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponseBase

HEADER = "X-Request-ID"
BYTES = 4  # bytes of a request id, short enough to read out over the telephone
SLOW, SLOW_QUERY = 1.0, 0.25  # seconds
LONGEST = 500  # characters of a query that are logged

log = logging.getLogger(__name__)
_id = ContextVar("request_id", default="")


def request_id() -> str:
    """Return the id of the request that this thread handles or handled last; "" before the first request."""
    return _id.get()


class RequestIdMiddleware:
    """Gives every request an id and returns the id in the `X-Request-ID` header.

    The id stays set after the response, because Django logs 4xx and 5xx responses later.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        _id.set(secrets.token_hex(BYTES))
        began = monotonic()
        with connection.execute_wrapper(_timed):
            response = self.get_response(request)
        seconds = monotonic() - began
        if seconds > SLOW:
            fields = request.method, request.path, response.status_code, seconds
            log.warning("%s %s: %s after %.2f s", *fields, extra={"seconds": round(seconds, 3)})
        response.headers[HEADER] = request_id()
        return response


def _timed(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Run a query and log it if it is slow, without its parameters, which may be private."""
    began = monotonic()
    try:
        return execute(sql, params, many, context)
    finally:
        seconds = monotonic() - began
        if seconds > SLOW_QUERY:
            log.warning(
                "a query took %.2f s: %s", seconds, sql[:LONGEST], extra={"seconds": round(seconds, 3)}
            )
