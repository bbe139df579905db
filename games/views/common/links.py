"""Answers of pages behind a link that somebody was sent."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from games.people.tries import Tries
from games.views.common.recording import TOO_MANY


def too_many(request: HttpRequest, tries: Tries) -> HttpResponse:
    """Return the page for a client that exceeded this rate limit."""
    return render(request, "games/parts/too_many.html", {"minutes": tries.minutes}, status=TOO_MANY)


def not_indexed(response: HttpResponse) -> HttpResponse:
    """Return the response with a header that keeps search engines away."""
    response["X-Robots-Tag"] = "noindex"
    return response
