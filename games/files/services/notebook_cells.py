"""Parsing of words, dates and numbers as people write them: 31/5/24, 2024-05-31, $ 1.250,50, −300."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from games.common import parsing, regions
from games.models import Table
from games.scoring.i18n import Text

Row = tuple[int, Sequence[str]]  # the number of the row's first line, and its cells

# A weekday may stand before a date, and a time after it.
_YEAR_LAST = re.compile(r"(?:\w+[.,]*\s+)?(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[T ,].*)?", re.DOTALL)
_YEAR_FIRST = re.compile(r"(?:\w+[.,]*\s+)?(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?:[T ,].*)?", re.DOTALL)
_WEEKDAYS = (
    ("lun", "mon"),
    ("mar", "tue"),
    ("mie", "wed"),
    ("jue", "thu"),
    ("vie", "fri"),
    ("sab", "sat"),
    ("dom", "sun"),
)
_MIDNIGHT = re.compile(r"[0:.]*Z?")  # the time of a day alone, as spreadsheets write it
_SIGN = re.compile(r"(?<!\d)[+−–-]")
_ABSENT = {"", "x", "no", "na", "n/a", "ausente", "absent"}
CENTURY = 2000


@dataclass(frozen=True)
class LineProblem:
    """A problem at a line of a text that people wrote. Line 0 is the whole text. `cure` says what would help."""

    line: int
    text: Text
    cure: Text | None = None


@dataclass
class Sheet:
    """The column names of a notebook and the rows below, whose figures are parsed once.

    `day` is the place of the dates, and `names` are those of the other columns by place. `table` has the unit
    and the decimals of the figures.
    """

    head: Row
    day: int
    rows: Sequence[Row]
    table: Table
    names: Mapping[int, str] = field(init=False)
    _figures: dict[str, int | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _line, names = self.head
        self.names = {place: name for place, name in enumerate(names) if name and place != self.day}

    def date_cell(self, cells: Sequence[str]) -> str:
        return cells[self.day] if self.day < len(cells) else ""

    def parse_figure(self, text: str) -> int | None:
        """Return the figure in this cell; None if it has none."""
        if text not in self._figures:
            self._figures[text] = None if is_absent(text) else parse_figure(text, self.table)
        return self._figures[text]

    def read_figures(self, cells: Sequence[str], places: Collection[int]) -> dict[int, int]:
        """Return the figures of a row in these columns, without cells that have none."""
        parsed = {place: self.parse_figure(cells[place]) for place in places if place < len(cells)}
        return {place: figure for place, figure in parsed.items() if figure is not None}


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


def find_day_notes(text: str) -> list[str]:
    """Return the texts beside the date in this cell, such as a time, but not the weekday of that date."""
    written, day = text.strip(), parse_day(text)
    match = _YEAR_LAST.fullmatch(written) or _YEAR_FIRST.fullmatch(written)
    if match is None or day is None:
        return []
    before, after = written[: match.start(1)].strip(), written[match.end(3) + 1 :].strip()
    is_weekday = comparison_key(before).startswith(_WEEKDAYS[day.weekday()])
    return [note for note in ("" if is_weekday else before, after) if not _MIDNIGHT.fullmatch(note)]


def is_absent(text: str) -> bool:
    """Return whether this cell means that the player was absent: it is empty, a dash, *x*, *ausente*."""
    return text.strip().casefold().strip(".-−–— ") in _ABSENT


def parse_figure(text: str, table: Table) -> int | None:
    """Return the amount won or lost in this text, in the table's smallest units; None if it is no amount."""
    sign = _SIGN.search(text)
    amount = parsing.parse_amount(_SIGN.sub("", text, count=1), table)
    return -amount if amount and sign and sign[0] != "+" else amount
