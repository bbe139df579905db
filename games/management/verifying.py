"""Verify a backup: restore it into a scratch folder and database, and run `check_books` there."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import quote, urlsplit

from django.conf import settings
from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.backends.utils import CursorWrapper
from django.utils.timezone import now

from games.management.copies import STAMP
from games.management.place import sqlite_file

SCRATCH = "anotador_verify_"  # the names of scratch databases on PostgreSQL begin with this


def verify(backup: Path) -> None:
    """Raise CommandError if the backup cannot be restored, or if the restored books do not add up.

    Both commands run in processes with other settings, so that they cannot change the site.
    """
    with _scratch_folder(backup.parent) as folder, _scratch_database() as database:
        place = {"DATA_DIR": str(folder), "DATABASE_URL": database}
        for command in (("restore", str(backup.absolute())), ("check_books",)):
            ended = subprocess.run(
                [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), *command],
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
def _scratch_folder(beside: Path) -> Iterator[Path]:
    """Yield a new folder for a scratch site, and delete it at the end.

    It is on the disk of the backups, because `/tmp` may be small. A folder that a killed process left is
    deleted by a backup a day later (`drop_unfinished`).
    """
    with tempfile.TemporaryDirectory(prefix=".verify-", suffix=".part", dir=beside) as folder:
        yield Path(folder)


@contextmanager
def _scratch_database() -> Iterator[str]:
    """Yield the DATABASE_URL of an empty scratch database; "" for SQLite, which uses the scratch folder.

    A database that a killed process left is dropped by the first verification a day later.
    """
    if sqlite_file():
        yield ""
        return
    name = _scratch_name(now())
    try:
        with connection.cursor() as cursor:
            _drop_left_behind(cursor)
            cursor.execute(f"CREATE DATABASE {name}")
    except DatabaseError as error:
        raise CommandError(
            f"The scratch database could not be made ({' '.join(str(error).split())}): the user of DATABASE_URL needs the "
            "right CREATEDB."
        ) from error
    try:
        yield urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{quote(name)}").geturl()
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE {name}")


def _scratch_name(at: datetime) -> str:
    """Return the name of a scratch database made at this moment. The names sort by time."""
    return f"{SCRATCH}{at.strftime(STAMP).replace('-', '_')}"


def _drop_left_behind(cursor: CursorWrapper) -> None:
    """Drop the unused scratch databases of this site's database user that are older than a day."""
    cursor.execute(
        'SELECT datname FROM pg_database WHERE starts_with(datname, %s) AND datname < %s COLLATE "C" '
        "AND pg_get_userbyid(datdba) = current_user",
        [SCRATCH, _scratch_name(now() - timedelta(days=1))],
    )
    for (name,) in cursor.fetchall():
        with suppress(DatabaseError):
            cursor.execute(f'DROP DATABASE "{name}"')
