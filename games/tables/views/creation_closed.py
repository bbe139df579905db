"""A site that is closed: the page in place of those that open a table, with who opens tables and their address."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.tables import presenters


def requires_table_creation(
    view: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer with status 403 and this page, in place of the view, to a user who may not open a table here."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        closed = presenters.closed_message(request.user)
        return (
            render(request, "tables/closed.html", {"closed": closed}, status=403) if closed else view(request)
        )

    return guarded
