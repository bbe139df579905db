"""The middleware that answers 409 to exceptions that a view does not handle itself."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from games.scoring.errors import PlugInError
from games.views.common.faults import unreadable_game


class ConflictMiddleware(MiddlewareMixin):
    """Answers requests for a game without its plug-in.

    The plug-in is the package with the rules of the game: it is missing, fails, or has changed since the game
    began.
    """

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page that explains PlugInError; None for any other exception."""
        return unreadable_game(request, exception) if isinstance(exception, PlugInError) else None
