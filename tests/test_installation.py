"""A site with a problem refuses to start and gives the reason. It never replaces a lost database."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client

from games.common import db_errors
from games.management import site_folder
from tests.commands import command_error
from tests.factories import make_user
from tests.reader import read_page

BASE = Path(__file__).parents[1]


def failure_message(*args: str) -> str:
    return command_error(*args, skip_checks=False)


def delete_database(home: Path) -> None:
    connection.close()
    (home / "db.sqlite3").unlink()


def test_a_lost_database_is_looked_for_and_none_is_begun_in_its_place(subtests, home):
    delete_database(home)
    sentence = (
        f"There is no database at {home}/db.sqlite3, and {home}/database-made says that there was one: set DATA_DIR or "
        "DATABASE_URL right, bring a backup back with `manage.py restore`, or delete that file to begin anew."
    )

    for command in ("migrate", "demo", "check_books", "clean", "backup"):
        with subtests.test(command):
            assert sentence == failure_message(command)
            assert ["database-made"] == sorted(path.name for path in home.iterdir())


def test_opening_what_is_lost_makes_no_empty_one_in_its_place(home):
    delete_database(home)

    with pytest.raises(OperationalError) as gone:
        connection.cursor()

    assert db_errors.is_database_failure(gone.value)  # so players get 503
    assert not (home / "db.sqlite3").exists()


def test_the_database_of_another_snapshot_is_refused_and_stays_as_it_is(subtests, home):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE django_migrations SET name = '0001_another' WHERE app = 'games'")

    sentence = f"{home}/db.sqlite3 was made by a newer version: update the program."
    for args in (("migrate",), ("serve", "--port", "47300"), ("demo",), ("check_books",), ("clean",)):
        with subtests.test(args[0]):
            assert sentence == failure_message(*args)
    assert [] == list(home.glob("copies/*"))


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder that nobody can write, not even root")
def test_a_folder_that_cannot_be_written_is_named_before_anything_begins(home, settings):
    settings.DATA_DIR = Path("/proc")

    assert ["The folder /proc cannot be written: No such file or directory."] == site_folder.write_problems()
    assert site_folder.write_problems()[0] == failure_message("migrate")


def test_a_missing_folder_of_the_database_is_named_before_anything_begins(home, monkeypatch, settings):
    file = home / "missing" / "db.sqlite3"
    monkeypatch.setattr(site_folder, "sqlite_file", lambda: file)

    assert [f"The folder {file.parent} cannot be written: No such file or directory."] == (
        site_folder.write_problems()
    )
    settings.DATA_DIR = home / "new"
    monkeypatch.setattr(site_folder, "sqlite_file", lambda: home / "new" / "db.sqlite3")
    assert [] == site_folder.write_problems()


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="a folder that nobody can write, not even root")
def test_settings_that_make_no_sense_are_one_sentence_too():
    ended = subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=BASE,
        env={**os.environ, "DATA_DIR": "/proc/cards"},
        text=True,
        capture_output=True,
    )

    message = (
        f"DATA_DIR is '/proc/cards', which user {os.getuid()} cannot write (No such file or directory): "
        "a folder of this user's own is allowed.\n"
    )
    assert (1, message) == (ended.returncode, ended.stderr)


@pytest.mark.parametrize(
    "args", [("check_books",), ("demo",), ("backup",), ("import_table", "table.json", "--owner", "ana")]
)
def test_what_needs_a_database_names_the_one_that_it_looked_for(home, args):
    delete_database(home)
    site_folder.marker_file().unlink()

    sentence = (
        f"There is no database at {home}/db.sqlite3, where the settings say that it is (by the environment alone). If this "
        f"site has one elsewhere, set DATA_DIR or DATABASE_URL in {BASE}/.env; `manage.py serve` begins a new site."
    )
    assert sentence == failure_message(*args)
    assert [] == list(home.iterdir())


def test_what_needs_a_database_names_the_file_of_settings_that_is_read(home, settings):
    delete_database(home)
    site_folder.marker_file().unlink()
    settings.SETTINGS_FILE = Path("/etc/cards/site.env")

    sentence = failure_message("tables")
    assert "(by /etc/cards/site.env and the environment)" in sentence
    assert "set DATA_DIR or DATABASE_URL in /etc/cards/site.env;" in sentence


def test_an_error_page_renders_before_static_files_were_ever_collected(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path / "never-collected"
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "scorekeeper.static_storage.ManifestStorage"},
    }
    answer = Client(raise_request_exception=False, headers={"accept-language": "en"}).get("/login/")

    assert 500 == answer.status_code
    assert "An error on our side" == read_page(answer).only("h1").text


def test_before_a_migration_the_database_is_copied_and_two_copies_are_kept(home):
    make_user("ana")
    for target in ("zero", "0001", "zero"):
        call_command("migrate", "sessions", target, verbosity=0)

    copies = sorted((home / "copies").iterdir())
    assert 2 == len(copies)
    assert [0, 1] == [count_tables("django_session", copy) for copy in copies]
    assert all(0o600 == copy.stat().st_mode & 0o777 for copy in copies)


def count_tables(name: str, copy: Path) -> int:
    with closing(sqlite3.connect(copy)) as database:
        assert [("ana",)] == database.execute("SELECT username FROM auth_user").fetchall()
        return len(database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", [name]).fetchall())


def test_a_database_put_back_under_a_running_site_is_the_one_it_reads_from_then_on(home):
    make_user("ana")
    connection.close()
    shutil.copy(home / "db.sqlite3", home / "earlier")
    make_user("beto")
    assert 2 == User.objects.count()

    (home / "earlier").replace(home / "db.sqlite3")
    for journal in home.glob("db.sqlite3-*"):
        journal.unlink()
    connection.close_if_unusable_or_obsolete()  # as every request does
    connection.close_if_health_check_failed()

    assert 1 == User.objects.count()


def test_what_was_written_last_into_a_lost_database_is_a_sign_of_it_too(home):
    delete_database(home)
    site_folder.marker_file().unlink()
    (home / "db.sqlite3-wal").write_bytes(b"rounds")

    assert "db.sqlite3-wal says that there was one" in failure_message("migrate")


def test_a_damaged_database_is_one_sentence_too(subtests, home):
    connection.close()
    (home / "db.sqlite3").write_bytes(b"torn" * 4096)

    for command in ("migrate", "check_books", "clean"):
        with subtests.test(command):
            assert f"{home}/db.sqlite3 cannot be asked: file is not a database." == failure_message(command)


def test_without_room_for_the_copy_nothing_is_migrated(home, monkeypatch):
    monkeypatch.setattr("games.management.site_folder.free_space", lambda folder: 100_000)

    assert f"the disk of {home}/copies has 0.1 MB left." in failure_message("migrate", "sessions", "zero")
    assert 0 == Session.objects.count()  # its table exists
    assert [] == list((home / "copies").iterdir())
