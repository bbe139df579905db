"""Days and moments in words."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.timezone import now
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.models import Table


def day_in_words(day: date) -> str:
    """Return a day in short form, with the year unless it is the present one."""
    # Own translations of the weekdays: those of Django's Argentine Spanish lack their accents.
    weekdays = (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))
    text = f"{weekdays[day.weekday()]} {date_format(day, 'j M' if day.year == now().year else 'j M Y')}"
    return text.lower() if (get_language() or "").startswith("es") else text


def moment_in_words(moment: datetime, table: Table) -> str:
    """Return the day and time of a moment, in the table's time zone."""
    there = moment.astimezone(ZoneInfo(table.timezone))
    return f"{day_in_words(there.date())}, {clock(moment, table)}"


def clock(moment: datetime, table: Table) -> str:
    """Return the hour and minute of a moment, in the table's time zone."""
    return date_format(moment.astimezone(ZoneInfo(table.timezone)), "H:i")
