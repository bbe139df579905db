"""Read a file of Splitwise into the form of starting balances. Nothing is written."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.models import Table
from games.nights import night_of
from games.notebook.expenses import Expenses
from games.notebook.old_nights import OldNotebook, read_old_notebook
from games.notebook.splitwise import balances_in
from games.people.access import get_table_or_404
from games.regions import current_region
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.notebook.old_notebook import problems_in_words
from games.shown.notebook.opening import RowErrors, file_rows, read_rows, remarks_on
from games.views.common.recording import UNPROCESSABLE
from games.views.notebook.opening import show_opening
from games.views.notebook.sent import text_problem, text_sent


@require_http_methods(["GET", "HEAD", "POST"])
def splitwise(request: HttpRequest, table_code: str) -> HttpResponse:
    """Read the file, and show the form of starting balances with the balances of the file."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method != "POST":
        return _show(request, table)
    text = text_sent(request)
    problem = text_problem(request, text)
    if problem:
        return _show(request, table, text, [problem])
    notebook = read_old_notebook(text, decimals=table.decimals, today=night_of(now(), table))
    expenses = notebook.expenses
    if expenses is None or notebook.problems:
        return _show(request, table, text, _problems(notebook, table))
    try:
        return _fill_in(request, table, expenses)
    except RuleError as refusal:
        return _show(request, table, text, [translate(refusal.text)])


def _fill_in(request: HttpRequest, table: Table, expenses: Expenses) -> HttpResponse:
    rows = file_rows(balances_in(expenses, table), table)
    remarks = remarks_on(expenses, table)
    try:
        balances = read_rows(rows, table, current_region())
    except RowErrors as wrong:
        return show_opening(request, table, rows, errors=wrong.errors, remarks=remarks, status=UNPROCESSABLE)
    return show_opening(request, table, rows, balances, remarks=remarks)


def _problems(notebook: OldNotebook, table: Table) -> list[str]:
    if notebook.expenses is None:
        return [
            _(
                "This is not a Splitwise file. It needs these columns: date, description, "
                "category, cost, currency, and one per person."
            )
        ]
    return problems_in_words(notebook.problems, table)


def _show(request: HttpRequest, table: Table, text: str = "", problems: Sequence[str] = ()) -> HttpResponse:
    context = {"table": table, "text": text, "problems": problems}
    status = UNPROCESSABLE if problems else 200
    return render(request, "games/notebook/splitwise.html", context, status=status)
