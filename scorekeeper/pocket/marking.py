"""The middleware that marks the pages of games and tables with changes that were not yet sent to the site."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from games.pocket.unsent import marks

MARK = '<small class="onlyhere">• {}</small></h1>'


class MarkingMiddleware:
    """Marks the heading of a page as "only on this phone", if its game or table has unsent changes."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html") and _is_only_here(request):
            mark = MARK.format(gettext("only on this phone")).encode()
            response.content = response.content.replace(b"</h1>", mark, 1)
        return response


def _is_only_here(request: HttpRequest) -> bool:
    known = request.resolver_match.kwargs if request.resolver_match else {}
    marked = marks(known.get("code", ""))
    return known.get("code") in marked.games or known.get("table_code") in marked.tables
