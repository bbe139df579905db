"""The middleware that answers 409 for a game of a package that is missing here or has changed."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from games.scoring.errors import PlugInError
from games.views.common.faults import unreadable_game


class PlugInMiddleware:
    """Answers views that raise PlugInError, here and on a phone, which has no games of other packages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer a request for a game that cannot be replayed."""
        return unreadable_game(request, exception) if isinstance(exception, PlugInError) else None
