"""The database and the table's file in `tests/data/`, which version 1.0 wrote: every later version reads them.

`tests/kept.py` wrote them, and says how. A change that breaks this test breaks the sites and files of 1.0.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client

from games.common import snapshot
from games.files.audit import check_table
from games.files.reading import read_table
from games.files.restoring import restore_table
from games.models import Table
from tests.commands import output_of
from tests.kept import DATABASE, FILE
from tests.worlds import a_key, make_user

GAMES = 16


def test_a_later_version_migrates_a_database_of_1_0_whose_books_add_up(home, monkeypatch):
    monkeypatch.setattr(snapshot, "MIGRATIONS", snapshot.MIGRATIONS | {"0002_of_a_later_version"})
    connection.close()
    file = home / "db.sqlite3"
    file.unlink()
    with closing(sqlite3.connect(file)) as database:
        database.executescript(DATABASE.read_text(encoding="utf-8"))

    call_command("migrate", verbosity=0)

    assert f"{GAMES} games replayed" in output_of("check_books")
    assert "Everything adds up." in output_of("check_books")
    phone, table = Client(), Table.objects.get()
    phone.force_login(User.objects.get(username="olga"))
    pages = ["/", *(f"/t/{table.code}/{page}/" for page in ("accounts", "people"))]
    assert [200] * 3 == [phone.get(page, follow=True).status_code for page in pages]
    assert {200} == {
        phone.get(f"/g/{game.code}/").status_code for game in table.games.filter(discarded_at=None)
    }


def test_a_tables_file_of_1_0_is_imported_and_its_books_add_up(db):
    table = restore_table(read_table(FILE.read_bytes()), key=a_key(), by=make_user())

    assert GAMES == table.games.count()
    assert [] == list(check_table(table).differences)
