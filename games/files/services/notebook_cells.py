"""Parsing of words, dates and numbers as people write them: 31/5/24, 2024-05-31, $ 1.250,50, −300."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

from games.common import parsing, regions
from games.models import Table
from games.scoring.i18n import Text

# A weekday may stand before a date, and a time after it.
_YEAR_LAST = re.compile(r"(?:\w+[.,]*\s+)?(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[T ,].*)?", re.DOTALL)
_YEAR_FIRST = re.compile(r"(?:\w+[.,]*\s+)?(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:[T ,].*)?", re.DOTALL)
_SIGN = re.compile(r"(?<!\d)[+−–-]")
_ABSENT = {"", "x", "no", "na", "n/a", "ausente", "absent"}
CENTURY = 2000


@dataclass(frozen=True)
class LineProblem:
    """A problem at a line of a text that people wrote. Line 0 is the whole text."""

    line: int
    text: Text


def comparison_key(text: str) -> str:
    """Return the text in lower case, without accents, and without punctuation at its ends."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return " ".join(plain.casefold().split()).strip(" .:*")


def parse_day(text: str) -> date | None:
    """Return the date in this text; None if the text is not a date.

    Day and month are in the order of the active region, unless the year comes first.
    """
    written = text.strip()
    if match := _YEAR_LAST.fullmatch(written):
        day, month, year = match.groups()
        if regions.active_region().is_month_first:
            day, month = month, day
    elif match := _YEAR_FIRST.fullmatch(written):
        year, month, day = match.groups()
    else:
        return None
    try:
        return date(int(year) + (CENTURY if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None


def is_absent(text: str) -> bool:
    """Return whether this cell means that the player was absent: it is empty, a dash, *x*, *ausente*."""
    return text.strip().casefold().strip(".-−–— ") in _ABSENT


def parse_figure(text: str, table: Table) -> int | None:
    """Return the amount won or lost in this text, in the table's smallest units; None if it is no amount."""
    sign = _SIGN.search(text)
    amount = parsing.parse_amount(_SIGN.sub("", text, count=1), table)
    return -amount if amount and sign and sign[0] != "+" else amount
