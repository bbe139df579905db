"""A pytest plugin that copies a migrated database instead of migrating an empty one: `-p tests.seeded.database`.

Migrating is half of the time that a few tests take. The first run leaves its database as the file `SEEDED_DATABASE`;
delete the file after a change of models, guards or migrations.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from shutil import copyfile

import pytest
from django.conf import settings
from django.db.backends.base.creation import BaseDatabaseCreation

TEMPLATE = Path(os.environ["SEEDED_DATABASE"])


def _copy(source: Path, target: Path) -> None:
    """Write the content of a database, including its write-ahead log, into a new file."""
    part = target.with_suffix(".part")
    with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(part)) as copy:
        database.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")
    part.replace(target)


@pytest.fixture(scope="session", autouse=True)
def migrated_database():
    migrate = BaseDatabaseCreation.create_test_db

    def copy_or_migrate(creation, *arguments, **options):
        from games.management.marker import mark

        if not TEMPLATE.exists():
            name = migrate(creation, *arguments, **options)
            _copy(Path(name), TEMPLATE)
            return name
        connection = creation.connection
        name = creation._get_test_db_name()
        copyfile(TEMPLATE, name)
        connection.close()
        settings.DATABASES[connection.alias]["NAME"] = connection.settings_dict["NAME"] = name
        mark()
        connection.ensure_connection()
        return name

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseCreation, "create_test_db", copy_or_migrate)
        yield
