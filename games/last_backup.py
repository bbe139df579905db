"""The note of the last backup: the file `last-backup` in `DATA_DIR`, with the backup's time and folder."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.utils.timezone import now

NAME = "last-backup"


def note_backup(folder: Path) -> None:
    """Note that a backup was made now in this folder.

    If the note cannot be written, as on a full disk, do nothing: the backup itself is good.
    """
    with suppress(OSError):
        _file().write_text(f"{now().isoformat()}\n{folder.absolute()}\n", encoding="utf-8")


def last_backup_at() -> datetime | None:
    """Return the time of the last backup; None if no backup is noted."""
    try:
        return datetime.fromisoformat(_lines()[0])
    except (LookupError, ValueError):
        return None


def last_backup_folder() -> Path | None:
    """Return the folder that holds the last backup; None without one, or if an older release made it."""
    lines = _lines()
    return Path(lines[1]) if len(lines) > 1 else None


def _lines() -> list[str]:
    try:
        return _file().read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return []


def _file() -> Path:
    return Path(settings.DATA_DIR) / NAME
