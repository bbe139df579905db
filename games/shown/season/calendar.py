"""The nights of a year as a picture: a square for each day, darker where more games were played.

Each week is a column. Every coordinate is stored as text, so that no language writes its decimal point as a
comma.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from django.utils.formats import date_format

from games.shown.common.charts import WIDTH

SQUARE, STEP, TOP = 5.1, 6.2, 16
MOST = 4  # the number of shades for days with games
HEIGHT = TOP + 7 * STEP
WEEK = 7


@dataclass(frozen=True)
class Square:
    """The square of a day: its position, and its shade, from 0 (nothing was played) to `MOST` (darkest)."""

    x: str
    y: str
    shade: int


@dataclass(frozen=True)
class Month:
    """A month in the calendar: the position of its first column, and its short name."""

    x: str
    name: str


@dataclass(frozen=True)
class Calendar:
    """The calendar of a year, ready for its template. `counts` has each month's name and number of nights."""

    squares: tuple[Square, ...]
    months: tuple[Month, ...]
    counts: tuple[tuple[str, int], ...]
    box: str = f"0 0 {WIDTH} {HEIGHT:.0f}"
    size: str = str(SQUARE)


def calendar_of(year: int, nights: Mapping[date, int]) -> Calendar:
    """Return the calendar of this year. `nights` has the number of games of each night."""
    first = date(year, 1, 1)
    most = max(nights.values(), default=0)
    return Calendar(
        squares=tuple(_squares(first, nights, most)),
        months=tuple(_month(first, number) for number in range(1, 13)),
        counts=tuple(
            (date_format(date(year, number, 1), "F"), sum(1 for night in nights if night.month == number))
            for number in range(1, 13)
        ),
    )


def _squares(first: date, nights: Mapping[date, int], most: int) -> Iterator[Square]:
    day = first
    while day.year == first.year:
        games = nights.get(day, 0)
        x, y = _week_of(first, day) * STEP, TOP + day.weekday() * STEP
        yield Square(f"{x:.1f}", f"{y:.1f}", -(-games * MOST // most) if games else 0)
        day += timedelta(days=1)


def _month(first: date, number: int) -> Month:
    begins = first.replace(month=number)
    return Month(f"{_week_of(first, begins) * STEP:.1f}", date_format(begins, "M"))


def _week_of(first: date, day: date) -> int:
    return ((day - first).days + first.weekday()) // WEEK
