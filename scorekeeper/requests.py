"""The middleware that gives every request an id and, where wanted, a line in the log."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

from scorekeeper.request_ids import renew_request_id, request_id

HEADER = "X-Request-ID"
LOG = logging.getLogger("scorekeeper.access")


class RequestIdMiddleware:
    """Gives every request an id, which the `X-Request-ID` header returns.

    The id stays set after the response, because Django logs 4xx and 5xx responses later.
    """

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
