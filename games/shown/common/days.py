"""Days and moments as pages say them."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.timezone import now
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Table


def day_in_words(day: date) -> str:
    """A day in short; its year where it is not this one."""
    # The weekdays are ours: those of Django's Argentine Spanish lack their accents.
    weekdays = (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))
    said = f"{weekdays[day.weekday()]} {date_format(day, 'j M' if day.year == now().year else 'j M Y')}"
    return said.lower() if (get_language() or "").startswith("es") else said


def moment_in_words(moment: datetime, table: Table) -> str:
    """The day and the minute, by the table's clock."""
    there = moment.astimezone(ZoneInfo(table.timezone))
    return f"{day_in_words(there.date())}, {clock(moment, table)}"


def clock(moment: datetime, table: Table) -> str:
    """The minute, by the table's clock."""
    return date_format(moment.astimezone(ZoneInfo(table.timezone)), "H:i")
