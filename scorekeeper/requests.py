"""The middleware that gives each request its id, and warns about slow requests and queries."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponseBase

from scorekeeper.request_ids import renew_request_id, request_id

HEADER = "X-Request-ID"
SLOW, SLOW_QUERY = 1.0, 0.25  # seconds
LONGEST = 500  # characters of a query that are logged

log = logging.getLogger(__name__)


class RequestIdMiddleware:
    """Gives every request an id and returns the id in the `X-Request-ID` header.

    The id stays set after the response, because Django logs 4xx and 5xx responses later.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        renew_request_id()
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
