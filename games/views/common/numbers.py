"""Whole numbers and primary keys, as HTML forms and addresses send them."""

from __future__ import annotations

LONGEST = 18  # digits of a primary key


def row_id(text: str) -> int:
    """Return the primary key in this text; 0, which no row has, if the text is no number."""
    return whole_number(text, most_digits=LONGEST)


def whole_number(text: str, *, most_digits: int) -> int:
    """Return the whole number in this text; 0 if it is none or has more digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else 0
