"""The state of a site's folder: whether it is writable, its database, its free space and its last backup.

The *marker* is a file in `DATA_DIR` that exists once a database was created, so that a lost database is not
silently replaced by an empty one. Its first line says what kind of database that is and, for PostgreSQL,
where: a site that lost its DATABASE_URL must not go on with the SQLite file it had before. `serve` holds a
shared lock on the marker, so that nothing is moved from under a server.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.timezone import localdate, now

from games.common import program


def create_folder() -> None:
    """Create DATA_DIR if it is missing. Only commands that begin a site call this."""
    settings.CREATE_FOLDER("DATA_DIR", Path(settings.DATA_DIR))


def store_secret() -> None:
    """Store the secret key in DATA_DIR, unless it is there already or SECRET_KEY sets it."""
    if not settings.STORED_SECRET:
        settings.STORED_SECRET = settings.SECRET_KEY = settings.CREATE_SECRET(
            secret_file(), settings.SECRET_KEY
        )


def secret_file() -> Path:
    """Return the file that holds the secret key unless the variable SECRET_KEY sets it."""
    return Path(settings.DATA_DIR) / settings.SECRET_NAME


def sqlite_file() -> Path | None:
    """Return the database's file; None for PostgreSQL."""
    return Path(connection.settings_dict["NAME"]) if connection.vendor == "sqlite" else None


def database_label() -> str:
    """Return the database's location in words, without the password."""
    file, named = sqlite_file(), connection.settings_dict
    return str(file) if file else f"{named['NAME']} on {named['HOST'] or 'this computer'}"


def database_exists() -> bool:
    """Return whether the database exists and has content. This creates no empty database."""
    file = sqlite_file()
    if file and not (file.exists() and file.stat().st_size):
        return False
    return bool(MigrationRecorder(connection).applied_migrations())


def missing_database_message() -> str:
    """Return a sentence that names the database that was looked for, and where the settings come from."""
    file = settings.SETTINGS_FILE
    source = f"by {file} and the environment" if file else "by the environment alone"
    return (
        f"There is no database at {database_label()}, where the settings say that it is ({source}). If this site has "
        f"one elsewhere, set DATA_DIR or DATABASE_URL in {file or program.home() / '.env'}; `{program.NAME} serve` begins a new site."
    )


def missing_secret_message() -> str | None:
    """Return a sentence if neither SECRET_KEY nor DATA_DIR has the key that signs the sessions; otherwise None."""
    if settings.STORED_SECRET:
        return None
    return (
        f"There is no secret key at {secret_file()}: set SECRET_KEY, bring the file back from a backup, or run "
        f"`{program.NAME} serve`, which makes another and so signs everybody out."
    )


def lost_database_message() -> str | None:
    """Return a sentence if the database is lost; otherwise None.

    It is lost if it was created before and is now missing, or if another database than that is set.
    """
    if sentence := moved_data_message():
        return sentence
    if database_exists():
        return None
    file = sqlite_file()
    log = file.with_name(f"{file.name}-wal") if file and not file.exists() else None
    sign = next((sign for sign in (marker_file(), log) if sign and sign.exists()), None)
    if sign is None:
        return None
    return (
        f"There is no database at {database_label()}, and {sign} says that there was one: set DATA_DIR or DATABASE_URL right, "
        f"bring a backup back with `{program.NAME} restore`, or delete that file to begin anew."
    )


def write_problems() -> list[str]:
    """Return a sentence for each folder or file of the site that this process cannot write."""
    file, data = sqlite_file(), Path(settings.DATA_DIR)
    folders = dict.fromkeys([data, *([file.parent] if file else [])])
    wrong = [
        f"The folder {folder} cannot be written: {reason}."
        for folder in folders
        # A command that begins a site creates DATA_DIR (`create_folder`), and no other folder.
        if (folder != data or data.exists()) and (reason := _write_error(folder))
    ]
    if not wrong and file and file.exists() and not os.access(file, os.W_OK):
        wrong.append(f"The database {file} cannot be written: it belongs to somebody else, or is read-only.")
    return wrong


def free_space(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def format_size(size: int) -> str:
    """Return a number of bytes in words, such as "12.3 MB"."""
    return f"{size / 1_000_000:,.1f} MB"


def _write_error(folder: Path) -> str | None:
    """Return the reason why this folder cannot be written; None if it can.

    It tries to write a file, because permissions do not show that a disk is mounted read-only.
    """
    try:
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as error:
        return error.strerror or str(error)


# --- the last backup --------------------------------------------------------------------------------------------------


def last_backup_file() -> Path:
    return Path(settings.DATA_DIR) / "last-backup"


def record_backup() -> None:
    """Record that a backup was made now.

    If that fails, as on a full disk, do nothing: the backup itself is good.
    """
    with suppress(OSError):
        last_backup_file().write_text(f"{now().isoformat()}\n", encoding="utf-8")


def last_backup_at() -> datetime | None:
    try:
        return datetime.fromisoformat(last_backup_file().read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        return None


# --- the marker -------------------------------------------------------------------------------------------------------

MARKER_NAME = "database-made"
DATABASE_KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def marker_file() -> Path:
    return Path(settings.DATA_DIR) / MARKER_NAME


def is_marked() -> bool:
    return marker_file().exists()


def write_marker(database: Mapping[str, Any] | None = None) -> None:
    """Write into the marker that the data is in this database, by default the one in use.

    Nothing is written if it says so already. A missing marker is created.
    """
    place = _database_location(database or connection.settings_dict)
    first, rest = _read_marker()
    if first != place:
        rest = rest or (
            f"A database was made for this folder on {localdate()}. While this file is here, no empty one is begun "
            "in its place: delete it only to begin anew.\n"
        )
        marker_file().write_text(f"{place}\n{rest}", encoding="utf-8")


def _database_location(database: Mapping[str, Any]) -> str:
    """Return the kind of a database and, for PostgreSQL, user and host: "postgresql anot@db.example.org"."""
    if database["ENGINE"].endswith("sqlite3"):
        return "sqlite"
    return f"postgresql {database['USER']}@{database['HOST'] or 'this computer'}"


def _read_marker() -> tuple[str, str]:
    """Return the line of the marker that says where the data is, and the rest of the file.

    The line is "" in a marker of an earlier version.
    """
    if not is_marked():
        return "", ""
    written = marker_file().read_text(encoding="utf-8")
    first, _newline, rest = written.partition("\n")
    return (first, rest) if first.partition(" ")[0] in DATABASE_KINDS else ("", written)


def moved_data_message() -> str | None:
    """Return a sentence if the marker says that the data is in another kind of database; otherwise None."""
    kind, _blank, where = _read_marker()[0].partition(" ")
    if kind in ("", connection.vendor):
        return None
    named = f"{DATABASE_KINDS[kind]} ({' on '.join(where.rsplit('@', 1))})" if where else DATABASE_KINDS[kind]
    is_set = os.environ.get("DATABASE_URL", "").strip()
    setting = f"names {DATABASE_KINDS[connection.vendor]}" if is_set else "is not set"
    return f"This site's data is in {named}, and DATABASE_URL {setting}."


@contextmanager
def lock_marker(*, exclusive: bool) -> Iterator[bool]:
    """Hold a shared or exclusive lock on the marker during the `with` block; yield whether it was free.

    It does not wait. On a file system without locks it yields True.
    """
    with marker_file().open("rb") as file:
        try:
            fcntl.flock(file, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        except OSError:
            yield True  # a network file system may not lock files
        else:
            yield True
