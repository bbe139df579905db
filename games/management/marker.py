"""The file in `DATA_DIR` that says a database was made: beside it, nobody begins an empty one in the place of a lost one."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils.timezone import now

NAME = "database-made"


def marker() -> Path:
    """Where it lies."""
    return Path(settings.DATA_DIR) / NAME


def is_marked() -> bool:
    """Whether a database was made here once."""
    return marker().exists()


def mark() -> None:
    """Says that there is a database from now on; what was said before stays."""
    if not is_marked():
        marker().write_text(
            f"A database was made for this folder on {now():%Y-%m-%d}. While this file is here, no empty one is begun "
            "in its place: delete it only to begin anew.\n",
            encoding="utf-8",
        )
