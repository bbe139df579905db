"""Parsing of amounts of money and days as people type them. In English, Babel would read 1,50 as 150.

An amount has as many decimals as the table's money. A form sends the region in whose number format it was
rendered, and its amounts are read in that format: the table's region may change while an entry is queued on a
phone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from games.common import amounts, regions, request_handling, texts
from games.common.regions import Region
from games.models import Table
from games.scoring.i18n import _

_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?P<between>[., \u00a0\u202f'’])[0-9]{3}(?:(?P=between)[0-9]{3})*")
_POINTS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?P<between>[.,\u00a0\u202f])[0-9]{3}(?:(?P=between)[0-9]{3})*")
LONGEST = 20
LONGEST_POINTS = 10  # characters of a number of points: a sign and digits
REGION = "region"  # the form field with the region in whose number format the amounts are typed
NO_CENTS_YET = _("You play without cents: enter a whole amount, or use cents.")  # before the table exists
NO_CENTS = _(
    "This table has no cents: enter a whole amount. Owners can see its smallest coin in the table settings."
)


def parse_decimals(data: Mapping[str, str], unit: str) -> int:
    """Return the decimals of the money of a table that a posted form creates with this unit.

    If the form sends none, or only the unit of money was changed, the unit's default applies. The button *Use
    cents* always chooses cents.
    """
    text = data.get("decimals")
    is_other = unit != data.get("shown-unit", unit) and text == data.get("shown-decimals")
    if "cents" in data:
        return amounts.CENTS
    return (
        amounts.default_decimals(unit)
        if text is None or is_other
        else request_handling.parse_int(text, most_digits=1)
    )


def input_mode(table: Table) -> str:
    """Return an amount's input mode: a keypad with a decimal separator if the table's money has decimals."""
    return "decimal" if table.decimals else "numeric"


def input_amount(amount: int, table: Table) -> str:
    """Return an amount in the smallest units as the text of an input: no unit, no thousands separators."""
    whole, part = divmod(amount, 10**table.decimals)
    if not table.decimals:
        return str(whole)
    return f"{whole}{regions.active_region().decimal}{part:0{table.decimals}d}"


def parse_amount(text: str, table: Table, region: Region | None = None) -> int | None:
    """Return a typed amount in the table's smallest units, such as cents.

    `region` has the number format; None is the active region. Return None if the text is not an amount, or
    has more decimals than the table's money.
    """
    digits = _parse_digits(_without_unit(text, table), table.decimals, region or regions.active_region())
    return None if digits is None else int(digits[0] + digits[1].ljust(table.decimals, "0"))


def has_unexpected_cents(text: str, table: Table, region: Region | None = None) -> bool:
    """Return whether the text is an amount with cents, typed at a table that has none."""
    if table.decimals or parse_amount(text, table, region) is not None:
        return False
    return (
        _parse_digits(_without_unit(text, table), amounts.CENTS, region or regions.active_region())
        is not None
    )


def _without_unit(text: str, table: Table) -> str:
    return text.strip().removeprefix(table.unit).removesuffix(table.unit).strip()


def _parse_digits(text: str, decimals: int, region: Region) -> tuple[str, str] | None:
    """Return the digits of a typed number before and after the decimal separator.

    Return None if the text is not a number, is too long, or has more than `decimals` decimals.
    """
    if len(text) > LONGEST:
        return None
    whole, point, part = _split_decimals(text, decimals, region)
    match = _GROUPED.fullmatch(whole)
    if match and match["between"] != point:
        whole = whole.replace(match["between"], "")
    if part and not whole:  # `.50` is half a unit
        whole = "0"
    if not re.fullmatch(r"[0-9]+", whole) or not re.fullmatch(rf"[0-9]{{0,{decimals}}}", part):
        return None
    return whole, part


def strip_separators(text: str) -> str:
    """Return a whole number without its thousands separators, and any other text unchanged.

    Points have no decimals, so `1.204` and `1,204` are the same in every region.
    """
    number = text.strip().replace("\u2212", "-")
    match = _POINTS.fullmatch(number)
    return number.replace(match["between"], "") if match else text


def form_region(data: Mapping[str, str]) -> Region:
    """Return the region that a posted form was rendered in; the active region if it names none."""
    return regions.region_named(data[REGION]) if REGION in data else regions.active_region()


def _split_decimals(text: str, decimals: int, region: Region) -> tuple[str, str, str]:
    """Return the text before the decimal separator, the separator, and the text after it.

    Without a decimal separator, the last two are "". The last comma or point is the separator unless exactly
    three characters follow. Then the region decides: `1.500` is one thousand five hundred in Argentina, and
    one and a half in Mexico. Without a chosen region (its name is ""), the language gives the formats, but an
    Argentine who reads English still types `1.500`. So it then separates thousands, unless nothing precedes
    it or the amount may have three or more `decimals`.
    """
    place = max(text.rfind("."), text.rfind(","))
    if place < 0:
        return text, "", ""
    whole, point, part = text[:place], text[place], text[place + 1 :]
    is_decimal = not whole or (point == region.decimal and (decimals >= 3 or region.name))
    if len(part) == 3 and not is_decimal:
        return text, "", ""
    return whole, point, part


def amount_error(text: str, table: Table, region: Region, otherwise: str) -> str:
    """Return the sentence to show beside a refused amount.

    It is NO_CENTS for cents at a table that has none; otherwise `otherwise`, whose %(example)s becomes an
    example of an amount.
    """
    if has_unexpected_cents(text, table, region):
        return texts.translate(NO_CENTS)
    return otherwise % {"example": amounts.money(1500 * 10**table.decimals, table)}


def parse_day(text: str) -> date | None:
    """Return the day of a text such as 2024-05-31; None if the text is not a day."""
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None
