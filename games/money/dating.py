"""The day to which a payment is dated back, and the moment from which the payment then counts.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.db.models import Max, Min

from games.common.nights import local, night_of, window_of
from games.models import Table
from games.scoring.errors import RuleError
from games.scoring.words import _

NOON = timedelta(hours=6)  # the time from the beginning of a night (6:00) to noon
AFTER = timedelta(microseconds=1)  # from the end of a game to a payment that comes right after it


def first_night(table: Table) -> date:
    """Return the oldest night to which a payment may be dated back.

    It is the night of the table's first game or of the table's creation, the earlier of the two.
    """
    created = night_of(table.created_at, table)
    number = table.games.filter(discarded_at=None).aggregate(first=Min("night_number"))["first"]
    return created if number is None else min(created, date.fromordinal(number))


def moment_on(
    day: date | None, table: Table, at: datetime, *, field: str = "day"
) -> tuple[datetime, date | None]:
    """Return the moment from which a payment of this day counts, and the night to which it is dated back.

    `at` is the moment at which the payment was recorded. If `day` is None or the day of the recording, the
    payment counts from `at`, and the night is None. A payment that is dated back counts from the end of the
    last game of its night. So the payment can pay for that game. Raise RuleError at `field` if the day is in
    the future or before the table existed.
    """
    tonight, today = night_of(at, table), local(at, table).date()
    if day is None or tonight <= day <= today:
        return at, None
    if day > today:
        raise RuleError(_("That day is in the future."), field=field)
    if day < first_night(table):
        raise RuleError(_("That day is before this table was opened."), field=field)
    begins, ends = window_of(day, table)
    over = table.games.filter(discarded_at=None, ended_at__gte=begins, ended_at__lt=ends)
    last = over.aggregate(last=Max("ended_at"))["last"]
    return (begins + NOON if last is None else last + AFTER), day
