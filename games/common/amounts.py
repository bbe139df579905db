"""Points and money as text: like Babel, but as players here write money, and ten times as fast.

The number format is that of the active region (`games/common/regions.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import regions
from games.models import Table

MINUS = "\u2212"
WORD_JOINER = "\u2060"
CENTS = 2  # decimals of an amount with cents


# Units of money whose prices have cents everywhere. Chips and beans have none.
_WITH_CENTS = frozenset({"EUR", "GBP", "PEN", "U$S", "US$", "USD"}) | {
    units[0] for units, has_cents in regions.MONEY.values() if has_cents and units[0] != "$"
}


def default_decimals(unit: str) -> int:
    """Return the number of decimals that a new table's amounts get in this unit of money.

    The $ belongs to several countries, so the country in use decides: in Argentina, Chile and Colombia it has
    none.
    """
    has_cents = unit in _WITH_CENTS or (unit == "$" and regions.local_money() == (("$",), True))
    return CENTS if has_cents else 0


def offered_units(chosen: str = "") -> Sequence[str]:
    """Return the units of money to offer for a new table, as text.

    They are those of the country in use, such as `$`, the words for chips and beans, and `chosen`, the unit
    already chosen, if any.
    """
    return tuple(
        dict.fromkeys(unit for unit in (*regions.local_money()[0], _("chips"), _("beans"), chosen) if unit)
    )


def points(amount: int, *, signed: bool = False) -> str:
    """Return a score as text: `−10`, `1.204`. If `signed`, a positive score gets a plus sign."""
    size = abs(amount)
    # A number below a thousand looks the same everywhere, and a scoresheet has hundreds of them.
    figure = str(size) if size < 1000 else regions.active_region().number(size)
    return _sign(amount, signed=signed) + figure


def ordinal(number: int) -> str:
    """Return a place or a turn in the reader's language: `2nd`, `2.º`."""
    if regions.active_language() == "es":
        return f"{number}.º"
    is_teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if is_teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def points_label(total: int) -> str:
    """Return a score with its unit: `1 point`, `−10 points`."""
    return ngettext("%(points)s point", "%(points)s points", abs(total)) % {"points": points(total)}


def money(amount: int, table: Table, *, signed: bool = False) -> str:
    """Return an amount of the table's money with its unit: `$ 1.000`, `−$ 20`, `30 fichas`.

    `amount` is in the smallest units, such as cents. If `signed`, a positive amount gets a plus sign.
    """
    figure = _figure(abs(amount), table)
    return _sign(amount, signed=signed) + regions.active_region().amount(figure, table.unit)


def _figure(amount: int, table: Table) -> str:
    """Return an amount of the table's money without its sign and unit: `1.000`, `0,50`."""
    whole, part = divmod(amount, 10**table.decimals)
    decimals = f"{part:0{table.decimals}d}" if table.decimals else ""
    return regions.active_region().number(whole, decimals)


def short_money(amount: int, table: Table) -> str:
    """Return an amount like `money`, but without cents if it has none: `$1`, `$0.50`. Stakes are written so."""
    return regions.active_region().amount(short_amount(amount, table), table.unit)


def short_amount(amount: int, table: Table) -> str:
    """Return an amount of the table's money without its unit, and without cents if it has none: `1.000`, `5`."""
    whole, part = divmod(amount, 10**table.decimals)
    return _figure(amount, table) if part else regions.active_region().number(whole)


def _sign(amount: int, *, signed: bool) -> str:
    return MINUS if amount < 0 else "+" if signed and amount > 0 else ""


def join_signs(sentence: str) -> str:
    """Return the sentence with an invisible word joiner between a plus or minus sign and a currency symbol.

    Otherwise a line could break after the sign.
    """
    return re.sub(rf"([{MINUS}+])(?=[^\d\s])", rf"\1{WORD_JOINER}", sentence)


def money_formatter(table: Table) -> Callable[[int], str]:
    """Return a function that formats an amount of this table like `money`, for `texts.translate`."""
    return lambda amount: money(amount, table)


def tone(amount: int) -> str:
    """Return the CSS class of an amount's color: "green" if won, "red" if lost, "soft" for zero.

    The amount's sign tells the same to readers who cannot see the color.
    """
    return "green" if amount > 0 else "red" if amount < 0 else "soft"


# --- the CSS classes of an element, some of them conditional ----------------------------------------------------------


def css_classes(*always: str, **depending: bool) -> str:
    """Return the CSS classes in one string: `css_classes("total", lead=True, red=False)` is "total lead"."""
    return " ".join([*always, *(mark for mark, holds in depending.items() if holds)])
