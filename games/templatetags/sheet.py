"""The cells of the scoresheet as HTML.

There are hundreds of cells, and a template would take ten times as long for each of them.
"""

from __future__ import annotations

from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe

from games.shown.play.sheet import Cell, Row

register = template.Library()


@register.simple_tag
def cells(row: Row) -> SafeString:
    """Return the cells of a row as HTML, with all their text escaped."""
    write = _reentry if row.is_reentry else _figure
    return mark_safe("\n".join([write(cell) if cell.text else _EMPTY for cell in row.cells]))


_EMPTY = '<td role="cell" class="soft"></td>'


def _figure(cell: Cell) -> str:
    text = escape(cell.text)
    if cell.below:
        text += f'<small class="below">{escape(cell.below)}</small>'
    if cell.href:
        text = f'<a class="cell" href="{escape(cell.href)}" aria-label="{escape(cell.label)}">{text}</a>'
    return f"<td{_attributes(cell)}>{text}</td>"


def _reentry(cell: Cell) -> str:
    text, label = escape(cell.text), escape(cell.label)
    return (
        f'<td{_attributes(cell)}><span aria-hidden="true">{text}</span><span class="vh">{label}</span></td>'
    )


def _attributes(cell: Cell) -> str:
    return f' role="cell" class="{cell.marks}"' if cell.marks else ' role="cell"'
