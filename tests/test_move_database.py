"""The marker stores what kind of database has the data, and `move_database` moves the data to another one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import connection

from games.management import site_folder
from tests.commands import command_error
from tests.server_processes import Site

POSTGRESQL_URL = {"ENGINE": "django.db.backends.postgresql", "USER": "anot", "HOST": "db.example.org"}
LOST = "This site's data is in PostgreSQL (anot on db.example.org), and DATABASE_URL is not set."


@pytest.mark.parametrize("args", [("serve", "--port", "47302"), ("migrate",), ("check_books",)], ids=" ".join)
def test_a_site_whose_data_is_in_postgresql_is_not_served_from_the_old_file(home, args, monkeypatch):
    monkeypatch.delenv("DATABASE_URL", raising=False)
    site_folder.write_marker(POSTGRESQL_URL)

    assert LOST == command_error(*args)
    assert LOST in command_error("check")


def test_a_marker_of_an_earlier_version_is_completed_and_keeps_its_words(home):
    site_folder.marker_file().write_text("A database was made.\n")
    site_folder.write_marker()

    assert "sqlite\nA database was made.\n" == site_folder.marker_file().read_text()


def test_nothing_is_moved_under_a_server_or_onto_a_file(home):
    target = home / "other.sqlite3"
    with site_folder.lock_marker(exclusive=False):
        assert "A server runs on this folder: stop it first." == command_error(
            "move_database", f"sqlite:///{target}"
        )
    target.write_text("taken")
    assert f"There is a file at {target}: move it away, or name another." == command_error(
        "move_database", f"sqlite:///{target}"
    )
    assert "sqlite" == site_folder.marker_file().read_text().partition("\n")[0]
    assert connection.vendor == "sqlite"


def test_a_site_whose_marker_is_missing_gets_one_before_its_data_is_moved(home):
    site_folder.marker_file().unlink()
    target = home / "other.sqlite3"
    target.write_text("taken")

    assert command_error("move_database", f"sqlite:///{target}").startswith(f"There is a file at {target}")
    assert site_folder.is_marked()


@pytest.mark.long
def test_every_row_moves_to_the_other_database_and_the_site_plays_on_there(
    prepared_site, new_database, tmp_path
):
    site = Site(tmp_path / "data", prepared_site / "static", new_database())
    site.folder.mkdir(mode=0o700)
    site.start()
    (phone,) = site.create_phones(1)
    assert 302 == phone.record()[0]
    site.stop()
    keys = site.count_keys()

    for url in filter(None, (f"sqlite:///{tmp_path / 'other.sqlite3'}", new_database())):
        result = site.manage("move_database", url)
        assert 0 == result.returncode, result.stderr
        assert result.stdout.endswith(f"From now on set: DATABASE_URL={url}\n")
        site.database = url
        assert keys == site.count_keys()

    site.start()
    assert 302 == phone.record()[0]
    assert "Everything adds up." in site.manage("check_books").stdout
    site.stop()


def test_an_unreadable_database_is_one_line_even_where_django_asks_it(tmp_path):
    (tmp_path / "db.sqlite3").write_bytes(b"no database at all" * 1000)
    ended = subprocess.run(
        [sys.executable, "manage.py", "check", "--database", "default"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATA_DIR": str(tmp_path), "DATABASE_URL": ""},
        text=True,
        capture_output=True,
    )

    assert (1, 0) == (ended.returncode, ended.stderr.count("Traceback"))
    assert "file is not a database" in ended.stderr
