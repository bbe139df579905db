"""`manage.py doctor`: a sentence for each problem of an installation, all at once, and an exit code."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from games.last_backup import NAME as LAST
from games.last_backup import note_backup
from games.management import collected, complaints
from games.management.marker import marker
from tests.commands import output_and_error_of


@pytest.fixture
def sound(home, settings, tmp_path):
    """Set up a site without problems."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.SECRET_KEY = "s" * 50
    (home / "secret-key").write_text(settings.SECRET_KEY)
    (home / "secret-key").chmod(0o600)
    collected.note_collected()
    (tmp_path / "disk").mkdir()
    note_backup()
    return home


def report() -> list[str]:
    """Return the lines that the command prints."""
    return output_and_error_of("doctor")[0].splitlines()


def test_with_a_sound_site_nothing_is_wrong(sound):
    assert [
        "Nothing is wrong with settings, folders, secret, room, database, backups, texts, files. "
        "What games and accounts say is proved by `manage.py check_books`."
    ] == report()


def test_all_that_is_wrong_is_said_at_once(sound, settings, monkeypatch):
    settings.DEBUG, settings.ALLOWED_HOSTS, settings.SECRET_KEY = True, ["*"], "t" * 50
    sound.chmod(0o755)
    monkeypatch.setattr(complaints, "room", lambda folder: 5_000_000)
    settings.LOCALE_PATHS = [sound]
    marker().unlink()
    collected.begin_collecting()
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER games_record_no_update")
    looked_for = [
        "DEBUG is on",
        "ALLOWED_HOSTS lets any name through",
        f"run `chmod go= {sound}`.",
        f"SECRET_KEY is set and {sound}/secret-key holds another secret",
        f"The disk of {sound} has 5.0 MB left",
        "database-made is missing",
        "The database lets records be changed: games_record_no_update is gone.",
        *(f"/{name}/LC_MESSAGES/django.mo cannot be read" for name in ("es_AR", "es", "es_ES", "es_CL")),
        "are missing or older than the program's",
    ]

    lines = report()

    assert looked_for == [part for part in looked_for for line in lines if part in line]
    assert len(looked_for) == len(lines)
    with pytest.raises(CommandError, match=f"{len(lines)} wrong"):
        call_command("doctor", stdout=StringIO())


def test_a_lost_an_older_and_a_damaged_database_are_named_and_hide_nothing(sound):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'sessions'")
    assert [
        "The database is of an older version: run `manage.py migrate`, which `serve` does too."
    ] == report()

    connection.close()
    (sound / "db.sqlite3").write_bytes(b"no database at all" * 1000)
    assert [f"{sound}/db.sqlite3 cannot be asked: file is not a database."] == report()

    connection.close()
    (sound / "db.sqlite3").unlink()
    assert [f"There is no database at {sound}/db.sqlite3"] == [line.partition(",")[0] for line in report()]


def test_over_https_what_django_asks_for_is_asked_too(sound, settings, monkeypatch):
    # A browser test that ran before in this process sets DJANGO_ALLOW_ASYNC_UNSAFE, which Django warns of.
    monkeypatch.setattr(complaints, "NOT_OURS", complaints.NOT_OURS | {"async.E001"})
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 60
    assert report()[0].startswith("Nothing is wrong")

    settings.CSRF_COOKIE_SECURE = False
    assert ["(security.W016)"] == [line.rpartition(" ")[2] for line in report()]


def test_a_last_backup_older_than_backup_every_is_named(sound, settings, tmp_path, time_machine):
    settings.BACKUP_EVERY = timedelta(hours=36)
    time_machine.move_to("2026-11-20 03:00:00+00:00", tick=False)
    note_backup()
    time_machine.move_to("2026-11-21 15:00:00+00:00", tick=False)
    assert report()[0].startswith("Nothing is wrong")

    time_machine.move_to("2026-11-21 15:00:01+00:00", tick=False)
    sentence = "The last backup is of 2026-11-20 03:00 UTC, which is longer ago than BACKUP_EVERY: run `manage.py backup`."
    assert [sentence] == report()

    settings.BACKUP_EVERY = timedelta()
    assert report()[0].startswith("Nothing is wrong")


def test_a_site_without_any_backup_is_named_and_one_that_is_not_begun_is_not(sound):
    (sound / LAST).unlink()
    assert ["There is no backup yet"] == [line.partition(":")[0] for line in report()]

    connection.close()
    (sound / "db.sqlite3").unlink()
    assert ["There is no database at"] == [line[:23] for line in report()]
