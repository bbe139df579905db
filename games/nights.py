"""Nights (noches): the games begun between six in the morning and the next six, by the table's clock."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from games.models import Season, Table

BEGINS = time(6)
FIRST_YEAR = 1900  # nothing written down here is older


def night_of(moment: datetime, table: Table) -> date:
    """The night this moment belongs to: until six in the morning it is still the day before's."""
    there = moment.astimezone(ZoneInfo(table.timezone))
    return there.date() - timedelta(days=there.time() < BEGINS)


def window_of(night: date, table: Table) -> tuple[datetime, datetime]:
    """When this night begins, and when the next one does."""
    begins, ends = (
        datetime.combine(day, BEGINS, ZoneInfo(table.timezone)) for day in (night, night + timedelta(days=1))
    )
    return begins, ends


def season_on(night: date, table: Table) -> Season:
    """The season this night belongs to; those before the first season began are of the first too."""
    return season_among(list(table.seasons.all()), night)


def season_among(seasons: Sequence[Season], night: date) -> Season:
    """The same of seasons that were read already, in their order."""
    return next((season for season in reversed(seasons) if season.starts_on <= night), seasons[0])
