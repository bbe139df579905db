"""Links that people send: their QR codes, and answers of the pages behind them."""

from __future__ import annotations

import segno
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from games.common.limits import Limit
from games.common.network import reachable_host
from games.common.sent import TOO_MANY

WRONG = Limit("link", most=20, window=15 * 60)  # unknown links, per address


def too_many(request: HttpRequest, limit: Limit) -> HttpResponse:
    """Return the page for a client that exceeded the rate limit `limit`."""
    return render(request, "parts/too_many.html", {"minutes": limit.minutes}, status=TOO_MANY)


def qr_code(link: str) -> str:
    """Return the QR code of this link as SVG; "" without a link."""
    return segno.make(link, micro=False).svg_inline(omitsize=True, border=3, light="#fff") if link else ""


def link_of(token: str, request: HttpRequest) -> str:
    """Return the link to a table with this token, with a host that other phones can reach."""
    host = reachable_host(request.get_host(), settings.ALLOWED_HOSTS)
    return f"{request.scheme}://{host}{reverse('invitation', args=[token])}"


def not_indexed(response: HttpResponse) -> HttpResponse:
    """Return the response with a header that keeps search engines away."""
    response["X-Robots-Tag"] = "noindex"
    return response
