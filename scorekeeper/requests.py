"""The id of a request: what somebody reads on a page that could not be made is found in the log; and what took long."""

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
BYTES = 4  # short enough to be read out on the telephone
SLOW, SLOW_QUERY = 1.0, 0.25  # seconds
LONGEST = 500  # letters of a query

log = logging.getLogger(__name__)
_id = ContextVar("request_id", default="")


def request_id() -> str:
    """The id of the request that this thread answers, or has answered last; "" before the first."""
    return _id.get()


class RequestIdMiddleware:
    """Gives every request an id of ours and sends it with the answer. Refusals are logged after that, so it stays."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        _id.set(secrets.token_hex(BYTES))
        began = monotonic()
        with connection.execute_wrapper(_timed):
            response = self.get_response(request)
        seconds = monotonic() - began
        if seconds > SLOW:
            words = request.method, request.path, response.status_code, seconds
            log.warning("%s %s: %s after %.2f s", *words, extra={"seconds": round(seconds, 3)})
        response.headers[HEADER] = request_id()
        return response


def _timed(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Runs a query, and notes one that takes long; what was asked with it may be private."""
    began = monotonic()
    try:
        return execute(sql, params, many, context)
    finally:
        seconds = monotonic() - began
        if seconds > SLOW_QUERY:
            log.warning(
                "a query took %.2f s: %s", seconds, sql[:LONGEST], extra={"seconds": round(seconds, 3)}
            )
