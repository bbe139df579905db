"""The rows of the scoresheet as HTML.

There are hundreds of cells, and a template would take ten times as long for each.
"""

from __future__ import annotations

from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.common import amounts
from games.play.presenters.scoresheet import CellNote, RowSummary, ScoreCell, ScoreRow, Scoresheet

register = template.Library()

PLAIN_ICONS = {"again": "→", "join": "+", "close": "×"}  # of notes, on pages without these icons


@register.simple_tag
def rows(sheet: Scoresheet) -> SafeString:
    """Return the rows of the scoresheet as HTML, with everything in them escaped."""
    return mark_safe("\n".join(map(_row, sheet.rows)))


@register.simple_tag
def row_summaries(sheet: Scoresheet) -> SafeString:
    """Return the rows that may replace the oldest ones, each with a fold that opens them."""
    return mark_safe("\n".join(map(_fold, sheet.folds)))


@register.simple_tag
def played_rows(sheet: Scoresheet) -> SafeString:
    """Return the rows of the scoresheet as HTML without links, for a page that shows it beside its form."""
    return mark_safe("".join(_played_row(row, len(sheet.columns)) for row in sheet.rows))


def _played_row(row: ScoreRow, width: int) -> str:
    if row.sentence:
        return f'<tr><td></td><td colspan="{width}">{escape(row.sentence)}</td></tr>'
    return f'<tr><th scope="row">{escape(row.head)}</th>{"".join(map(_played_cell, row.cells))}</tr>'


def _played_cell(cell: ScoreCell) -> str:
    is_closer = "cut" in cell.marks
    notes = (f"<small>{PLAIN_ICONS.get(note.icon, '')}{escape(note.text)}</small>" for note in cell.notes)
    return f"<td{_class('cut' if is_closer else '')}>{escape(cell.text)}{''.join(notes)}</td>"


def _fold(fold: RowSummary) -> str:
    head = f"<details><summary>{_hidden(_('Rounds'))}{fold.head}</summary></details>"
    cells = "".join(f'<td role="cell">{escape(total)}</td>' for total in fold.totals)
    return f'<tr role="row" data-kept="{fold.kept}"><th role="rowheader">{head}</th>{cells}</tr>'


def _row(row: ScoreRow) -> str:
    parts = [f'<tr role="row"{_class("re" if row.sentence else "")}>', _head(row)]
    if row.sentence:
        line = _class(amounts.css_classes("line", fixed=row.is_corrected))
        parts.append(f'<td role="cell"{line}>{escape(row.sentence)}</td>')
    return "\n".join([*parts, *map(_cell, row.cells), "</tr>"])


def _head(row: ScoreRow) -> str:
    parts = [escape(row.head)]
    if row.contract:
        parts += [f'<small aria-hidden="true">{escape(row.contract)}</small>', _hidden(row.contract_label)]
    if row.is_corrected:
        parts.append(_hidden(_("corrected")))
    tag, role = ("th", "rowheader") if any(parts) else ("td", "cell")
    if row.href:  # for a finger: a narrow row is one target
        parts.append(f'<a class="opens" href="{escape(row.href)}" tabindex="-1" aria-hidden="true"></a>')
    return "\n".join([f'<{tag} role="{role}">', *parts, f"</{tag}>"])


def _cell(cell: ScoreCell) -> str:
    text = escape(cell.text) + "".join(map(_note, cell.notes))
    if cell.href:
        text = f'<a class="cell" href="{escape(cell.href)}" aria-label="{escape(cell.label)}">{text}</a>'
    elif text:
        labels = filter(None, (cell.label, *(note.label for note in cell.notes)))
        text = f'<span class="cell">{text}</span>{"".join(map(_hidden, labels))}'
    return f'<td role="cell"{_class(cell.marks)}>{text}</td>'


def _note(note: CellNote) -> str:
    text = (
        f'<i class="i i-{note.icon}"></i><span>{escape(note.text)}</span>' if note.icon else escape(note.text)
    )
    hidden = ' aria-hidden="true"' if note.label else ""
    return f'<small class="{amounts.css_classes(*filter(None, ("below", note.tone)))}"{hidden}>{text}</small>'


def _hidden(text: str) -> str:
    """Return the text as HTML that only screen readers read out."""
    return f'<span class="vh">{escape(text)}</span>'


def _class(names: str) -> str:
    return f' class="{names}"' if names else ""
