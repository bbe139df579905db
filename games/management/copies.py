"""Whole copies of a SQLite database, taken while others write, and what proves that one is whole."""

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

STAMP = "%Y%m%d-%H%M%S-%f"  # of UTC: names sort as they were made, and two of one second are two
DAY = 24 * 60 * 60  # seconds
SPARE = 2  # times what is copied: a disk filled by a copy would stop the games


def copy_database(source: Path, target: Path) -> None:
    """Writes what the database `source` holds into the new file `target`, which appears when it is whole and on the disk.

    CommandError where the room for it is missing or the source is damaged.
    """
    part = target.with_name(f".{target.name}.part")
    with opened(source, "ro") as database:
        drop_unfinished(target.parent)
        refuse_a_full_disk(target.parent, size_of(database))
        os.close(os.open(part, os.O_CREAT | os.O_EXCL, 0o600))  # it lets in whoever holds it
        try:
            with opened(part, "rw") as copy:
                # In one step: page by page it would begin anew whenever somebody writes.
                database.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
                refuse_a_damaged(copy, source)
            keep(part)
            part.replace(target)
            keep(target.parent)
        finally:
            part.unlink(missing_ok=True)


def drop_unfinished(folder: Path) -> None:
    """Takes away what a copy left that was cut short a day ago or earlier; a younger one may still be written."""
    for part in folder.glob(".*.part"):
        if time.time() - part.stat().st_mtime > DAY:
            shutil.rmtree(part) if part.is_dir() else part.unlink()


def refuse_a_full_disk(folder: Path, size: int) -> None:
    """CommandError where a copy of so many bytes would leave less than as many again."""
    left = room(folder)
    if left < SPARE * size:
        raise CommandError(
            f"A copy needs {in_megabytes(SPARE * size)} of room, and the disk of {folder} has {in_megabytes(left)} left."
        )


def refuse_a_damaged(database: sqlite3.Connection, named: Path) -> None:
    """CommandError where the file is no database, or something in it does not hold together."""
    try:
        found = [line for (line,) in database.execute("PRAGMA integrity_check(3)")]
        found += [f"{row[0]} refers to no {row[2]}" for row in database.execute("PRAGMA foreign_key_check")]
    except sqlite3.DatabaseError as error:
        found = [str(error)]
    if found != ["ok"]:
        raise CommandError(f"{named} is damaged: {'; '.join(line for line in found[:3] if line != 'ok')}.")


def size_of(database: sqlite3.Connection) -> int:
    """How many bytes the database has, with what lies in its log."""
    try:
        (pages,), (size,) = (
            database.execute(f"PRAGMA {name}").fetchone() for name in ("page_count", "page_size")
        )
    except sqlite3.DatabaseError:
        return 0  # damaged, which is said elsewhere
    return int(pages) * int(size)


@contextmanager
def opened(file: Path, mode: str) -> Iterator[sqlite3.Connection]:
    """The database in `file`, which must be there; `mode` is SQLite's."""
    address = f"file:{quote(str(file.absolute()))}?mode={mode}"
    try:
        database = sqlite3.connect(address, uri=True, timeout=20, isolation_level=None)
    except sqlite3.OperationalError as error:
        raise CommandError(f"{file} cannot be opened: {error}.") from error
    with closing(database):
        yield database


def keep(path: Path) -> None:
    """Comes back when a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def drop_all_but(kept: int, found: list[Path]) -> list[Path]:
    """Which of these go so that the newest `kept` stay: their names say when they were made."""
    return sorted(found)[: max(len(found) - kept, 0)]
