"""The middleware that answers 409 where a view shows no refusal of its own: here, on a phone and in a folder."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from games.locks import TableMoved
from games.scoring.errors import PlugInError
from games.views.common.faults import moved, unreadable_game


class ConflictMiddleware(MiddlewareMixin):
    """Answers for a table that has moved, and for a game of a package that is missing here or has changed."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page that says why nothing was done; None for another exception."""
        match exception:
            case TableMoved():
                return moved(request, exception)
            case PlugInError():
                return unreadable_game(request, exception)
            case _:
                return None
