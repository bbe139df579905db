"""Databases other than the test run's: SQLite files, and new ones on the PostgreSQL server in DATABASE_URL.

Also a database that refuses to be written, or whose lock another connection holds.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.db import OperationalError, connection, connections

from games.management import backups, site_folder
from scorekeeper.sqlite3.base import DatabaseWrapper

WRITE = re.compile("INSERT|UPDATE|DELETE|REPLACE|BEGIN IMMEDIATE")
LOCK_TABLES = (
    "LOCK TABLE games_table, games_access, games_device, games_token, django_session IN EXCLUSIVE MODE"
)
FULL = OperationalError("database or disk is full")
# The statements of a visit that fail: the first, or the last, when the rest has been written.
NOT_STORED = {"the first statement": "", "the last statement": 'UPDATE "games_table"'}
LONGEST_HOLD = 60  # seconds until a held lock is released, so that a test that waits for it fails and ends


class DefaultDatabase:
    """A context manager that points Django's default connection to this SQLite file."""

    def __init__(self, path: Path) -> None:
        self.sqlite = DatabaseWrapper(
            {
                **connections.settings["default"],
                "ENGINE": "scorekeeper.sqlite3",
                "NAME": str(path),
                "OPTIONS": {
                    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA foreign_keys=ON; "
                    "PRAGMA legacy_alter_table=ON"
                },
            },
            "default",
        )

    def __enter__(self) -> None:
        self.original = connections["default"]
        connections["default"] = self.sqlite

    def __exit__(self, *raised: object) -> None:
        self.sqlite.close()
        connections["default"] = self.original


@pytest.fixture
def home(db, settings, tmp_path):
    """Give the test a DATA_DIR with a migrated, empty database. Skip it on PostgreSQL."""
    if connection.vendor != "sqlite":
        pytest.skip("SQLite keeps its database in a file")
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir(mode=0o700)
    file = settings.DATA_DIR / "db.sqlite3"
    backups.copy_database(Path(connection.settings_dict["NAME"]), file)
    site_folder.write_marker()
    with DefaultDatabase(file):
        yield settings.DATA_DIR


@pytest.fixture(scope="session")
def new_database() -> Iterator[Callable[[], str]]:
    """`new_database()` returns the URL of a new PostgreSQL database, or "" without such a DATABASE_URL."""
    server = os.environ.get("DATABASE_URL", "")
    made: list[str] = []

    def make() -> str:
        if not server.startswith("postgres"):
            return ""
        made.append(f"own_{os.getpid()}_{len(made)}")
        _execute(server, f"CREATE DATABASE {made[-1]}")
        return urlsplit(server)._replace(path=f"/{made[-1]}").geturl()

    yield make
    for name in made:
        _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


def _execute(server: str, statement: str) -> None:
    import psycopg

    with closing(psycopg.connect(server, autocommit=True)) as database:
        database.execute(statement)


@contextmanager
def refuse_writes(fault: Exception, pattern: str = "") -> Iterator[None]:
    """Let each write of this connection that begins with `pattern` raise `fault` during the `with` block."""
    refused = re.compile(pattern) if pattern else WRITE

    def refuse(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if refused.match(sql):
            raise fault
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        yield


@contextmanager
def hold_lock() -> Iterator[None]:
    """Hold the lock of the test run's database during the `with` block, as another program would.

    On SQLite, a statement that waits for the lock waits longer than it is held. Fail if the block took longer
    than that.
    """
    held, is_over = Event(), Event()

    def hold() -> None:
        other = connection.copy()
        other.set_autocommit(False, force_begin_transaction_with_broken_autocommit=True)
        if other.vendor != "sqlite":
            other.cursor().execute(LOCK_TABLES)
        held.set()
        is_over.wait(LONGEST_HOLD)
        other.rollback()
        other.close()

    if connection.vendor == "sqlite":
        connection.cursor().execute(f"PRAGMA busy_timeout = {2000 * LONGEST_HOLD}")
    holder = Thread(target=hold)
    holder.start()
    try:
        assert held.wait(LONGEST_HOLD)
        yield
        assert holder.is_alive(), "waited for the lock"
    finally:
        is_over.set()
        holder.join()
        connection.close()  # the next one has its usual patience
