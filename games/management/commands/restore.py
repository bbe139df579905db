"""`manage.py restore`: restores a site from a backup, or from a copy that was made before a migration.

All links and tokens of the restored site are revoked.
"""

from __future__ import annotations

import sqlite3
from argparse import ArgumentParser
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils.timezone import now

from games.common import program, schema_version
from games.management import backups, schema, site_folder
from games.models import Link, Token
from games.tables.services import erasure

SUFFIXES = ("", "-wal", "-shm", "-journal")  # of a SQLite database's files
IN_USE = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class Command(BaseCommand):
    help = "Restore a backup into an empty DATA_DIR or database; stop the server first."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "backup", type=Path, help="a folder that `backup` made, or a copy made before a migration"
        )
        parser.add_argument(
            "--overwrite", action="store_true", help="move the present SQLite database to copies/ first"
        )

    def handle(self, *, backup: Path, overwrite: bool, **options: object) -> None:
        try:
            self._restore(backup, overwrite=overwrite)
        except OSError as error:
            raise CommandError(
                f"{error.filename or backup} cannot be read or written: {error.strerror}."
            ) from error

    def _restore(self, backup: Path, *, overwrite: bool) -> None:
        is_folder = backup.is_dir()
        if is_folder:
            backups.check_checksums(backup)
        site_folder.create_folder()
        site_folder.store_secret()
        file = site_folder.sqlite_file()
        aside = None
        if file:
            source = backup / backups.SQLITE if is_folder else backup
            _check_source(source)
            aside = _replace_database(source, file, overwrite=overwrite)
        else:
            self._fill_postgresql(backup)
        if is_folder:
            backups.restore_secret(backup)
        site_folder.write_marker()
        if aside:
            self.stdout.write(
                f"What was there is now {aside}. `{program.NAME} clean` deletes it after {backups.REPLACED_KEPT.days} days."
            )
        self._revoke_access()
        self.stdout.write(
            f"Restored to {site_folder.database_label()}. `{program.NAME} serve` goes on from there."
        )

    def _revoke_access(self) -> None:
        """Migrate, revoke all links and tokens, and say that everything ended after the backup is back."""
        if sentence := schema.newer_database_message():
            raise CommandError(sentence)
        call_command("migrate", interactive=False, verbosity=0)  # the backup may be of an older version
        links, tokens = Link.objects.valid(), Token.objects.valid()
        counts = links.count(), tokens.count()
        links.revoke()
        tokens.revoke()
        self.stdout.write(f"Revoked: {counts[0]} links, {counts[1]} tokens.")
        self.stdout.write("What people erased, deleted or ended after the backup is back: end it again.")
        erasure.purge()

    def _fill_postgresql(self, backup: Path) -> None:
        dump = backup / backups.POSTGRESQL
        if not dump.exists():
            raise CommandError(f"{backup} holds nothing for PostgreSQL.")
        if site_folder.database_exists():
            raise CommandError(
                f"The database {site_folder.database_label()} is not empty: make another with `createdb`, and name that in DATABASE_URL."
            )
        connection.close()
        backups.restore_dump(dump)


def _replace_database(source: Path, file: Path, *, overwrite: bool) -> Path | None:
    """Copy the database `source` to `file`. Return the new path of the database that was there, or None.

    Raise CommandError if there is a database at `file` and `overwrite` is False. With `overwrite`, move it to
    the folder `copies/`, but only once the copy of `source` is complete.
    """
    if _database_exists() and not overwrite:
        raise CommandError(f"There is a database at {file}: with --overwrite it is set aside first.")
    connection.close()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial_file = file.with_name(f".{file.name}.restored-{now().strftime(backups.STAMP)}.part")
    backups.copy_database(source, partial_file)
    try:
        aside = _set_aside(file)
        partial_file.rename(file)
        backups.sync_to_disk(file.parent)
    finally:
        partial_file.unlink(missing_ok=True)
    return aside


def _database_exists() -> bool:
    try:
        return site_folder.database_exists()
    except DatabaseError:
        return True  # a damaged database must not be overwritten either


def _set_aside(file: Path) -> Path | None:
    """Move this database and its write-ahead log (WAL) to the folder `copies/`.

    Return the new path; None without a database. A WAL left in place would be applied to the restored
    database, which gets the same name.
    """
    if file.exists():
        _check_not_in_use(file)
    there = [path for end in SUFFIXES if (path := file.with_name(file.name + end)).exists()]
    if not there:
        return None
    folder = file.parent / "copies"
    folder.mkdir(mode=0o700, exist_ok=True)
    aside = folder / f"{backups.REPLACED}{now().strftime(backups.STAMP)}.sqlite3"
    for path in there:
        path.rename(folder / path.name.replace(file.name, aside.name, 1))
    return aside


def _check_source(source: Path) -> None:
    """Raise CommandError if the database `source` is damaged, another program's, or from a newer version."""
    if source.exists() and not source.is_file():
        raise CommandError(f"{source} is no file.")
    with backups.open_database(source, "ro") as database:
        backups.check_integrity(database, source)
        try:
            names = {
                name
                for (name,) in database.execute(
                    "SELECT name FROM django_migrations WHERE app = ?", [schema.APP_LABEL]
                )
            }
        except sqlite3.OperationalError:
            names = set()
    if not names:
        raise CommandError(f"{source} is no database of this program.")
    if schema_version.is_foreign_database(names):
        raise CommandError(f"{source} was made by a newer version: update the program.")


def _check_not_in_use(file: Path) -> None:
    """Merge the WAL into the database file. Raise CommandError if a server has the database open."""
    with backups.open_database(file, "rw") as database:
        database.execute("PRAGMA busy_timeout = 1000")
        try:
            database.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.DatabaseError as error:
            # Ignore other errors: a damaged database may be the reason for restoring.
            if error.sqlite_errorcode in IN_USE:
                raise CommandError(f"{file} is in use: stop the server first.") from error
