"""Points and money formatted for the reader's language."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.utils.formats import number_format
from django.utils.translation import ngettext

from games.models import Table

UNITS = ("$", "fichas", "porotos")  # offered for a new table
MINUS = "\u2212"
NO_BREAK = "\u00a0"
WORD_JOINER = "\u2060"


def points(amount: int, *, signed: bool = False) -> str:
    """Return a score in the reader's format: `−10`, `1.204`; if `signed`, a positive one has a plus."""
    size = abs(amount)
    # A number below a thousand needs no grouping, and Django's formatting takes ten times as long for
    # hundreds of figures.
    figure = str(size) if size < 1000 else number_format(size, use_l10n=True, force_grouping=True)
    return _sign(amount, signed=signed) + figure


def points_in_words(total: int) -> str:
    """Return a score with its unit: `1 point`, `−10 points`."""
    return ngettext("%(points)s point", "%(points)s points", abs(total)) % {"points": points(total)}


def money(amount: int, table: Table, *, signed: bool = False) -> str:
    """Return an amount of the table's money, given in its smallest units: `$ 1.000`, `−$ 20`, `30 fichas`."""
    sign = _sign(amount, signed=signed)
    figure = amount_alone(abs(amount), table)
    if table.unit.isalpha():
        return f"{sign}{figure}{NO_BREAK}{table.unit}"
    return f"{sign}{table.unit}{NO_BREAK}{figure}"


def amount_alone(amount: int, table: Table, *, signed: bool = False) -> str:
    """Return an amount of the table's money without its unit: `1.000`, `−20`."""
    whole, part = divmod(abs(amount), 10**table.decimals)
    return _sign(amount, signed=signed) + number_format(
        f"{whole}.{part:0{table.decimals}d}" if table.decimals else whole,
        decimal_pos=table.decimals,
        use_l10n=True,
        force_grouping=True,
    )


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
