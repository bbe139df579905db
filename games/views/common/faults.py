"""What is answered where something broke: 503 while the database is full, locked or gone, else the page for faults."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.defaults import server_error

from games.faults import AGAIN_AFTER, is_database_fault


def broken(request: HttpRequest) -> HttpResponse:
    """The answer to an error nobody caught. A phone takes 503 as if there were no network: it keeps, and tries again."""
    if not is_database_fault(sys.exc_info()[1]):
        return server_error(request)
    page = render_to_string("503.html")  # without the request, which would ask the database who this is
    return HttpResponse(page, status=503, headers={"Retry-After": str(AGAIN_AFTER)})
