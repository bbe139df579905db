"""Databases other than the test run's: SQLite files, and new ones on the PostgreSQL server in DATABASE_URL."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection, connections

from games.management import backups, site_folder
from scorekeeper.sqlite3.base import DatabaseWrapper


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
