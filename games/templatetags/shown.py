"""Points and money in templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import template
from django.http import HttpRequest
from django.template import Context

from games.models import Table
from games.shown.common import amounts
from games.shown.play import unrecorded

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


@register.simple_tag(takes_context=True)
def typed_round(context: Context) -> Sequence[tuple[str, str]]:
    """The round that was posted to this page, which recorded nothing; empty where none was."""
    request = context.get("request")
    return unrecorded.typed_round(request.POST) if isinstance(request, HttpRequest) else ()
