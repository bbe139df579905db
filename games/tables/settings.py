"""The settings of a table: name, money, language, time zone, region and the habit of paying on the spot.

The phone that makes a table sends the first ones; owners change them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.db import transaction

from games.common.book import states_of
from games.common.locks import lock, raise_version, revise
from games.common.names import read_name
from games.common.regions import REGIONS
from games.models import DECIMALS, TABLE_NAME_LENGTH, UNIT_LENGTH, Table
from games.scoring.admission import MOST_STEPS
from games.scoring.errors import RuleError
from games.scoring.words import Text, _

RECORDED = _(
    "Amounts are recorded at this table, so its smallest coin stays. For another one, open a new table with "
    "starting balances."
)


def parts_of(
    name: str, *, unit: str, decimals: int, language: str, timezone: str, region: str = ""
) -> dict[str, Any]:
    """Return the fields of a new table, by name, as they are stored. Raise RuleError if one is invalid.

    `unit` is the sign of its money, e.g. "$", and `decimals` the number of decimals of its amounts. Without a
    region, the reader's language decides on the formats of numbers and days.
    """
    return _read(
        {
            "name": name,
            "unit": unit,
            "decimals": decimals,
            "language": language,
            "timezone": timezone,
            "region": region,
        }
    )


class OtherSign(Exception):
    """Raised before the sign of the table's money changes where entries are recorded, to ask whether that is meant.

    `amount` is one of them, as an example.
    """

    def __init__(self, table: Table, unit: str, entries: int, amount: int) -> None:
        super().__init__(unit)
        self.table, self.unit, self.entries, self.amount = table, unit, entries, amount


def change_settings(table: Table, *, confirmed: str = "", **changes: str | int | bool) -> None:
    """Change these fields of the table. Raise RuleError for the first that is invalid, and change none.

    Raise OtherSign unless another sign of its money is `confirmed`, where entries are recorded.
    Games keep their nights, and amounts their numbers: they are stored in the smallest coin, which can change
    until one is recorded. A form that is open names its region, and its amounts are read by that.
    """
    read = _read({name: value for name, value in changes.items() if value != getattr(table, name)})
    with transaction.atomic():
        locked = lock(table)
        wanted = {name: value for name, value in read.items() if value != getattr(locked, name)}
        refusal = why_coin_stays(locked) if "decimals" in wanted else None
        if refusal is not None:
            raise RuleError(refusal, field="decimals")
        if wanted.get("unit", confirmed) != confirmed and locked.entries.exists():
            raise OtherSign(locked, wanted["unit"], locked.entries.count(), _an_amount_of(locked))
        for name, value in wanted.items():
            setattr(locked, name, value)
            setattr(table, name, value)
        if wanted:
            locked.save(update_fields=list(wanted))
            revise(locked)
            raise_version(locked)


def _an_amount_of(table: Table) -> int:
    """Return the largest amount of the newest entry that moved any."""
    moved = table.entries.order_by("-number").values_list("differences", flat=True)
    return next((max(some.values()) for some in moved.iterator() if any(some.values())), 0)


def why_coin_stays(table: Table) -> Text | None:
    """Return why the smallest coin cannot change: an amount is recorded at the table. None if it can."""
    rows = (table.entries, table.payments, table.costs)
    is_recorded = any(some.exists() for some in rows) or _is_played_for_money(table)
    return RECORDED if is_recorded else None


def known_zone(zone: str) -> str:
    """Return the zone that a phone sent; the site's default if the phone sent none or an unknown one."""
    return zone if zone in time_zones() else settings.TIME_ZONE


@cache
def time_zones() -> Collection[str]:
    """Return the names of all time zones.

    They are cached, because listing them reads hundreds of files.
    """
    return frozenset(available_timezones())


def check_place(language: str, timezone: str, region: str = "") -> None:
    """Raise RuleError unless the app has this language and knows this time zone and region."""
    _read({"language": language, "timezone": timezone, "region": region})


def _read(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: READ[name](value) for name, value in fields.items()}


def _read_unit(unit: str) -> str:
    return read_name(unit, longest=UNIT_LENGTH, field="unit")


def _read_decimals(decimals: int) -> int:
    if not 0 <= decimals <= DECIMALS:
        raise RuleError(_("Amounts may have 0 to {most} decimals.", most=DECIMALS), field="decimals")
    return decimals


def _read_language(language: str) -> str:
    if language not in dict(settings.LANGUAGES):
        raise RuleError(_("The language “{language}” is not available.", language=language), field="language")
    return language


def _read_zone(zone: str) -> str:
    if zone not in time_zones():
        raise RuleError(_("The time zone “{timezone}” doesn't exist.", timezone=zone), field="timezone")
    return zone


def _read_region(region: str) -> str:
    if region and region not in REGIONS:
        raise RuleError(_("The region “{region}” is not available.", region=region), field="region")
    return region


READ: Mapping[str, Callable[[Any], Any]] = {
    "name": lambda name: read_name(name, longest=TABLE_NAME_LENGTH),
    "unit": _read_unit,
    "decimals": _read_decimals,
    "language": _read_language,
    "timezone": _read_zone,
    "region": _read_region,
    "pays_on_the_spot": bool,
}


def _is_played_for_money(table: Table) -> bool:
    """Return whether a game of the table is or may be for money, discarded ones included.

    A game that cannot be replayed, or not within the budget of steps, may be for money.
    """
    games = list(table.games.values_list("pk", flat=True))
    for part in (games[:1], games[1:]):  # the newest one answers for most tables
        states = states_of(part, most=MOST_STEPS)
        if any((state := states.get(game)) is None or state.rules.money for game in part):
            return True
    return False
