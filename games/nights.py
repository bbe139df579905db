"""Nights (noches): the games begun between 6:00 and 6:00 the next day, in the table's time zone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from games.models import Season, Table

BEGINS = time(6)
FIRST_YEAR = 1900  # the earliest year that a night copied from an old paper notebook may have


def night_of(moment: datetime, table: Table) -> date:
    """Return the night of this moment. A moment before 6:00 belongs to the previous day's night."""
    there = moment.astimezone(ZoneInfo(table.timezone))
    return there.date() - timedelta(days=there.time() < BEGINS)


def window_of(night: date, table: Table) -> tuple[datetime, datetime]:
    """Return the moment at which this night begins and the moment at which the next night begins."""
    begins, ends = (
        datetime.combine(day, BEGINS, ZoneInfo(table.timezone)) for day in (night, night + timedelta(days=1))
    )
    return begins, ends


def season_on(night: date, table: Table) -> Season:
    """Return the season of this night; nights before the first season belong to the first."""
    return season_among(list(table.seasons.all()), night)


def season_among(seasons: Sequence[Season], night: date) -> Season:
    """Return the season of this night. `seasons` are all of the table's, oldest first."""
    return next((season for season in reversed(seasons) if season.starts_on <= night), seasons[0])
