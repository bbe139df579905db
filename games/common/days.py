"""Days and moments as text, in the formats of the active region (`games/common/regions.py`).

The examples are those of Argentina.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.utils.formats import date_format
from django.utils.timezone import now
from django.utils.translation import gettext as _

from games.common.nights import local
from games.common.regions import current_region
from games.models import Payment, Record, Table

LATE = timedelta(hours=1)  # an entry that took longer to arrive is shown with the time of its arrival


def day_in_words(day: date) -> str:
    """Return a day with the short names of its weekday and month: `vie 31 may`.

    The year follows if it is not this year.
    """
    region = current_region()
    return date_format(day, region.words if day.year == now().year else region.words_of_year)


def date_in_figures(day: date) -> str:
    """Return a day in figures, with its year: `31/05/2024`."""
    return date_format(day, current_region().date)


def day_in_figures(day: date) -> str:
    """Return a day in figures, without its year: `31/5`."""
    return date_format(day, current_region().day)


def moment_in_words(moment: datetime, table: Table) -> str:
    """Return the day and time of a moment, in the table's time zone: `vie 31 may, 21:30`."""
    return f"{day_in_words(local(moment, table).date())}, {clock(moment, table)}"


def late_arrival(entry: Record | Payment) -> datetime | None:
    """Return the moment at which an entry recorded on an offline phone arrived at the site, if it was late.

    Return None for an entry that arrived less than an hour after it was recorded.
    """
    if entry.arrived_at - entry.recorded_at < LATE:
        return None
    return entry.arrived_at


def arrival_in_words(record: Record, table: Table) -> str:
    """Return a sentence on when the record was made and when it arrived; "" if it did not arrive late."""
    arrived_at = late_arrival(record)
    if arrived_at is None:
        return ""
    names = {"of": moment_in_words(record.recorded_at, table), "arrived": moment_in_words(arrived_at, table)}
    return _("From %(of)s, recorded on %(arrived)s.") % names


def clock(moment: datetime, table: Table) -> str:
    """Return the time of day of a moment, in the table's time zone: `21:30`."""
    return date_format(local(moment, table), "H:i")
