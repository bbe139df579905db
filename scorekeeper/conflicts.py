"""The middleware that answers 409 to exceptions that a view does not handle itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from games.locks import TableMoved
from games.scoring.errors import PlugInError
from games.views.common.faults import moved, unreadable_game


class ConflictMiddleware(MiddlewareMixin):
    """Answers requests for a table that moved to another site, and for a game without its plug-in.

    The plug-in is the package with the rules of the game: it is missing, fails, or has changed since the game
    began.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page that explains TableMoved or PlugInError; None for any other exception."""
        match exception:
            case TableMoved():
                return moved(request, exception)
            case PlugInError():
                return unreadable_game(request, exception)
            case _:
                return None
