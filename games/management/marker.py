"""The marker: a file in `DATA_DIR` that exists once a database was created.

With it, a lost database is not silently replaced by an empty one.
"""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.utils.timezone import now

NAME = "database-made"


def marker() -> Path:
    """Return the path of the file that says that a database was created here."""
    return Path(settings.DATA_DIR) / NAME


def is_marked() -> bool:
    """Return whether a database was created here before."""
    return marker().exists()


def mark() -> None:
    """Create the marker unless it exists."""
    if not is_marked():
        marker().write_text(
            f"A database was made for this folder on {now():%Y-%m-%d}. While this file is here, no empty one is begun "
            "in its place: delete it only to begin anew.\n",
            encoding="utf-8",
        )
