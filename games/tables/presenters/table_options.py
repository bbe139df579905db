"""The choices of a table's settings: its currency and its region."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from django.utils.dateformat import format as date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, regions
from games.models import Table
from games.tables.services.setup import CurrencyChange


def sign_question(change: CurrencyChange) -> str:
    """Return the question to confirm before the currency sign of a table with entries changes."""
    table, there = change.table, Table(unit=change.unit, decimals=change.table.decimals)
    sentence = ngettext(
        "There is %(count)s entry in %(old)s. The same numbers will say %(new)s: %(before)s becomes %(after)s. "
        "Nothing is converted.",
        "There are %(count)s entries in %(old)s. The same numbers will say %(new)s: %(before)s becomes %(after)s. "
        "Nothing is converted.",
        change.entries,
    )
    formatted = {"before": amounts.money(change.amount, table), "after": amounts.money(change.amount, there)}
    return sentence % {"count": change.entries, "old": table.unit, "new": there.unit, **formatted}


EXAMPLE = 9000  # units of money


def region_choices(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the regions that the table may have, each with an amount and a date in its formats.

    A table without a region may stay without one: then each reader's language decides on the formats.
    """
    names = {} if table.region else {"": _("Reader's language")}
    names |= {
        "es-AR": _("Argentina"),
        "es-CL": _("Chile"),
        "es-CR": _("Costa Rica"),
        "es-ES": _("Spain"),
        "en-US": _("United States"),
        "es-MX": _("Mexico"),
        "es-PY": _("Paraguay"),
        "es-PE": _("Peru"),
        "en-GB": _("United Kingdom"),
    }
    for name, label in names.items():
        region, day = regions.region_named(name), date(localdate().year, 12, 31)
        with regions.use_formats(name):
            amount = amounts.money(EXAMPLE * 10**table.decimals, table)
        yield name, f"{label}: {amount} · {date_format(day, region.date)}"
