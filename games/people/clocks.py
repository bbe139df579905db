"""The clock of a table: its time zone, which the table's first phone sets and owners change."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from zoneinfo import available_timezones

from django.conf import settings
from django.db import transaction
from django.utils.timezone import now

from games import trail
from games.changes import tell
from games.locks import lock, revise
from games.models import Change, ChangeKind, Table
from games.nights import night_of, window_of, zone_on
from games.scoring.errors import RuleError
from games.scoring.words import _

MOST_CHANGES = 100  # changes of one table's zone; to find the zone of a moment, all of them are searched
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


def zone_change(table: Table, at: datetime | None = None) -> datetime | None:
    """Return the moment from which the table's new time zone will count; None if it counts already.

    `at` is the present moment, by default now.
    """
    tonight = night_of(at or now(), table)
    return window_of(tonight, table)[1] if zone_on(tonight, table) != table.timezone else None


@transaction.atomic
def change_zone(table: Table, zone: str, *, at: datetime | None = None) -> None:
    """Change the time zone of the table from the next night on. Earlier nights keep theirs.

    A second change in the same night replaces the first one.
    """
    check_zone(zone)
    locked = lock(table)
    if locked.timezone == zone:
        return
    tonight = night_of(at or now(), locked)
    present = zone_on(tonight, locked)
    kept = [[past, last] for past, last in locked.earlier_zones if last < tonight.isoformat()]
    if zone != present:
        kept.append([present, tonight.isoformat()])
    if len(kept) > MOST_CHANGES:
        raise RuleError(_("The time zone was changed too often."), field="timezone")
    was_noted = bool(trail.places([locked]))
    locked.timezone = table.timezone = zone
    locked.earlier_zones = table.earlier_zones = kept
    locked.save(update_fields=["timezone", "earlier_zones"])
    revise(locked)
    trail.note(locked, trail.places([locked]) or (trail.gone([locked]) if was_noted else {}))
    tell(locked, Change(what=ChangeKind.TABLE_CHANGED))
