"""Points and money as people write them in the region in use (`games/regions.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Table
from games.regions import current_region

MINUS = "\u2212"
WORD_JOINER = "\u2060"


def units_offered(chosen: str = "") -> Sequence[str]:
    """Return the units offered for a new table: the money of the reader's region, and things to play for.

    `chosen` is among them even if another language offered it.
    """
    return tuple(
        dict.fromkeys(unit for unit in (*current_region().units, _("chips"), _("beans"), chosen) if unit)
    )


def points(amount: int, *, signed: bool = False) -> str:
    """Return a score: `−10`, `1.204`; if `signed`, a positive one has a plus."""
    size = abs(amount)
    # A number below a thousand is the same everywhere, and a sheet has hundreds of them.
    figure = str(size) if size < 1000 else current_region().number(size)
    return _sign(amount, signed=signed) + figure


def points_in_words(total: int) -> str:
    """Return a score with its unit: `1 point`, `−10 points`."""
    return ngettext("%(points)s point", "%(points)s points", abs(total)) % {"points": points(total)}


def money(amount: int, table: Table, *, signed: bool = False) -> str:
    """Return an amount of the table's money, given in its smallest units: `$ 1.000`, `−$ 20`, `30 fichas`."""
    figure = amount_alone(abs(amount), table)
    return _sign(amount, signed=signed) + current_region().amount(figure, table.unit)


def amount_alone(amount: int, table: Table, *, signed: bool = False) -> str:
    """Return an amount of the table's money without its unit: `1.000`, `−20`."""
    whole, part = divmod(abs(amount), 10**table.decimals)
    decimals = f"{part:0{table.decimals}d}" if table.decimals else ""
    return _sign(amount, signed=signed) + current_region().number(whole, decimals)


def _sign(amount: int, *, signed: bool) -> str:
    return MINUS if amount < 0 else "+" if signed and amount > 0 else ""


def unbroken(sentence: str) -> str:
    """Return the sentence with an invisible joiner after each sign, so that no line ends after a sign."""
    return re.sub(rf"([{MINUS}+])(?=[^\d\s])", rf"\1{WORD_JOINER}", sentence)


def money_of(table: Table) -> Callable[[int], str]:
    """Return a function that formats this table's amounts inside a sentence."""
    return lambda amount: money(amount, table)


def tone_of(amount: int) -> str:
    """Return the colour of an amount won or lost; the amount's sign says the same."""
    return "green" if amount > 0 else "red" if amount < 0 else "soft"
