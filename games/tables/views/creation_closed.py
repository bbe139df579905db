"""The page in place of those that create a table, on a site where the user may not: it says who can."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.tables.presenters import site_info


def requires_table_creation(
    view: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer with this page and status 403, in place of the view, if the user may not create a table."""

    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponse:
        closed = site_info.closed_message(request.user)
        return (
            render(request, "tables/closed.html", {"closed": closed}, status=403) if closed else view(request)
        )

    return guarded
