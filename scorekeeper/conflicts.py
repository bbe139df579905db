"""The middleware that answers 409 to exceptions that a view does not handle itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from games.locks import TableMoved
from games.scoring.errors import PlugInError
from games.views.common.faults import moved, unreadable_game


class ConflictMiddleware(MiddlewareMixin):
    """Answers requests for a table that has moved, and for a game whose package is missing or has changed."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page that says why nothing was done; None for any other exception."""
        match exception:
            case TableMoved():
                return moved(request, exception)
            case PlugInError():
                return unreadable_game(request, exception)
            case _:
                return None
