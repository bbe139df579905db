"""Nights (noches), and days and moments as text in the formats of the active region (`regions.py`).

A night is the games begun between 6:00 and 6:00 the next day, on the table's clock. In code it is the date
when it begins. A change of the table's time zone moves no games: a game keeps the night it was given when it
began. The examples are those of Argentina.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.timezone import localdate, now

from games.common import regions
from games.models import Game, Payment, Season, Table

NIGHT_START = time(6)
FIRST_YEAR = 1900  # the earliest year that a night copied from an old paper notebook may have
ONE_DAY = timedelta(days=1)
TONIGHT_MINIMUM = timedelta(hours=2)


def night_for(moment: datetime, table: Table) -> date:
    """Return the night that this moment belongs to. Before 6:00 it is the previous day's."""
    there = to_table_time(moment, table)
    return there.date() - ONE_DAY * (there.time() < NIGHT_START)


def is_past_night(moment: datetime | None, table: Table) -> bool:
    """Return whether this moment belongs to an earlier night than tonight; False for None."""
    return moment is not None and night_for(moment, table) != night_for(now(), table)


def night_bounds(night: date, table: Table) -> tuple[datetime, datetime]:
    """Return the moments when this night and the next night begin."""
    zone = table_zone(table)
    return datetime.combine(night, NIGHT_START, zone), datetime.combine(night + ONE_DAY, NIGHT_START, zone)


def tonight_end(moment: datetime, table: Table) -> datetime:
    """Return when something that is for tonight ends: with the night, and at least two hours later."""
    return max(night_bounds(night_for(moment, table), table)[1], moment + TONIGHT_MINIMUM)


def table_zone(table: Table) -> ZoneInfo:
    """Return the table's time zone; the site's if this computer lacks it, which `manage.py check` reports."""
    try:
        return ZoneInfo(table.timezone)
    except ZoneInfoNotFoundError:
        return ZoneInfo(settings.TIME_ZONE)


def to_table_time(moment: datetime, table: Table) -> datetime:
    return moment.astimezone(table_zone(table))


def season_on(night: date, table: Table) -> Season:
    """Return the season of this night; nights before the first season belong to the first."""
    return season_among(list(table.seasons.all()), night)


def season_among(seasons: Sequence[Season], night: date) -> Season:
    """Return the season of this night, given all seasons of the table, oldest first."""
    begun_count = bisect_right(seasons, night, key=lambda season: season.starts_on)
    return seasons[max(begun_count - 1, 0)]


def games_on(night: date, table: Table) -> QuerySet[Game]:
    """Return the games of this night, oldest first, without discarded ones."""
    return table.games.filter(discarded_at=None, night_number=night.toordinal()).order_by("started_at", "pk")


def to_iso(moment: datetime | None) -> str | None:
    """Return the moment in UTC, in the format that `datetime.fromisoformat` reads; None for None."""
    return None if moment is None else moment.astimezone(UTC).isoformat()


def format_day(day: date) -> str:
    """Return a day with its short weekday and month: `vie 31 may`. Another year than this one follows."""
    region = regions.active_region()
    return date_format(day, region.long_day if day.year == localdate().year else region.long_date)


def format_numeric_date(day: date) -> str:
    """Return a day in figures with its year: `31/05/2024`."""
    return date_format(day, regions.active_region().date)


def format_datetime(moment: datetime, table: Table) -> str:
    """Return a moment's day and time in the table's time zone: `vie 31 may, 21:30`."""
    return f"{format_day(to_table_time(moment, table).date())}, {format_time(moment, table)}"


LATE = timedelta(hours=1)  # a payment that took longer to arrive is shown with the time of its arrival


def late_arrival(payment: Payment) -> datetime | None:
    """Return when a payment recorded offline reached the site; None if that took less than an hour."""
    return None if payment.arrived_at - payment.recorded_at < LATE else payment.arrived_at


def format_time(moment: datetime, table: Table) -> str:
    """Return a moment's time of day in the table's time zone: `21:30`."""
    return date_format(to_table_time(moment, table), "H:i")
