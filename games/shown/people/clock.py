"""The time zone of a table in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.people.clocks import zones_by_region


@dataclass(frozen=True)
class ZoneChoice:
    """A time zone to choose."""

    zone: str
    place: str
    is_chosen: bool


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
