"""The region of a table in words, with examples of how money and days are written in it, and its smallest coin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.utils.dateformat import format as date_format
from django.utils.timezone import now
from django.utils.translation import gettext as _

from games.models import Table
from games.regions import formats_of, region_named
from games.shown.common.amounts import CENTS, money

EXAMPLE = 9000  # units of money
OFFERED = (0, CENTS)  # decimals


@dataclass(frozen=True)
class RegionChoice:
    """A region to choose: its key (`name`), its name in words, and an amount and a day in its formats."""

    name: str
    words: str
    example: str
    is_chosen: bool


@dataclass(frozen=True)
class CoinChoice:
    """A smallest coin to choose: its number of decimals, and the coin as an amount."""

    decimals: int
    coin: str
    is_chosen: bool


def smallest_coins(table: Table) -> Iterator[CoinChoice]:
    """Yield the smallest coins that the table may have, the present one included."""
    for decimals in sorted({*OFFERED, table.decimals}):
        coin = money(1, Table(unit=table.unit, decimals=decimals))
        yield CoinChoice(decimals, coin, decimals == table.decimals)


def region_choices(table: Table) -> Iterator[RegionChoice]:
    """Yield the regions that the table may have.

    A table without a region may stay without one, so that is a choice too: then each reader's language
    decides on the formats.
    """
    names = _names()
    for name in names if table.region else ["", *names]:
        yield _choice(name, names, table)


def region_shown(table: Table) -> RegionChoice:
    """Return the region of the table, with an amount and a day in its formats."""
    return _choice(table.region, _names(), table)


def _choice(name: str, names: Mapping[str, str], table: Table) -> RegionChoice:
    region, day = region_named(name), date(now().year, 12, 31)
    with formats_of(name):
        amount = money(EXAMPLE * 10**table.decimals, table)
    words = names.get(name) or _("By each reader's language")
    return RegionChoice(name, words, f"{amount} · {date_format(day, region.date)}", name == table.region)


def _names() -> Mapping[str, str]:
    return {
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
