"""The middleware that answers 409 for a change of a table that has moved."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from games.locks import TableMoved
from games.views.common.faults import moved


class MovedMiddleware:
    """Answers views that show no refusal of their own, here, on a phone and in a folder."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer a change that was refused because the table has moved."""
        return moved(request, exception) if isinstance(exception, TableMoved) else None
