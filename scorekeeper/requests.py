"""The middleware that gives every request an id."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from scorekeeper.request_ids import renew_request_id, request_id

HEADER = "X-Request-ID"


class RequestIdMiddleware:
    """Gives every request an id, which the `X-Request-ID` header returns.

    The id stays set after the response, because Django logs 4xx and 5xx responses later.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        renew_request_id()
        response = self.get_response(request)
        response.headers[HEADER] = request_id()
        return response
