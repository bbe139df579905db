"""The note of the last backup: the file `last-backup` in `DATA_DIR`, with the backup's time."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.utils.timezone import now

NAME = "last-backup"


def note_backup() -> None:
    """Note that a backup was made now.

    If the note cannot be written, as on a full disk, do nothing: the backup itself is good.
    """
    with suppress(OSError):
        _file().write_text(f"{now().isoformat()}\n", encoding="utf-8")


def last_backup_at() -> datetime | None:
    """Return the time of the last backup; None if no backup is noted."""
    try:
        return datetime.fromisoformat(_file().read_text(encoding="utf-8").strip())
    except (OSError, ValueError):
        return None


def _file() -> Path:
    return Path(settings.DATA_DIR) / NAME
