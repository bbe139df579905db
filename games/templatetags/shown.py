"""Points and money in templates."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from games.models import Table
from games.shown import amounts

register = template.Library()


@register.filter
def money(amount: int, table: Table) -> str:
    """The amount in the table's money."""
    return amounts.money(amount, table)


@register.filter
def unbroken(sentence: str) -> str:
    """The sentence, its amounts each on one line."""
    return amounts.unbroken(sentence)


@register.filter
def get(mapping: Mapping[str, object], key: str) -> object:
    """The value under a key that a template cannot write behind a dot; "" where there is none."""
    return mapping.get(key, "")
