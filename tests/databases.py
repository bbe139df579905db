"""Helpers for tests that use another SQLite file than the database of the test run."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import connection, connections

from games.management.backups import copy_database
from games.management.place import mark
from scorekeeper.sqlite3.base import DatabaseWrapper


class At:
    """A context manager that points Django's default connection to this SQLite file."""

    def __init__(self, path: Path) -> None:
        self.mine = DatabaseWrapper(
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
        self.theirs = connections["default"]
        connections["default"] = self.mine

    def __exit__(self, *raised: object) -> None:
        self.mine.close()
        connections["default"] = self.theirs


@pytest.fixture
def home(db, settings, tmp_path):
    """A site's own DATA_DIR with a migrated, empty database, used by everything in the test."""
    if connection.vendor != "sqlite":
        pytest.skip("SQLite keeps its database in a file")
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir(mode=0o700)
    file = settings.DATA_DIR / "db.sqlite3"
    copy_database(Path(connection.settings_dict["NAME"]), file)
    mark()
    with At(file):
        yield settings.DATA_DIR
