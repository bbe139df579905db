"""The middleware that observes every request: id, warnings about slow ones, metrics, access log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponseBase

from games.streams import STREAM
from games.tickets import BY_TICKET_ALONE, NOT_ENOUGH
from scorekeeper.metrics.meters import NONE, count_query, count_request, count_response, view_of
from scorekeeper.request_ids import renew_request_id, request_id

HEADER = "X-Request-ID"
SLOW, SLOW_QUERY = 1.0, 0.25  # seconds
LONGEST = 500  # characters of a query or an address that are logged

log = logging.getLogger(__name__)
access_log = logging.getLogger("scorekeeper.access")  # off unless ACCESS_LOG is set


class RequestIdMiddleware:
    """Gives every request an id, which the `X-Request-ID` header returns; counts and logs the response.

    The id stays set after the response, because Django logs 4xx and 5xx responses later.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        renew_request_id()
        began = monotonic()
        is_continued = STREAM in request.META and request.META[STREAM].is_open  # counted when it began
        with connection.execute_wrapper(_timed):
            response = self.get_response(request)
        if not (is_continued or (response.status_code == NOT_ENOUGH and BY_TICKET_ALONE in request.META)):
            _note_answered(request, response.status_code, monotonic() - began)
        response.headers[HEADER] = request_id()
        return response


def note_refused(method: str, path: str, status: int) -> None:
    """Count and log a request that the server refused because of its body, before Django got it."""
    count_request(NONE, method, status)
    _log_access(method, path, NONE, status)


def _note_answered(request: HttpRequest, status: int, seconds: float) -> None:
    view = view_of(request, status)
    count_response(request, view, status, seconds)
    _log_access(str(request.method), request.path, view, status, seconds)
    if seconds > SLOW:
        fields = request.method, request.path, status, seconds
        log.warning("%s %s: %s after %.2f s", *fields, extra={"seconds": round(seconds, 3)})


def _log_access(method: str, path: str, view: str, status: int, seconds: float | None = None) -> None:
    """Write a line of the access log if it is on, without the query string, which may hold typed text."""
    if access_log.isEnabledFor(logging.INFO):
        fields = {"method": method[:LONGEST], "path": path[:LONGEST], "view": view, "status": status}
        took = None if seconds is None else round(seconds, 4)
        access_log.info("access", extra={"access": {**fields, "seconds": took}})


def _timed(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Run a query with `execute` and count it.

    Log a slow query without its parameters, which may be private.
    """
    began = monotonic()
    try:
        return execute(sql, params, many, context)
    finally:
        seconds = monotonic() - began
        count_query(sql, seconds, is_slow=seconds > SLOW_QUERY)
        if seconds > SLOW_QUERY:
            log.warning(
                "a query took %.2f s: %s", seconds, sql[:LONGEST], extra={"seconds": round(seconds, 3)}
            )
