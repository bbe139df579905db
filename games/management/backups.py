"""Backups: folders with everything that is needed to restore a site, and with checksums of the files.

A backup includes the secret key. Without the key, sessions are invalid, and guests could not sign in again
because they have no password.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient
from django.utils.timezone import now

from games.common.last_backup import note_backup
from games.management.copies import STAMP, copy_database, drop_all_but, drop_unfinished, sync_to_disk
from games.management.place import sqlite_file

SQLITE, POSTGRESQL, SECRET, SUMS = "db.sqlite3", "db.pgdump", "secret-key", "SHA256SUMS"
NAMED = re.compile(r"backup-\d{8}-\d{6}-\d{6}")


def make_backup(folder: Path, *, kept: int, check: Callable[[Path], None] | None = None) -> Path:
    """Make a backup in `folder` and return the backup's path. Delete all but the newest `kept` backups.

    The backup gets its name only once it is complete and written to the disk. Then `check` is called with its
    path. If `check` raises an exception, the backup stays, but is not recorded as the last backup, and no
    older backup is deleted.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    drop_unfinished(folder)
    backup = folder / f"backup-{now().strftime(STAMP)}"
    part = folder / f".{backup.name}.part"
    part.mkdir(mode=0o700)
    try:
        file = sqlite_file()
        if file:
            copy_database(file, part / SQLITE)
        else:
            _dump(part / POSTGRESQL)
        if secret_is_kept():
            _copy(secret_file(), part / SECRET)
        _sum_up(part)
        part.rename(backup)
        sync_to_disk(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    if check:
        check(backup)
    for old in drop_all_but(kept, [path for path in folder.iterdir() if NAMED.fullmatch(path.name)]):
        shutil.rmtree(old)
    note_backup()
    return backup


def refuse_a_changed(backup: Path) -> None:
    """Raise CommandError if a file of the backup, or its list of checksums, is missing or does not match."""
    sums = backup / SUMS
    if not sums.exists():
        raise CommandError(f"{backup} is no backup: it has no {SUMS}.")
    for line in sums.read_text(encoding="ascii").splitlines():
        was, _blank, name = line.partition("  ")
        file = backup / name
        if not file.is_file() or _sum(file) != was:
            raise CommandError(f"{file} is not as it was when the backup was made.")


def secret_file() -> Path:
    """Return the file that holds the secret key if the variable SECRET_KEY does not set it."""
    return Path(settings.DATA_DIR) / SECRET


def secret_is_kept() -> bool:
    """Return whether the site uses the secret key in `secret_file()`, and not one set by SECRET_KEY."""
    file = secret_file()
    return file.exists() and file.read_text(encoding="ascii").strip() == settings.SECRET_KEY


def restore_secret(backup: Path) -> None:
    """Restore the secret key if the backup has one and this site keeps its key in `secret_file()`."""
    if (backup / SECRET).exists() and secret_is_kept():
        part = secret_file().with_name(f".{SECRET}.part")
        part.unlink(missing_ok=True)
        _copy(backup / SECRET, part)
        part.replace(secret_file())
        sync_to_disk(secret_file().parent)


def restore_dump(dump: Path) -> None:
    """Load the dump into the empty PostgreSQL database, in one transaction."""
    _run("pg_restore", "--no-owner", "--single-transaction", "--exit-on-error", str(dump))


def _dump(target: Path) -> None:
    """Dump the PostgreSQL database in a single consistent snapshot."""
    target.touch(mode=0o600)
    _run("pg_dump", "--format=custom", "--no-owner", f"--file={target}")
    sync_to_disk(target)


def _run(program: str, *words: str) -> None:
    """Run a client program of PostgreSQL with the connection settings of the database.

    Raise CommandError with the program's error message or, if the program is missing, with advice.
    """
    named = connection.settings_dict
    _psql, settings_of = DatabaseClient.settings_to_cmd_args_env(named, [])
    address = {
        "--host": named["HOST"],
        "--port": named["PORT"],
        "--username": named["USER"],
        "--dbname": named["NAME"],
    }
    where = [f"{word}={value}" for word, value in address.items() if value]
    try:
        ended = subprocess.run(
            [program, "--no-password", *where, *words],
            env={**os.environ, **(settings_of or {})},
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


def _sum_up(backup: Path) -> None:
    lines = [f"{_sum(file)}  {file.name}\n" for file in sorted(backup.iterdir())]
    (backup / SUMS).write_text("".join(lines), encoding="ascii")  # in the format of sha256sum
    sync_to_disk(backup / SUMS)
    sync_to_disk(backup)


def _sum(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
