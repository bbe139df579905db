"""The counters and histograms of requests and queries, counted by the Prometheus client library.

A poll is a request by which an open page asks for news. A valid ticket lets it be answered before the session
is read and a view is found (`games/tickets.py`).
"""

from __future__ import annotations

import logging
import os
from functools import cache
from http import HTTPStatus
from pathlib import Path

from django.http import HttpRequest
from prometheus_client import CollectorRegistry, Counter, Histogram, disable_created_metrics, values
from prometheus_client.multiprocess import MultiProcessCollector

from games.management.slots import FOLDER, take_slot

NONE = "none"  # the label for requests without a view: unknown addresses, static files, health checks
OTHER = "other"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
LIVE = "live-"  # the beginning of the names of views that are polled
BY_TICKET = "unchanged, by ticket"
POLL_ANSWERS: dict[int, str] = {HTTPStatus.NO_CONTENT: "unchanged", HTTPStatus.OK: "news"}

log = logging.getLogger(__name__)


def _share(folder: str) -> object:
    """Let this process count in files in `folder`, which all processes read.

    Return the open lock file that reserves a slot (a set of files) for this process until it is closed.
    Return None if `folder` is "" or its files cannot be written: then the process counts in memory.
    """
    if not folder:
        return None
    try:
        slot, lock = take_slot(Path(folder))
    except OSError as error:
        log.warning("/metrics lacks what this process counts, since %s cannot be written: %s", folder, error)
        values.ValueClass = values.MutexValue
        return None
    values.ValueClass = values.MultiProcessValue(lambda: slot)
    return lock


disable_created_metrics()  # `_created` samples exist only without shared files, so the page would differ
# Called before the first metric is created, because a metric stores its value in a file. Never closed.
SLOT_LOCK = _share(os.environ.get(FOLDER, ""))
REGISTRY = CollectorRegistry()  # the metrics of this process, used if it shares no files

REQUESTS = Counter(
    "anotador_requests",
    "Requests by view, method and status.",
    ("view", "method", "status"),
    registry=REGISTRY,
)
DURATIONS = Histogram(
    "anotador_request_seconds",
    "Seconds that Django took to answer.",
    ("view",),
    buckets=(0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5),
    registry=REGISTRY,
)
POLLS = Counter("anotador_polls", "Polls of live pages by answer.", ("answer",), registry=REGISTRY)
THROTTLED = Counter("anotador_throttled_requests", "Requests over a rate limit.", registry=REGISTRY)
LOCK_WAITS = Histogram(
    "anotador_write_lock_wait_seconds",
    "Seconds that a transaction waited for its write lock.",
    buckets=(0.001, 0.01, 0.1, 0.5, 1, 5, 20),
    registry=REGISTRY,
)
SLOW_QUERIES = Counter("anotador_slow_queries", "Queries over 0.25 s.", registry=REGISTRY)


def counts() -> CollectorRegistry:
    """Return a registry with the metrics of all processes, or of this one if it shares no files."""
    if SLOT_LOCK is None:
        return REGISTRY
    registry = CollectorRegistry()
    MultiProcessCollector(registry, os.environ[FOLDER])
    return registry


def view_of(request: HttpRequest, status: int) -> str:
    """Return the name of the view that answered a request; "none" if it reached no view.

    Status 204 without a view means that a poll was answered by its ticket. Then return the view to which the
    path leads: a client cannot invent such a path, because the ticket's signature covers it.
    """
    if request.resolver_match:
        return request.resolver_match.view_name
    return f"{LIVE}{request.path.split('/')[3]}" if status == HTTPStatus.NO_CONTENT else NONE


def count_request(view: str, method: str, status: int) -> None:
    """Count a request. All methods outside `METHODS` share one label, because clients can invent methods."""
    _requests(view, method if method in METHODS else OTHER, status).inc()
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        THROTTLED.inc()


def count_response(request: HttpRequest, view: str, status: int, seconds: float) -> None:
    """Count a request that Django answered, with its duration in seconds.

    For a poll, also count the answer: news, unchanged, or unchanged as found by its ticket alone.
    """
    count_request(view, str(request.method), status)
    _durations(view).observe(seconds)
    if view.startswith(LIVE):
        _polls(POLL_ANSWERS.get(status, OTHER) if request.resolver_match else BY_TICKET).inc()


@cache
def _requests(view: str, method: str, status: int) -> Counter:
    return REQUESTS.labels(view, method, status)


@cache
def _durations(view: str) -> Histogram:
    return DURATIONS.labels(view)


@cache
def _polls(answer: str) -> Counter:
    return POLLS.labels(answer)


def count_query(sql: str, seconds: float, *, is_slow: bool) -> None:
    """Count a query if it is slow. If it takes a write lock, also record the time that it waited.

    On SQLite a transaction takes the write lock at its beginning, on PostgreSQL by locking rows.
    """
    if sql.startswith("BEGIN") or sql.endswith("FOR NO KEY UPDATE"):
        LOCK_WAITS.observe(seconds)
    if is_slow:
        SLOW_QUERIES.inc()
