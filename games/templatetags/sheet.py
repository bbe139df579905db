"""The rows of the scoresheet as HTML.

There are hundreds of cells, and a template would take ten times as long for each of them.
"""

from __future__ import annotations

from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.shown.play.sheet import Cell, Row, Sheet

register = template.Library()


@register.simple_tag
def rows(sheet: Sheet) -> SafeString:
    """Return the rows of the sheet as HTML, everything in them escaped."""
    return mark_safe("\n".join(map(_row, sheet.rows)))


def _row(row: Row) -> str:
    parts = [f'<tr role="row"{_class(row.marks)}>', _head(row)]
    if row.sentence:
        parts.append(f'<td role="cell" class="{row.line_marks}">{escape(row.sentence)}</td>')
    write = _reentry if row.is_reentry else _figure
    parts += [write(cell) if cell.text else _EMPTY for cell in row.cells]
    return "\n".join([*parts, "</tr>"])


def _head(row: Row) -> str:
    if not row.has_head:
        return '<td role="cell"></td>'
    parts = [_AGAIN + _hidden(_("Re-entry")) if row.is_reentry else escape(row.head)]
    if row.contract:
        parts += [f'<small aria-hidden="true">{escape(row.contract)}</small>', _hidden(row.contract_label)]
    if row.is_corrected:
        parts.append(_hidden(_("corrected")))
    return "\n".join(['<th role="rowheader">', *parts, "</th>"])


_AGAIN = '<i class="i i-again" aria-hidden="true"></i>'
_EMPTY = '<td role="cell" class="soft"></td>'


def _figure(cell: Cell) -> str:
    text = escape(cell.text)
    if cell.below:
        text += f'<small class="below">{escape(cell.below)}</small>'
    if cell.href:
        text = f'<a class="cell" href="{escape(cell.href)}" aria-label="{escape(cell.label)}">{text}</a>'
    else:
        text = f'<span class="cell">{text}</span>{_hidden(cell.label) if cell.label else ""}'
    return f'<td role="cell"{_class(cell.marks)}>{text}</td>'


def _reentry(cell: Cell) -> str:
    text = f'<span aria-hidden="true">{escape(cell.text)}</span>{_hidden(cell.label)}'
    return f'<td role="cell"{_class(cell.marks)}>{text}</td>'


def _hidden(text: str) -> str:
    """Return the text as HTML that is invisible and that only screen readers read out."""
    return f'<span class="vh">{escape(text)}</span>'


def _class(names: str) -> str:
    return f' class="{names}"' if names else ""
