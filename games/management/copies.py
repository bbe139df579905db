"""Copies of a SQLite database, taken while others write, and the checks that a copy is intact."""

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

STAMP = "%Y%m%d-%H%M%S-%f"  # UTC: names sort by time, and two copies in one second have two names
DAY = 24 * 60 * 60  # seconds
SPARE = 2  # times the copy's size: a disk filled by a copy would stop the games


def copy_database(source: Path, target: Path) -> None:
    """Copy the database `source` to the new file `target`, which appears once it is complete and on the disk.

    CommandError if there is no room for it or the source is damaged.
    """
    part = target.with_name(f".{target.name}.part")
    with open_database(source, "ro") as database:
        drop_unfinished(target.parent)
        refuse_a_full_disk(target.parent, size_of(database))
        os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))  # its sessions would let a reader sign in
        try:
            with open_database(part, "rw") as copy:
                # In one step: page by page it would start again at every write.
                database.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # a single file without a WAL
                refuse_a_damaged(copy, source)
            sync_to_disk(part)
            part.replace(target)
            sync_to_disk(target.parent)
        finally:
            part.unlink(missing_ok=True)


def drop_unfinished(folder: Path) -> None:
    """Delete interrupted copies that are a day old or more; a younger one may still be in progress."""
    for part in folder.glob(".*.part"):
        if time.time() - part.stat().st_mtime > DAY:
            shutil.rmtree(part) if part.is_dir() else part.unlink()


def refuse_a_full_disk(folder: Path, size: int) -> None:
    """CommandError if the disk would have less than `size` bytes left after a copy of that size."""
    left = room(folder)
    if left < SPARE * size:
        raise CommandError(
            f"A copy needs {in_megabytes(SPARE * size)} of room, and the disk of {folder} has {in_megabytes(left)} left."
        )


def refuse_a_damaged(database: sqlite3.Connection, named: Path) -> None:
    """CommandError if the file is not a database or fails the integrity check."""
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
    """Return the size of the database in bytes, its WAL included."""
    try:
        (pages,), (size,) = (
            database.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
        )
    except sqlite3.DatabaseError:
        return 0  # damaged, which another check reports
    return int(pages) * int(size)


@contextmanager
def open_database(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """Open the existing database in `file`; `mode` is SQLite's."""
    address = f"file:{quote(str(file.absolute()))}?mode={mode}"
    try:
        database = sqlite3.connect(address, uri=True, timeout=20, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise CommandError(f"{file} cannot be opened: {error}.") from error
    with closing(database):
        yield database


def sync_to_disk(path: Path) -> None:
    """Wait until a file, or a folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def drop_all_but(kept: int, paths: list[Path]) -> list[Path]:
    """Return all but the newest `kept` of these paths, whose names say when they were made."""
    return sorted(paths)[: max(len(paths) - kept, 0)]
