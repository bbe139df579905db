"""Metrics in the OpenMetrics format at `/metrics`, by prometheus_client, for an operator who has METRICS_TOKEN.

No label holds anything that a visitor chooses: a request has the name of its URL, its method and the class of its
status. Without the setting there is no such middleware (settings.py), and the address is a 404 like any other.

With PROMETHEUS_MULTIPROC_DIR, prometheus_client adds up what the processes of a server count, in files of that folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import cache as cache_results
from time import perf_counter

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.crypto import constant_time_compare
from prometheus_client import CollectorRegistry, Histogram, multiprocess
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from games.common import db_errors, poll_tickets
from games.models import Game, Table
from scorekeeper import logs

PATH = "/metrics"
METHODS = frozenset({"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"})
BUCKETS = (
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
)  # seconds; half a second is what a request may cost
COUNTED = "metrics-rows"  # in the cache
COUNTED_SECONDS = 60  # how long the numbers of rows are kept, because counting reads whole database tables
NO_URL, POLL = "none", "poll"  # in place of the name of a URL


class MetricsMiddleware:
    """Middleware that counts and times every request, and answers METRICS_TOKEN at `/metrics`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self._registry = CollectorRegistry()
        requests = Histogram(
            "anotador_request_seconds",
            "Time until the response to a request was ready",
            ["url", "method", "status"],
            buckets=BUCKETS,
            registry=self._registry,
        )
        self._series = cache_results(requests.labels)  # which would lock and look up by text
        self._registry.register(RowCollector())

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info == PATH and request.method == "GET" and _has_token(request):
            return self._exposition()
        began = perf_counter()
        response = self.get_response(request)
        method = request.method if request.method in METHODS else "other"
        status = f"{response.status_code // 100}xx"
        self._series(_url_name(request), method, status).observe(perf_counter() - began)
        return response

    def _exposition(self) -> HttpResponse:
        registry = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # by the library
            registry.register(RowCollector())
        return HttpResponse(
            generate_latest(registry),  # type: ignore[no-untyped-call]  # the same
            content_type=CONTENT_TYPE_LATEST,
            headers={"Cache-Control": "no-store"},
        )


class RowCollector(Collector):
    """A collector of the release, and of the numbers of tables and games; without these while the database fails."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("anotador_release", "The running program", value={"release": settings.RELEASE})
        rows = _count_rows()
        if rows is not None:
            tables, games = rows
            yield GaugeMetricFamily("anotador_tables", "Tables that are not erased", value=tables)
            yield GaugeMetricFamily("anotador_games", "Games at these tables", value=games)


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


def _count_rows() -> tuple[int, int] | None:
    """Return the numbers of tables and games, from the cache for a minute; None if they cannot be counted."""
    try:
        counted: tuple[int, int] | None = cache.get(COUNTED)
        if counted is None:
            tables = Table.objects.filter(erased_at=None)
            counted = tables.count(), Game.objects.filter(table__in=tables).count()
            cache.set(COUNTED, counted, COUNTED_SECONDS)
    except (DatabaseError, InterfaceError):
        return None
    except Exception as fault:
        if not db_errors.is_database_failure(fault):
            raise
        return None
    return counted
