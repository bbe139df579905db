"""`pytest --clock`: run the tests on another day, to find those that compare a fixed date with today."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--clock",
        metavar="DAY",
        help="run on another day: +230 or +230T01:30 (days from now) or 2028-02-29T12:00, in UTC; the clock runs on",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Shift the clock of this process. Programs and browsers that a test starts keep the real one."""
    if given := config.getoption("--clock"):
        clock = time_machine.travel(_parse_moment(given), tick=True)
        clock.start()
        config.add_cleanup(clock.stop)
        connection_created.connect(_shift_sqlite)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip tests that compare the clock with another program's, such as PostgreSQL's, or the file system's."""
    if not config.getoption("--clock"):
        return
    is_sqlite = settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")
    for item in items:
        if item.get_closest_marker("real_clock") or (
            item.get_closest_marker("database_clock") and not is_sqlite
        ):
            item.add_marker(pytest.mark.skip(reason="needs the real clock"))


@pytest.fixture
def in_2026(time_machine):
    """Set the clock to 25 November 2026. Pages show days of the current year without the year."""
    time_machine.move_to("2026-11-25T15:00Z")


def _shift_sqlite(connection: BaseDatabaseWrapper, **_signal: object) -> None:
    """Give SQLite the shifted time: the triggers in `games/common/triggers.py` ask the database for it."""
    real = sqlite3.connect(":memory:", check_same_thread=False)

    def strftime(form: str, moment: str, *changes: str) -> str:
        args = [form, datetime.now(UTC).isoformat() if moment.lower() == "now" else moment, *changes]
        text: str = real.execute(f"SELECT strftime({', '.join('?' * len(args))})", args).fetchone()[0]
        return text

    if connection.vendor == "sqlite":
        connection.connection.create_function("strftime", -1, strftime)


def _parse_moment(given: str) -> datetime:
    try:
        if given.startswith("+"):
            days, _separator, time = given.partition("T")
            then = datetime.now(UTC) + timedelta(days=int(days))
            given = f"{then.date()}T{time or then.time()}"
        return datetime.fromisoformat(given).replace(tzinfo=UTC)
    except ValueError as wrong:
        raise pytest.UsageError(f"--clock {given}: give +DAYS, +DAYSTHH:MM or YYYY-MM-DDTHH:MM") from wrong
