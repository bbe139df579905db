"""The time zone of a table in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from games.models import Table
from games.nights import A_DAY, night_of, zone_on
from games.people.clocks import zone_change, zones_by_region
from games.shown.common.days import clock, day_in_words


@dataclass(frozen=True)
class ClockShown:
    """The table's clock: its time now and its zone.

    If another zone was chosen, it applies from the next night on: `next_place` is its name, and `counts_from`
    the day at whose 6:00 that night begins. Otherwise both are "".
    """

    time: str
    place: str
    next_place: str
    counts_from: str


@dataclass(frozen=True)
class ZoneChoice:
    """A time zone to choose."""

    zone: str
    place: str
    is_chosen: bool


def clock_shown(table: Table, at: datetime) -> ClockShown:
    """Return the table's clock at the moment `at`."""
    tonight = night_of(at, table)
    present, chosen = (place_of(zone) for zone in (zone_on(tonight, table), table.timezone))
    is_changed = zone_change(table, at) is not None
    return ClockShown(
        time=clock(at, table),
        place=present,
        next_place=chosen if is_changed else "",
        counts_from=day_in_words(tonight + A_DAY) if is_changed else "",
    )


def place_of(zone: str) -> str:
    """Return the place in the name of a time zone: `Ushuaia, Argentina` for `America/Argentina/Ushuaia`."""
    _region, *parts = zone.split("/")
    return ", ".join(reversed([part.replace("_", " ") for part in parts or [zone]]))


def zone_choices(chosen: str) -> Sequence[tuple[str, Sequence[ZoneChoice]]]:
    """Return the time zones to choose from, grouped by part of the world and sorted by place.

    `chosen` is the zone chosen now, which is included in any case.
    """
    regions = {
        "Africa": _("Africa"),
        "America": _("America"),
        "Asia": _("Asia"),
        "Atlantic": _("Atlantic"),
        "Australia": _("Australia"),
        "Europe": _("Europe"),
        "Indian": _("Indian Ocean"),
        "Pacific": _("Pacific"),
    }
    choices = [
        (regions[region], [ZoneChoice(zone, place_of(zone), zone == chosen) for zone in zones])
        for region, zones in zones_by_region()
    ]
    if not any(choice.is_chosen for _region, zones in choices for choice in zones):
        choices.insert(0, (chosen, [ZoneChoice(chosen, chosen, is_chosen=True)]))
    return [(region, sorted(zones, key=lambda choice: choice.place)) for region, zones in choices]
