"""The choices of a table's settings: time zones, regions with examples of their formats, and smallest coins."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from django.conf import settings
from django.utils.dateformat import format as date_format
from django.utils.timezone import now
from django.utils.translation import gettext as _

from games.models import Table
from games.people.settings import time_zones
from games.regions import formats_of, region_named
from games.shown.common.amounts import CENTS, money

EXAMPLE = 9000  # units of money
OFFERED = (0, CENTS)  # decimals


@dataclass(frozen=True)
class Choice:
    """A value to choose for a setting, in words."""

    value: str
    words: str
    is_chosen: bool


def coin_choices(table: Table, chosen: str) -> Iterator[Choice]:
    """Yield the smallest coins that the table may have, by their decimals and each as an amount."""
    for decimals in sorted({*OFFERED, table.decimals}):
        coin = money(1, Table(unit=table.unit, decimals=decimals))
        yield Choice(str(decimals), coin, str(decimals) == chosen)


def language_choices(chosen: str) -> Iterator[Choice]:
    """Yield the languages of the app, each in its own words."""
    for code, name in settings.LANGUAGES:
        yield Choice(code, str(name), code == chosen)


def region_choices(table: Table, chosen: str) -> Iterator[Choice]:
    """Yield the regions that the table may have, each with an amount and a day in its formats.

    A table without a region may stay without one: then each reader's language decides on the formats.
    """
    names = {} if table.region else {"": _("By each reader's language")}
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
    for name, words in names.items():
        region, day = region_named(name), date(now().year, 12, 31)
        with formats_of(name):
            amount = money(EXAMPLE * 10**table.decimals, table)
        yield Choice(name, f"{words}: {amount} · {date_format(day, region.date)}", name == chosen)


def zone_choices(present: str, wanted: str) -> Sequence[tuple[str, Sequence[Choice]]]:
    """Return the time zones, grouped by part of the world and sorted by place.

    `wanted` is chosen if there is such a zone, else the `present` one. Both are included in any case.
    """
    parts = {
        "Africa": _("Africa"),
        "America": _("America"),
        "Asia": _("Asia"),
        "Atlantic": _("Atlantic"),
        "Australia": _("Australia"),
        "Europe": _("Europe"),
        "Indian": _("Indian Ocean"),
        "Pacific": _("Pacific"),
    }
    chosen = wanted if wanted in time_zones() else present
    of_parts = {part: [zone for zone in time_zones() if zone.startswith(f"{part}/")] for part in parts}
    others = {present, chosen}.difference(*of_parts.values())
    choices = [(zone, [Choice(zone, zone, zone == chosen)]) for zone in sorted(others)]
    return choices + [(parts[part], _sorted_zones(zones, chosen)) for part, zones in of_parts.items()]


def _sorted_zones(zones: Collection[str], chosen: str) -> Sequence[Choice]:
    choices = [Choice(zone, _place_of(zone), zone == chosen) for zone in zones]
    return sorted(choices, key=lambda choice: choice.words)


def _place_of(zone: str) -> str:
    """Return the place in the name of a time zone: `Ushuaia, Argentina` for `America/Argentina/Ushuaia`."""
    _part, *places = zone.split("/")
    return ", ".join(reversed([place.replace("_", " ") for place in places]))
