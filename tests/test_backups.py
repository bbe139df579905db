"""`manage.py backup` and `restore`: a site's backup, created while it runs, verified, and restored."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.checks import WARNING
from django.core.management import call_command
from django.db import connection
from django.utils.timezone import now

from games.management import backups, checks, site_folder
from games.models import Game, Link, Role, Season, Table, Token
from games.tables.services import links, tokens
from tests.commands import command_error, run_command
from tests.databases import DefaultDatabase
from tests.factories import make_table, make_user, start


@pytest.fixture
def site_home(home):
    """The home of a site with one table."""
    (home / "secret-key").write_text("the secret of the thursdays, long enough\n")
    make_table(make_user())
    return home


@pytest.fixture(autouse=True)
def secret(settings):
    settings.SECRET_KEY = "the secret of the thursdays, long enough"


def create_backup(home: Path, *args: str) -> Path:
    call_command("backup", *args, stdout=StringIO())
    return max((home / "backups").glob("backup-*"))


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_backup_holds_the_database_and_the_secret_and_only_its_owner_reads_it(site_home):
    backup = create_backup(site_home)

    assert ["SHA256SUMS", "db.sqlite3", "secret-key"] == names_in(backup)
    assert 0o700 == backup.stat().st_mode & 0o777
    assert {0o600} == {(backup / name).stat().st_mode & 0o777 for name in ("db.sqlite3", "secret-key")}
    assert site_folder.last_backup_at()


def test_the_newest_backups_stay_and_nothing_else_of_the_folder_goes(site_home):
    (site_home / "backups").mkdir()
    (site_home / "backups" / "photos").mkdir()
    made = [create_backup(site_home, "--keep", "2").name for _evening in range(3)]

    assert [*made[1:], "photos"] == names_in(site_home / "backups")
    assert "--keep 1 is the least: the backup that is made now stays." == command_error(
        "backup", "--keep", "0"
    )


def test_a_site_goes_on_from_a_backup_in_an_empty_folder(site_home, settings, tmp_path):
    backup = create_backup(site_home)
    settings.DATA_DIR, settings.SECRET_KEY = tmp_path / "new", "made by the first start of the new one"
    settings.DATA_DIR.mkdir()
    (settings.DATA_DIR / "secret-key").write_text(settings.SECRET_KEY)
    with DefaultDatabase(settings.DATA_DIR / "db.sqlite3"):
        printed = run_command("restore", str(backup))

        assert f"Restored to {settings.DATA_DIR}/db.sqlite3." in printed
        assert ["Mesa de los jueves"] == [table.name for table in Table.objects.all()]
        assert site_folder.is_marked()
        assert (site_home / "secret-key").read_text() == (settings.DATA_DIR / "secret-key").read_text()
        assert "Everything adds up." in run_command("check_books")


def test_a_restored_site_has_no_links_or_tokens_that_somebody_may_have_got_meanwhile(site_home):
    table = Table.objects.get()
    owner = table.accesses.get().user
    links.create_personal(table, role=Role.SCORER, by=owner)
    links.get_or_create_tonight(table, by=owner)
    links.create_sign_in(owner)
    tokens.create(owner, "reloj")
    backup = create_backup(site_home)
    printed = run_command("restore", str(backup), "--overwrite")

    assert "Revoked: 3 links, 1 tokens." in printed
    assert (3, 0) == (Link.objects.count(), Link.objects.valid().count())
    assert (1, 0) == (Token.objects.count(), Token.objects.valid().count())
    assert [owner] == [access.user for access in Table.objects.get().accesses.valid()]


def test_a_database_that_is_there_is_kept_unless_told_and_then_set_aside(site_home):
    backup = create_backup(site_home)
    make_table(make_user("nora"), name="Mesa del club")
    connection.close()

    assert (
        f"There is a database at {site_home}/db.sqlite3: with --overwrite it is set aside first."
        == command_error("restore", str(backup))
    )
    assert 2 == Table.objects.count()

    call_command("restore", str(backup), "--overwrite", stdout=StringIO())
    assert 1 == Table.objects.count()
    (aside,) = (site_home / "copies").iterdir()
    with DefaultDatabase(aside):
        assert 2 == Table.objects.count()


def test_what_a_restore_replaced_is_told_and_deleted_after_a_week(site_home, time_machine):
    backup = create_backup(site_home)
    printed = StringIO()
    call_command("restore", str(backup), "--overwrite", stdout=printed)
    (aside,) = (site_home / "copies").iterdir()
    aside.with_name(f"{aside.name}-wal").write_bytes(b"its log")
    kept = site_home / "copies" / "before-migration-20200101-000000-000000.sqlite3"
    kept.write_bytes(b"a copy of another kind")

    assert f"What was there is now {aside}. `manage.py clean` deletes it after 7 days." in printed.getvalue()
    [told] = checks.check_replaced_databases()
    assert f"{aside} is the database that a restore replaced." == told.msg
    assert not told.is_serious(WARNING)  # so that the daily unit does not fail for a week
    restored_at = now()
    time_machine.move_to(restored_at + timedelta(days=6, hours=23))
    assert "copies" not in run_command("clean")
    assert aside.exists()
    time_machine.move_to(restored_at + timedelta(days=7, hours=1))
    assert "Deleted from copies/: 1 database that a restore replaced." in run_command("clean")
    assert [kept.name] == names_in(site_home / "copies")
    assert [] == checks.check_replaced_databases()


def test_a_copy_made_before_a_migration_is_restored_too(site_home):
    call_command("migrate", "sessions", "zero", verbosity=0, stdout=StringIO())
    (copy,) = (site_home / "copies").iterdir()

    call_command("restore", str(copy), "--overwrite", stdout=StringIO())

    assert "django_session" in connection.introspection.table_names()


def test_without_room_for_the_backup_the_database_stays_where_it_is(site_home, monkeypatch):
    backup = create_backup(site_home)
    make_table(make_user("nora"), name="Mesa del club")
    monkeypatch.setattr("games.management.site_folder.free_space", lambda folder: 0)

    assert "of room, and the disk of" in command_error("restore", str(backup), "--overwrite")
    assert 2 == Table.objects.count()
    assert not (site_home / "copies").exists()


def test_a_database_that_a_server_has_open_is_not_taken_from_under_it(site_home):
    backup = create_backup(site_home)
    connection.close()
    with closing(sqlite3.connect(site_home / "db.sqlite3")) as server:
        server.execute("SELECT count(*) FROM games_table").fetchone()
        message = command_error("restore", str(backup), "--overwrite")

    assert f"{site_home}/db.sqlite3 is in use: stop the server first." == message
    assert 1 == Table.objects.count()


def test_what_a_lost_database_left_is_not_played_into_the_restored_one(site_home):
    backup = create_backup(site_home)
    connection.close()
    (site_home / "db.sqlite3").unlink()
    (site_home / "db.sqlite3-wal").write_bytes(b"of another one")

    call_command("restore", str(backup), stdout=StringIO())

    assert 1 == Table.objects.count()
    assert [b"of another one"] == [path.read_bytes() for path in site_home.glob("copies/*-wal")]


def test_a_backup_that_is_not_as_it_was_is_refused_before_anything_is_touched(site_home):
    backup = create_backup(site_home)
    with (backup / "db.sqlite3").open("r+b") as file:
        file.seek(-1, 2)
        file.write(b"?")

    assert f"{backup}/db.sqlite3 is not as it was when the backup was made." == command_error(
        "restore", str(backup)
    )
    (backup / "SHA256SUMS").unlink()
    assert f"{backup} is no backup: it has no SHA256SUMS." == command_error("restore", str(backup))


def test_a_backup_without_sums_of_its_database_or_with_another_key_is_refused(site_home):
    backup = create_backup(site_home)
    key, sums = (backup / "secret-key").read_bytes(), (backup / "SHA256SUMS").read_bytes()
    (backup / "secret-key").write_text("x")
    for checksums, sentence in (
        (b"", f"{backup} is no backup: its SHA256SUMS names no database."),
        (b"\xff\xfe", f"{backup}/SHA256SUMS is no list of checksums."),
        (
            b"\n".join(line for line in sums.splitlines() if b"secret" not in line),
            f"{backup}/secret-key is no secret key that a backup has.",
        ),
    ):
        (backup / "SHA256SUMS").write_bytes(checksums)
        assert sentence == command_error("restore", str(backup))
    (backup / "secret-key").write_bytes(key)
    (backup / "SHA256SUMS").unlink()
    os.mkfifo(backup / "SHA256SUMS")
    assert f"{backup} is no backup: it has no SHA256SUMS." == command_error("restore", str(backup))


def test_a_pipe_is_no_backup_and_is_not_opened(site_home, tmp_path):
    os.mkfifo(tmp_path / "pipe")

    assert f"{tmp_path}/pipe is no file." == command_error("restore", f"{tmp_path}/pipe")


def test_what_is_no_sound_database_of_ours_is_refused(site_home, tmp_path):
    torn, other, newer = tmp_path / "torn", tmp_path / "other", tmp_path / "newer"
    shutil.copy(create_backup(site_home) / "db.sqlite3", newer)
    torn.write_bytes(newer.read_bytes()[: 4096 * 9])
    with closing(sqlite3.connect(other)) as database, database:
        database.execute("CREATE TABLE photos (name TEXT)")
    with closing(sqlite3.connect(newer)) as database, database:
        database.execute("UPDATE django_migrations SET name = '0001_another' WHERE app = 'games'")

    assert command_error("restore", str(torn)).startswith(f"{torn} is damaged: ")
    assert f"{other} is no database of this program." == command_error("restore", str(other))
    sentence = f"{newer} was made by a newer version: update the program."
    assert sentence == command_error("restore", str(newer))
    assert f"{tmp_path}/none cannot be opened: unable to open database file." == command_error(
        "restore", f"{tmp_path}/none"
    )


def test_a_backup_needs_twice_its_size_of_room_and_nothing_is_kept_without(site_home, monkeypatch):
    (copied,) = create_backup(site_home).glob("*.sqlite3")
    for room in (0, 2 * copied.stat().st_size - 1):
        monkeypatch.setattr("games.management.site_folder.free_space", lambda folder, room=room: room)
        assert "of room, and the disk of" in command_error("backup")

    assert [copied.parent.name] == names_in(site_home / "backups")


@pytest.mark.real_clock
def test_what_a_backup_left_that_was_cut_short_goes_a_day_later(site_home):
    young, old = (site_home / "backups" / f".backup-{name}.part" for name in ("young", "old"))
    for part in (young, old):
        part.mkdir(parents=True)
        (part / "db.sqlite3").touch()
    os.utime(old, (0, 0))

    backup = create_backup(site_home)

    assert [young.name, backup.name] == names_in(site_home / "backups")


# --- verified ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_verified_backup_was_restored_elsewhere_and_its_books_add_up(site_home):
    printed = run_command("backup", "--verify")

    assert "It was restored into a scratch place, where everything adds up." in printed
    assert [] == [name for name in names_in(site_home / "backups") if "backup-" not in name]
    assert site_folder.last_backup_at()


@pytest.mark.slow
def test_a_backup_that_does_not_verify_stays_and_so_do_the_older_ones(site_home):
    good = create_backup(site_home, "--keep", "1")
    noted_at = site_folder.last_backup_at()
    Season.objects.all().delete()  # without the program's knowledge
    message = command_error("backup", "--verify", "--keep", "1")

    (bad,) = set((site_home / "backups").glob("backup-*")) - {good}
    assert f"{bad} stays, but does not verify: `check_books` fails on it." in message
    assert "seasons: there should be one at least" in message
    assert noted_at == site_folder.last_backup_at()


@pytest.mark.django_db(transaction=True)
def test_on_postgresql_a_verification_gets_an_empty_database_though_a_killed_one_left_its_own():
    if connection.vendor == "sqlite":
        pytest.skip("the scratch place of SQLite is a folder")
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{connection.settings_dict["NAME"]}_verify"')
        with backups._scratch_database() as address:
            name = address.rpartition("/")[2]
            cursor.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [name])
            assert [(1,)] == cursor.fetchall()
        cursor.execute("SELECT count(*) FROM pg_database WHERE datname = %s", [name])
        assert [(0,)] == cursor.fetchall()


def test_a_damaged_database_makes_room_for_the_backup_and_is_kept_too(site_home):
    backup = create_backup(site_home)
    connection.close()
    (site_home / "db.sqlite3").write_bytes(b"torn" * 4096)

    assert "There is a database at" in command_error("restore", str(backup))
    call_command("restore", str(backup), "--overwrite", stdout=StringIO())

    assert 1 == Table.objects.count()
    assert [b"torn" * 4096] == [path.read_bytes() for path in (site_home / "copies").iterdir()]


def test_a_dump_is_loaded_into_a_new_database_whose_records_are_guarded(site_home, tmp_path):
    game = start(Table.objects.get(), User.objects.get(), stake=100)
    dump = tmp_path / "all.json"
    call_command("dumpdata", exclude=["contenttypes", "auth.permission"], output=str(dump))
    connection.close()
    (site_home / "db.sqlite3").unlink()
    (site_home / "database-made").unlink()

    call_command("migrate", verbosity=0)
    call_command("loaddata", dump, verbosity=0)

    assert game.log() == Game.objects.get(code=game.code).log()
    assert "Everything adds up." in run_command("check_books")
