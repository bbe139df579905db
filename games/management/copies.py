"""Copy a SQLite database while other processes write to it, and check that a copy is intact."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from django.core.management.base import CommandError

from games.management.place import in_megabytes, room

STAMP = "%Y%m%d-%H%M%S-%f"  # UTC with microseconds: the names of copies sort by time and do not repeat
DAY = 24 * 60 * 60  # seconds
SPARE = 2  # times the copy's size must be free before copying, because a full disk would stop the site


def copy_database(source: Path, target: Path) -> None:
    """Copy the database `source` to the new file `target`.

    The new file gets its name only once it is complete and written to the disk. Raise CommandError if the
    disk has too little space or the source is damaged.
    """
    part = target.with_name(f".{target.name}.part")
    with open_database(source, "ro") as database:
        drop_unfinished(target.parent)
        refuse_a_full_disk(target.parent, size_of(database))
        os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))  # private: it holds sessions
        try:
            with open_database(part, "rw") as copy:
                # Copy in one step: a copy page by page starts again whenever another process writes.
                database.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # a single file without a WAL
                refuse_a_damaged(copy, source)
            sync_to_disk(part)
            part.replace(target)
            sync_to_disk(target.parent)
        finally:
            part.unlink(missing_ok=True)


def drop_unfinished(folder: Path) -> None:
    """Delete interrupted copies that are more than a day old. A younger one may still be in progress."""
    for part in folder.glob(".*.part"):
        if time.time() - part.stat().st_mtime > DAY:
            shutil.rmtree(part) if part.is_dir() else part.unlink()


def refuse_a_full_disk(folder: Path, size: int) -> None:
    """Raise CommandError if a copy of `size` bytes would leave less than `size` bytes free on the disk."""
    left = room(folder)
    if left < SPARE * size:
        raise CommandError(
            f"A copy needs {in_megabytes(SPARE * size)} of room, and the disk of {folder} has {in_megabytes(left)} left."
        )


def refuse_a_damaged(database: sqlite3.Connection, named: Path) -> None:
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


def size_of(database: sqlite3.Connection) -> int:
    """Return the size of the database in bytes, including its write-ahead log (WAL)."""
    try:
        (pages,), (size,) = (
            database.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
        )
    except sqlite3.DatabaseError:
        return 0  # the database is damaged: `refuse_a_damaged` reports it
    return int(pages) * int(size)


@contextmanager
def open_database(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open the existing database in `file`. `mode` is SQLite's URI parameter: "ro" or "rw"."""
    address = f"file:{quote(str(file.absolute()))}?mode={mode}"
    try:
        database = sqlite3.connect(address, uri=True, timeout=20, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise CommandError(f"{file} cannot be opened: {error}.") from error
    with closing(database):
        yield database


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or the list of names in a folder, is written to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def drop_all_but(kept: int, paths: list[Path]) -> list[Path]:
    """Return the paths that the caller is to delete: all but the newest `kept`.

    The function deletes nothing itself. The names of the paths sort by time.
    """
    return sorted(paths)[: max(len(paths) - kept, 0)]
