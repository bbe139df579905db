"""Writes `tests/data/`, a database and a table's file of this version, into which later versions must be able to look.

    DATA_DIR=$(mktemp -d) .venv/bin/python -m tests.kept

Run it once for a version, in an empty folder; what an earlier version wrote is never written again.
"""

from __future__ import annotations

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path

DATA = Path(__file__).parent / "data"
DATABASE, FILE = DATA / "1.0.sql", DATA / "1.0.json"


def write() -> None:
    """Fill a new database with one table that has rows of every kind, and write both files."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from games.files.writing import write_table
    from games.management.place import sqlite_file
    from games.tables.links import show_tonight
    from tests.full_tables import FullTable, fill

    call_command("migrate", verbosity=0)
    owner = User.objects.create_user("olga")
    table = fill(FullTable(random.Random(1), owner))
    show_tonight(table, by=owner)
    FILE.write_text(write_table(table), encoding="utf-8")
    file = sqlite_file()
    assert file is not None
    with closing(sqlite3.connect(file)) as database:
        DATABASE.write_text("\n".join([*database.iterdump(), ""]), encoding="utf-8")


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
    django.setup()
    write()
