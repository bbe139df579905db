"""Django's error handlers for the app in a folder without a site. The app has no API there."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from games.common import faults as pages
from games.tables.access import BeingErased
from games.tables.pages.table_settings import being_erased


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an unknown URL with status 404.

    For a URL of an erased table, the answer is a page on which to restore the table.
    """
    if isinstance(exception, BeingErased):
        return being_erased(request, exception)
    return defaults.page_not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer an uncaught exception with status 500, or 503 if the database or the disk failed.

    The page shows no request id, because there is no log in which to find it.
    """
    return pages.broken(request, number="")
