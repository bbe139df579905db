"""Reading amounts of money, exchange rates and days as a person types them.

Amounts have the table's decimals and the separators of the reader's language.
"""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction

from django.utils.formats import get_format

from games.models import Table

_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?P<between>[., \u00a0\u202f'’])[0-9]{3}(?:(?P=between)[0-9]{3})*")
LONGEST = 20
RATE_DECIMALS = 6


def typed_amount(amount: int, table: Table) -> str:
    """Return the amount as shown in an input: no unit, no thousands separator."""
    whole, part = divmod(amount, 10**table.decimals)
    if not table.decimals:
        return str(whole)
    return f"{whole}{get_format('DECIMAL_SEPARATOR')}{part:0{table.decimals}d}"


def read_amount(text: str, table: Table) -> int | None:
    """Return the typed amount in the table's smallest units.

    Return None if the text is no amount, or has more decimals than the table.
    """
    typed = text.strip().removeprefix(table.unit).removesuffix(table.unit).strip()
    if len(typed) > LONGEST:
        return None
    whole, point, part = _parted(typed, table.decimals)
    grouped = _GROUPED.fullmatch(whole)
    if grouped and grouped["between"] != point:
        whole = whole.replace(grouped["between"], "")
    if not re.fullmatch(r"[0-9]+", whole) or not re.fullmatch(r"[0-9]*", part) or len(part) > table.decimals:
        return None
    return int(whole + part.ljust(table.decimals, "0"))


def _parted(typed: str, decimals: int) -> tuple[str, str, str]:
    """Return the text before the decimal separator, the separator, and the text after it.

    The separator is the last comma or point. If three digits follow, the sign usually separates thousands:
    `1.500` is one thousand five hundred. Then it is a decimal separator only if `decimals` is at least 3 and
    the reader's language uses this sign.
    """
    place = max(typed.rfind("."), typed.rfind(","))
    if place < 0:
        return typed, "", ""
    whole, point, part = typed[:place], typed[place], typed[place + 1 :]
    if len(part) == 3 and (decimals < 3 or point != get_format("DECIMAL_SEPARATOR")):
        return typed, "", ""
    return whole, point, part


def read_day(text: str) -> date | None:
    """Return the day written as in 2024-05-31, None if the text is no day."""
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def read_rate(text: str) -> Fraction | None:
    """Return the exchange rate as an exact fraction, None if the text is no number."""
    typed = text.strip()
    if len(typed) > LONGEST:
        return None
    whole, point, part = _parted(typed, RATE_DECIMALS)
    grouped = _GROUPED.fullmatch(whole)
    if grouped and grouped["between"] != point:
        whole = whole.replace(grouped["between"], "")
    if not re.fullmatch(r"[0-9]+", whole) or not re.fullmatch(rf"[0-9]{{0,{RATE_DECIMALS}}}", part):
        return None
    return Fraction(int(whole + part), 10 ** len(part))
