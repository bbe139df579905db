"""The answer to an unhandled error: 503 while the database is full, locked or gone, else the error page."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request, override

from games.faults import AGAIN_AFTER, is_database_fault


def broken(request: HttpRequest, *, number: str) -> HttpResponse:
    """Return the answer to an unhandled error, with the number under which the log describes it.

    A phone takes 503 as if there were no network: it keeps its entries, and tries again.
    """
    passes = is_database_fault(sys.exc_info()[1])
    with override(get_language_from_request(request)):  # what broke may have stood before whoever sets it
        # without the request, which would ask the database who this is
        page = render_to_string("503.html" if passes else "500.html", {"number": number})
    if passes:
        return HttpResponse(page, status=503, headers={"Retry-After": str(AGAIN_AFTER)})
    return HttpResponse(page, status=500)
