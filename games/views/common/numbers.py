"""Primary keys, as HTML forms and addresses send them."""

from __future__ import annotations

LONGEST = 18  # digits of a primary key


def row_id(text: str) -> int:
    """Return the primary key in this text; 0, which no row has, if the text is no number."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST else 0
