"""The answer to an unhandled error: 503 for a full, locked or missing database, else the error page."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import override

from games.common.faults import AGAIN_AFTER, is_database_fault
from games.common.languages import reader_language


def broken(request: HttpRequest, *, number: str) -> HttpResponse:
    """Return the answer to an unhandled error; `number` identifies the error in the log.

    A phone treats 503 like a missing network: it keeps its unsent entries and retries.
    """
    passes = is_database_fault(sys.exc_info()[1])
    with override(reader_language(request)):  # the language may not be set yet
        # Rendered without the request, whose context processors would query the user from the database.
        page = render_to_string("503.html" if passes else "500.html", {"number": number})
    if passes:
        return HttpResponse(page, status=503, headers={"Retry-After": str(AGAIN_AFTER)})
    return HttpResponse(page, status=500)
