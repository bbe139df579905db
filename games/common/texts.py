"""Texts of the scoring library in the active language."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from django.utils.translation import gettext, ngettext, pgettext

from games.common import amounts, days, naming
from games.scoring.cards import JOKER, JOKER_SIGN
from games.scoring.i18n import CardsParam, MoneyParam, Param, Text


def translate(text: Text, money: Callable[[int], str] = str) -> str:
    """Return the text in the active language.

    `money` formats the amounts of money in it; other numbers are formatted as points.
    """
    params = {name: _format_param(value, money) for name, value in text.params.items()}
    if text.plural:
        template = ngettext(text.template, text.plural, text.count)
    elif text.context:
        template = pgettext(text.context, text.template)
    else:
        template = gettext(text.template) if text.template else ""  # gettext("") is the catalog's header
    return template.format(**params)


def _format_param(value: Param, money: Callable[[int], str]) -> str:
    match value:
        case Text():
            return translate(value, money)
        case MoneyParam():
            return money(value)
        case int():
            return amounts.points(value)
        case date():
            return days.format_numeric_date(value)
        case CardsParam():
            return value.replace(JOKER, JOKER_SIGN)
        case _:
            return naming.isolate(value)
