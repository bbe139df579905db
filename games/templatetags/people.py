"""Tags about the people of a table: the reader whose claim waits for a yes."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.template import Context

from games.models import Table
from games.tables.presenters import claim_list

register = template.Library()


@register.inclusion_tag("tables/_pending.html", takes_context=True)
def pending_claim(context: Context) -> Mapping[str, object]:
    """Return the template variables of the line for a reader whose claim waits for a yes, on every page."""
    table = context.get("table")
    access = table.reader_access if isinstance(table, Table) else None
    if access is None or table is None:
        return {"pending": {}}
    return {"table": table, "pending": claim_list.waiting_context(table, access)}
