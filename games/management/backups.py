"""Backups like django-dbbackup's, but with checksums and the secret key, and verified by restoring them.

A backup is a folder with everything that is needed to restore a site. A SQLite database is copied while
others write to it.

A backup includes the secret key. Without the key, sessions are invalid, and guests could not sign in again
because they have no password.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.backends.postgresql.client import DatabaseClient
from django.utils.timezone import now

from games.common import program
from games.management import site_folder

SQLITE, POSTGRESQL, CHECKSUMS = "db.sqlite3", "db.pgdump", "SHA256SUMS"
SECRET = settings.SECRET_NAME
BACKUP_NAME = re.compile(r"backup-\d{8}-\d{6}-\d{6}")


def create(folder: Path, *, keep: int, verified: bool = False) -> Path:
    """Make a backup in `folder` and return its path. Delete all but the newest `keep` backups.

    The backup gets its name only once it is complete and written to disk. With `verified`, a backup that
    fails `verify` stays, but is not recorded as the last backup, no older backup is deleted, and CommandError
    is raised.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    delete_unfinished(folder)
    backup = folder / f"backup-{now().strftime(STAMP)}"
    part = folder / f".{backup.name}.part"
    part.mkdir(mode=0o700)
    try:
        file = site_folder.sqlite_file()
        if file:
            copy_database(file, part / SQLITE)
        else:
            _dump(part / POSTGRESQL)
        if uses_secret_file():
            _copy(site_folder.secret_file(), part / SECRET)
        _write_checksums(part)
        part.rename(backup)
        sync_to_disk(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    if verified:
        verify(backup)
    for old in list_outdated(keep, [path for path in folder.iterdir() if BACKUP_NAME.fullmatch(path.name)]):
        shutil.rmtree(old)
    site_folder.record_backup()
    return backup


def check_checksums(backup: Path) -> None:
    """Raise CommandError if a file of the backup, or its list of checksums, is missing or does not match.

    The list must include the database. Only regular files are opened.
    """
    sums = backup / CHECKSUMS
    if not sums.is_file():
        raise CommandError(f"{backup} is no backup: it has no {CHECKSUMS}.")
    try:
        named = dict(line.split("  ", 1)[::-1] for line in sums.read_text(encoding="ascii").splitlines())
    except ValueError:
        raise CommandError(f"{sums} is no list of checksums.") from None
    if not named.keys() & {SQLITE, POSTGRESQL}:
        raise CommandError(f"{backup} is no backup: its {CHECKSUMS} names no database.")
    for name, was in named.items():
        file = backup / name
        if not file.is_file() or _checksum(file) != was:
            raise CommandError(f"{file} is not as it was when the backup was made.")
    if (backup / SECRET).exists() and (
        SECRET not in named or len(_read_secret(backup)) < settings.SHORTEST_SECRET
    ):
        raise CommandError(f"{backup / SECRET} is no secret key that a backup has.")


def _read_secret(backup: Path) -> str:
    return (backup / SECRET).read_text(encoding="ascii", errors="replace").strip()


def uses_secret_file() -> bool:
    """Return whether the site uses the secret key in its file, and not one set by SECRET_KEY."""
    file = site_folder.secret_file()
    return file.exists() and file.read_text(encoding="ascii").strip() == settings.SECRET_KEY


def restore_secret(backup: Path) -> None:
    """Restore the secret key if the backup has one and this site keeps its key in a file."""
    if (backup / SECRET).exists() and uses_secret_file():
        file = site_folder.secret_file()
        part = file.with_name(f".{SECRET}.part")
        part.unlink(missing_ok=True)
        _copy(backup / SECRET, part)
        part.replace(file)
        sync_to_disk(file.parent)


def restore_dump(dump: Path) -> None:
    """Load the dump into the empty PostgreSQL database, in one transaction."""
    _run("pg_restore", "--no-owner", "--single-transaction", "--exit-on-error", str(dump))


def _dump(target: Path) -> None:
    """Dump the PostgreSQL database in a single consistent snapshot."""
    target.touch(mode=0o600)
    _run("pg_dump", "--format=custom", "--no-owner", f"--file={target}")
    sync_to_disk(target)


def _run(program: str, *arguments: str) -> None:
    """Run a client program of PostgreSQL with the connection settings of the database.

    Raise CommandError with the program's error message or, if the program is missing, with advice.
    """
    named = connection.settings_dict
    _psql, client_env = DatabaseClient.settings_to_cmd_args_env(named, [])
    address = {
        "--host": named["HOST"],
        "--port": named["PORT"],
        "--username": named["USER"],
        "--dbname": named["NAME"],
    }
    where = [f"{word}={value}" for word, value in address.items() if value]
    try:
        ended = subprocess.run(
            [program, "--no-password", *where, *arguments],
            env={**os.environ, **(client_env or {})},
            capture_output=True,
            text=True,
        )
    except FileNotFoundError as error:
        raise CommandError(
            f"{program} is not on this computer: install PostgreSQL's client programs, or let the database's own server "
            "look after its backups, and keep the file secret-key of DATA_DIR with them."
        ) from error
    if ended.returncode:
        raise CommandError(f"{program} says: {ended.stderr.strip()}")


def _copy(source: Path, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(source.read_bytes())
    sync_to_disk(target)


def _write_checksums(backup: Path) -> None:
    lines = [f"{_checksum(file)}  {file.name}\n" for file in sorted(backup.iterdir())]
    (backup / CHECKSUMS).write_text("".join(lines), encoding="ascii")  # in the format of sha256sum
    sync_to_disk(backup / CHECKSUMS)
    sync_to_disk(backup)


def _checksum(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def verify(backup: Path) -> None:
    """Raise CommandError if the backup cannot be restored, or if the restored books do not add up.

    Both commands run in processes with other settings, so that they cannot change the site.
    """
    # The folder is on the disk of the backups, because /tmp may be small. `delete_unfinished` deletes one that a
    # killed process left.
    scratch = tempfile.TemporaryDirectory(prefix=".verify-", suffix=".part", dir=backup.parent)
    with scratch as folder, _scratch_database() as database:
        place = {"DATA_DIR": folder, "DATABASE_URL": database}
        for command in (("restore", str(backup.absolute())), ("check_books",)):
            ended = subprocess.run(
                program.command(*command),
                env={**os.environ, **place},
                capture_output=True,
                text=True,
            )
            if ended.returncode:
                lines = [line for line in f"{ended.stdout}\n{ended.stderr}".splitlines() if line]
                raise CommandError(
                    "\n".join([f"{backup} stays, but does not verify: `{command[0]}` fails on it.", *lines])
                )


@contextmanager
def _scratch_database() -> Iterator[str]:
    """Yield the DATABASE_URL of an empty scratch database; "" for SQLite, which uses the scratch folder.

    Its name is the database's name with a suffix, so the next verification drops one left by a killed
    process.
    """
    if site_folder.sqlite_file():
        yield ""
        return
    name = f"{connection.settings_dict['NAME']}_verify"
    quoted = connection.ops.quote_name(name)
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS {quoted}")
            cursor.execute(f"CREATE DATABASE {quoted}")
    except DatabaseError as error:
        raise CommandError(
            f"The scratch database could not be made ({' '.join(str(error).split())}): the user of DATABASE_URL needs the "
            "right CREATEDB."
        ) from error
    try:
        yield urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{quote(name)}").geturl()
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {quoted}")


STAMP = "%Y%m%d-%H%M%S-%f"  # UTC with microseconds, so that the names of copies sort by time and never repeat
DAY = 24 * 60 * 60  # seconds
REPLACED = "replaced-"  # begins the name of a database that `restore` replaced, in copies/
REPLACED_KEPT = timedelta(days=7)  # as long as what an operator erased can be brought back
SPACE_FACTOR = 2  # times the copy's size that must be free, because a full disk would stop the site


def copy_database(source: Path, target: Path) -> None:
    """Copy the database `source` to the new file `target`.

    The new file gets its name only once it is complete and written to disk. Raise CommandError if the disk
    has too little space or the source is damaged.
    """
    part = target.with_name(f".{target.name}.part")
    with open_database(source, "ro") as database:
        delete_unfinished(target.parent)
        check_free_space(target.parent, database_size(database))
        os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))  # private: it holds sessions
        try:
            with open_database(part, "rw") as copy:
                # Copy in one step: a copy in several steps starts again whenever another process writes.
                database.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # a single file without a WAL
                check_integrity(copy, source)
            sync_to_disk(part)
            part.replace(target)
            sync_to_disk(target.parent)
        finally:
            part.unlink(missing_ok=True)


def list_replaced() -> list[tuple[Path, datetime]]:
    """Return each database that `restore` replaced, and when `clean` deletes it; the oldest first."""
    file = site_folder.sqlite_file()
    replaced = sorted(file.parent.glob(f"copies/{REPLACED}*.sqlite3")) if file else []
    return [
        (path, datetime.strptime(path.stem.removeprefix(REPLACED), STAMP).replace(tzinfo=UTC) + REPLACED_KEPT)
        for path in replaced
    ]


def delete_replaced() -> int:
    """Delete the databases that `restore` replaced a week ago, with their logs, and return their number."""
    due = [path for path, ends_at in list_replaced() if ends_at <= now()]
    for path in due:
        for part in path.parent.glob(f"{path.name}*"):
            part.unlink()
    return len(due)


def delete_unfinished(folder: Path) -> None:
    """Delete interrupted copies that are more than a day old. A younger one may still be in progress."""
    for part in folder.glob(".*.part"):
        if time.time() - part.stat().st_mtime > DAY:
            shutil.rmtree(part) if part.is_dir() else part.unlink()


def check_free_space(folder: Path, size: int) -> None:
    """Raise CommandError if a copy of `size` bytes would leave less than `size` bytes free on the disk."""
    free_bytes = site_folder.free_space(folder)
    if free_bytes < SPACE_FACTOR * size:
        raise CommandError(
            f"A copy needs {site_folder.format_size(SPACE_FACTOR * size)} of room, and the disk of {folder} has {site_folder.format_size(free_bytes)} left."
        )


def check_integrity(database: sqlite3.Connection, named: Path) -> None:
    """Raise CommandError if the file is not a database or fails the integrity checks.

    `named` is the path that the error shows.
    """
    try:
        problems = [line for (line,) in database.execute("PRAGMA integrity_check(3)")]
        problems += [
            f"{row[0]} refers to no {row[2]}" for row in database.execute("PRAGMA foreign_key_check")
        ]
    except sqlite3.DatabaseError as error:
        problems = [str(error)]
    if problems != ["ok"]:
        raise CommandError(f"{named} is damaged: {'; '.join(line for line in problems[:3] if line != 'ok')}.")


def database_size(database: sqlite3.Connection) -> int:
    """Return the size of the database in bytes, including its write-ahead log (WAL)."""
    try:
        (pages,), (size,) = (
            database.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
        )
    except sqlite3.DatabaseError:
        return 0  # the database is damaged: `check_integrity` reports it
    return int(pages) * int(size)


@contextmanager
def open_database(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open the existing database in `file`. `mode` is SQLite's URI parameter: "ro" or "rw".

    Raise CommandError if it cannot be opened.
    """
    address = f"file:{quote(str(file.absolute()))}?mode={mode}"
    try:
        database = sqlite3.connect(address, uri=True, timeout=20, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise CommandError(f"{file} cannot be opened: {error}.") from error
    with closing(database):
        yield database


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or the list of names in a folder, is written to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def list_outdated(keep: int, paths: list[Path]) -> list[Path]:
    """Return the paths for the caller to delete: all but the newest `keep`. Their names sort by time."""
    return sorted(paths)[: max(len(paths) - keep, 0)]
