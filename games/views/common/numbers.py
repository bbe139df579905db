"""Row ids as forms and addresses send them."""

from __future__ import annotations

LONGEST = 18  # digits of an id in the database


def row_id(text: str) -> int:
    """Return the row id in this text; 0, which no row has, for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else 0
