"""The clock of a table: its time zone, which the table's first phone sets and owners change."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from zoneinfo import available_timezones

from django.conf import settings
from django.db import transaction

from games.locks import lock, raise_version, revise
from games.models import Table
from games.scoring.errors import RuleError
from games.scoring.words import _

REGIONS = ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


def check_zone(zone: str) -> None:
    """Raise RuleError unless there is a time zone of this name."""
    if zone not in _time_zones():
        raise RuleError(_("The time zone “{timezone}” doesn't exist.", timezone=zone), field="timezone")


def known_zone(zone: str) -> str:
    """Return the zone that a phone sent; the site's default if the phone sent none or an unknown one."""
    return zone if zone in _time_zones() else settings.TIME_ZONE


@cache
def zones_by_region() -> Sequence[tuple[str, Sequence[str]]]:
    """Return the time zones to choose from, as pairs of a part of the world ("America") and its zones."""
    return tuple(
        (region, tuple(sorted(zone for zone in _time_zones() if zone.startswith(f"{region}/"))))
        for region in REGIONS
    )


@cache
def _time_zones() -> Collection[str]:
    """Return the names of all time zones.

    They are cached, because listing them reads hundreds of files.
    """
    return frozenset(available_timezones())


@transaction.atomic
def change_zone(table: Table, zone: str) -> None:
    """Change the time zone of the table. Its games keep their nights; hours are shown in the new zone."""
    check_zone(zone)
    locked = lock(table)
    if locked.timezone == zone:
        return
    locked.timezone = table.timezone = zone
    locked.save(update_fields=["timezone"])
    revise(locked)
    raise_version(locked)
