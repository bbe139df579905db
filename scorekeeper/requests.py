"""The id of a request: what somebody reads on a page that could not be made is found in the log."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponseBase

HEADER = "X-Request-ID"
BYTES = 4  # short enough to be read out on the telephone

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
        response = self.get_response(request)
        response.headers[HEADER] = request_id()
        return response
