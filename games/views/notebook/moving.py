"""Moving a table to another installation by its file, and ending a move."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Table
from games.people import moving
from games.people.access import get_table_or_404
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE


@require_http_methods(["GET", "HEAD", "POST"])
def move_table(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show an owner how to move the table; on POST, mark it as moved or change its new address."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method != "POST":
        return _show(request, table)
    try:
        moving.move(table, by=user_of(request), to=request.POST.get("moved-to", "").strip())
    except RuleError as refusal:
        return _show(request, table, translate(refusal.text))
    return redirect("move-table", table.code)


@require_POST
def end_move(request: HttpRequest, table_code: str) -> HttpResponse:
    """End the move: the table can be changed here again without importing its file back."""
    table = get_table_or_404(request, table_code, for_owning=True)
    moving.end_move(table, by=user_of(request))
    return redirect("table", table.code)


def _show(request: HttpRequest, table: Table, error: str = "") -> HttpResponse:
    context = {"table": table, "error": error, "typed": request.POST.get("moved-to", table.moved_to)}
    return render(request, "games/notebook/move_table.html", context, status=UNPROCESSABLE if error else 200)
