"""Django's error handlers. They return a page or, for URLs under `/api/`, problem details (RFC 9457)."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from games.common import faults as pages
from games.common.faults import is_database_fault
from games.tables.access import BeingErased
from games.tables.pages.table_settings import being_erased
from scorekeeper.logs import request_id

API = "/api/"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a malformed request with status 400."""
    if request.path.startswith(API):
        return _problem(request, 400)
    return defaults.bad_request(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an unknown URL with status 404; an owner of an erased table gets a page to restore it."""
    if isinstance(exception, BeingErased):
        return being_erased(request, exception)
    return defaults.page_not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer an uncaught exception with status 500, or 503 if database, disk or shared cache failed."""
    if request.path.startswith(API):
        return _problem(request, 503 if is_database_fault(sys.exc_info()[1]) else 500)
    return pages.broken(request, number=request_id())


def _problem(request: HttpRequest, status: int) -> HttpResponse:
    from games.common.api.problems import answer_beside  # a folder without a site has no API

    return answer_beside(request, status)
