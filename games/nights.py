"""Nights (noches): the games begun between 6:00 and 6:00 the next day, in the table's time zone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from games.models import Season, Table

BEGINS = time(6)
FIRST_YEAR = 1900  # no notebook is older


def night_of(moment: datetime, table: Table) -> date:
    """Return the night of this moment: before 6:00 it is still the previous day's."""
    there = moment.astimezone(ZoneInfo(table.timezone))
    return there.date() - timedelta(days=there.time() < BEGINS)


def window_of(night: date, table: Table) -> tuple[datetime, datetime]:
    """Return when this night begins, and when the next one does."""
    begins, ends = (
        datetime.combine(day, BEGINS, ZoneInfo(table.timezone)) for day in (night, night + timedelta(days=1))
    )
    return begins, ends


def season_on(night: date, table: Table) -> Season:
    """Return the season of this night; nights before the first season belong to the first."""
    return season_among(list(table.seasons.all()), night)


def season_among(seasons: Sequence[Season], night: date) -> Season:
    """Return the season of this night among seasons already read, in order."""
    return next((season for season in reversed(seasons) if season.starts_on <= night), seasons[0])
