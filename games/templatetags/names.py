"""Filters for people's names, in every template. `games/common/naming.py` explains why names are isolated."""

from __future__ import annotations

from django import template
from django.utils.html import format_html

from games.common import name_marks, naming
from games.models import Table

register = template.Library()


@register.filter
def bdi(name: str) -> str:
    """Return the name for the text of a page, in a `bdi` element that no browser translates."""
    return format_html('<bdi translate="no">{}</bdi>', name)


@register.filter
def for_chat(text: str, table: Table) -> str:
    """Return a text for the group's chat that shows the table's names unchanged."""
    text = name_marks.remove(text)
    if not table.pk or not naming.CHAT_SIGNS.search(text):
        return text
    return naming.isolate_in(text, [table.name, *table.members.values_list("name", flat=True)])


@register.filter
def isolate(name: str) -> str:
    """Return the name for a place that takes no markup: an attribute, a title, an option, a picture."""
    return naming.isolate(name)
