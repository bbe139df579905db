"""Nights (noches): the games begun between 6:00 and 6:00 the next day, on the table's clock.

In the code a night is the date on which it begins.
A table's time zone can change, and a change counts from the next night. So the clock has *eras*: stretches of
nights with one zone each. The first night of an era begins when the last night of the era before it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from games.models import Season, Table

BEGINS = time(6)
FIRST_YEAR = 1900  # the earliest year that a night copied from an old paper notebook may have
A_DAY = timedelta(days=1)
ALWAYS = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class _Era:
    """An era of a table's clock: its time zone, its first night, and the moment at which that night begins.

    The first era has no beginning: `first` and `begins` are then the earliest values possible.
    """

    zone: ZoneInfo
    first: date = date.min
    begins: datetime = ALWAYS


def night_of(moment: datetime, table: Table) -> date:
    """Return the night to which this moment belongs. Before 6:00 it is the night of the previous day."""
    era = _era_at(moment, table)
    there = moment.astimezone(era.zone)
    return max(there.date() - A_DAY * (there.time() < BEGINS), era.first)


def window_of(night: date, table: Table) -> tuple[datetime, datetime]:
    """Return the moment at which this night begins and the moment at which the next night begins."""
    return _begin_of(night, table), _begin_of(night + A_DAY, table)


def local(moment: datetime, table: Table) -> datetime:
    """Return the moment on the table's clock, in the zone that the table had or will have then."""
    return moment.astimezone(_era_at(moment, table).zone)


def zone_on(night: date, table: Table) -> str:
    """Return the name of the table's time zone in this night."""
    return next((zone for zone, last in table.earlier_zones if night.isoformat() <= last), table.timezone)


def season_on(night: date, table: Table) -> Season:
    """Return the season of this night; nights before the first season belong to the first."""
    return season_among(list(table.seasons.all()), night)


def season_among(seasons: Sequence[Season], night: date) -> Season:
    """Return the season of this night. `seasons` are all of the table's, oldest first."""
    return next((season for season in reversed(seasons) if season.starts_on <= night), seasons[0])


def _eras(table: Table) -> list[_Era]:
    """Return the eras of the table's clock, oldest first."""
    zones = [ZoneInfo(zone) for zone, _last in table.earlier_zones] + [ZoneInfo(table.timezone)]
    eras = [_Era(zones[0])]
    for zone, (_zone, last) in zip(zones[1:], table.earlier_zones, strict=True):
        first = date.fromisoformat(last) + A_DAY
        # The furthest zones are 26 hours apart, so a night between two changes may have no moment at all.
        begins = max(eras[-1].begins, datetime.combine(first, BEGINS, eras[-1].zone))
        eras.append(_Era(zone, first, begins))
    return eras


def _era_at(moment: datetime, table: Table) -> _Era:
    if not table.earlier_zones:
        return _Era(ZoneInfo(table.timezone))
    return next(era for era in reversed(_eras(table)) if era.begins <= moment)


def _begin_of(night: date, table: Table) -> datetime:
    era = next(era for era in reversed(_eras(table)) if era.first <= night)
    if night == era.first:
        return era.begins
    return max(era.begins, datetime.combine(night, BEGINS, era.zone))
