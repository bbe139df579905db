"""The series of the metrics, kept by prometheus_client, and their text in the OpenMetrics format.

With PROMETHEUS_MULTIPROC_DIR, prometheus_client adds up what the processes of a server count, in files of that folder.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache as cache_results

from django.conf import settings
from django.core.cache import cache
from prometheus_client import CollectorRegistry, Histogram, multiprocess
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from games.common import db_errors
from games.models import Game, Table

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


class MetricSeries:
    """The series of this process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        requests = Histogram(
            "anotador_request_seconds",
            "Time until the response to a request was ready",
            ["url", "method", "status"],
            buckets=BUCKETS,
            registry=self._registry,
        )
        self.request = cache_results(requests.labels)  # which would lock and look up by text
        self._registry.register(RowCollector())

    def exposition(self) -> tuple[bytes, str]:
        """Return the text with the metrics of this process, or of all that share a folder; and its content type."""
        registry = self._registry
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)
            registry.register(RowCollector())
        text: bytes = generate_latest(registry)
        return text, CONTENT_TYPE_LATEST


class RowCollector(Collector):
    """A collector of the release, and of the numbers of tables and games; without these while the database fails."""

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("anotador_release", "The running program", value={"release": settings.RELEASE})
        rows = _count_rows()
        if rows is not None:
            tables, games = rows
            yield GaugeMetricFamily("anotador_tables", "Tables that are not erased", value=tables)
            yield GaugeMetricFamily("anotador_games", "Games at these tables", value=games)


def _count_rows() -> tuple[int, int] | None:
    """Return the numbers of tables and games, from the cache for a minute; None if they cannot be counted."""
    try:
        counted: tuple[int, int] | None = cache.get(COUNTED)
        if counted is None:
            tables = Table.objects.filter(erased_at=None)
            counted = tables.count(), Game.objects.filter(table__in=tables).count()
            cache.set(COUNTED, counted, COUNTED_SECONDS)
    except Exception as fault:
        if not db_errors.is_database_failure(fault):
            raise
        return None
    return counted
