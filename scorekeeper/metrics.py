"""Metrics in the OpenMetrics format at `/metrics`, for an operator who has METRICS_TOKEN.

No label holds anything that a visitor chooses: a request has the name of its URL, its method and the class of its
status. Without the setting there is no such middleware (settings.py), and the address is a 404 like any other.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.crypto import constant_time_compare

from games.common import poll_tickets
from scorekeeper import logs

PATH = "/metrics"
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
NO_URL, POLL = "none", "poll"  # in place of the name of a URL


class MetricsMiddleware:
    """Middleware that counts and times every request, and answers METRICS_TOKEN at `/metrics`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        # Only now: prometheus_client looks for PROMETHEUS_MULTIPROC_DIR when it is imported, and system checks
        # import all middleware before `serve --workers` sets that.
        from scorekeeper import metric_series

        self.get_response = get_response
        self._series = metric_series.MetricSeries()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info == PATH and request.method == "GET" and _has_token(request):
            text, content_type = self._series.exposition()
            return HttpResponse(text, content_type=content_type, headers={"Cache-Control": "no-store"})
        began = perf_counter()
        response = self.get_response(request)
        method = request.method if request.method in METHODS else "other"
        status = f"{response.status_code // 100}xx"
        self._series.request(_url_name(request), method, status).observe(perf_counter() - began)
        return response


def _has_token(request: HttpRequest) -> bool:
    scheme, _blank, token = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower() == "bearer" and constant_time_compare(token.strip(), settings.METRICS_TOKEN)


def _url_name(request: HttpRequest) -> str:
    """Return the name of the request's URL, or what middleware answered before there was one."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name or NO_URL
    if poll_tickets.HEADER in request.headers:
        return POLL
    unrouted = logs.UNROUTED.match(request.path_info)
    return unrouted[1].strip("/") if unrouted else NO_URL
