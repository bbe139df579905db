"""The gauges of `/metrics`: the size of the database, the age of the last backup, tables and rounds."""

from __future__ import annotations

import math
from collections.abc import Iterator
from threading import Lock
from time import monotonic

from django.db import DatabaseError, InterfaceError, connection
from django.utils.timezone import now
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from games.last_backup import last_backup_at
from games.management.place import sqlite_file
from games.models import Record, Table
from games.scoring.events import RoundPlayed
from games.scoring.text.codec import KINDS

HOLDS = 60  # seconds for which a process caches its counts, because counting rounds reads every record
ROUND = KINDS[RoundPlayed]


class SiteCollector(Collector):
    """A collector of gauges, which are equal in every process.

    If the database fails, the gauges that are read from it are left out.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: tuple[int, int] | None = None
        self._until = 0.0

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges: seconds since the last backup, bytes of the database, tables and rounds."""
        yield _gauge("last_backup_age_seconds", "Seconds since the last backup; +Inf without one.", _age())
        try:
            tables, rounds = self._counted()
            size = database_size()
        except (DatabaseError, InterfaceError, OSError):
            return
        yield _gauge("database_bytes", "Size of the database.", size)
        yield _gauge("tables", "Tables, without erased ones.", tables)
        yield _gauge("rounds", "Rounds recorded, with those undone later.", rounds)

    def _counted(self) -> tuple[int, int]:
        with self._lock:
            if self._counts is None or monotonic() >= self._until:
                self._counts = count_tables_and_rounds()
                self._until = monotonic() + HOLDS
            return self._counts


def count_tables_and_rounds() -> tuple[int, int]:
    """Return the number of tables, without erased ones, and of rounds, including those undone later."""
    return Table.objects.filter(erased_at=None).count(), Record.objects.filter(kind=ROUND).count()


def database_size() -> int:
    """Return the size of the database in bytes, on SQLite with its WAL file."""
    file = sqlite_file()
    if file:
        wal = file.with_name(f"{file.name}-wal")
        return file.stat().st_size + (wal.stat().st_size if wal.exists() else 0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        (size,) = cursor.fetchone()
    return int(size)


def _age() -> float:
    made_at = last_backup_at()
    return math.inf if made_at is None else (now() - made_at).total_seconds()


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"anotador_{name}", text, value=value)
