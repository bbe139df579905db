"""Erasing and restoring a table, for owners."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Table
from games.people import erasing
from games.people.access import BeingErased, erased_or_open_to
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.views.common.opened import user_of
from games.views.common.recording import MISSING, UNPROCESSABLE


@require_http_methods(["GET", "HEAD", "POST"])
def erase_table(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show what is erased with the table, and erase it once its name is typed.

    Afterwards show until when the table can be restored.
    """
    table = erased_or_open_to(request, table_code)
    if table.erased_at is not None:
        return _show_erased(request, table)
    if request.method != "POST":
        return _ask(request, table)
    try:
        erasing.erase(table, name=request.POST.get("erased-name", ""), by=user_of(request))
    except RuleError as refusal:
        return _ask(request, table, translate(refusal.text))
    return redirect("erase-table", table.code)


@require_POST
def bring_table_back(request: HttpRequest, table_code: str) -> HttpResponse:
    """Restore an erased table for everybody."""
    table = erased_or_open_to(request, table_code)
    erasing.bring_back(table, by=user_of(request))
    return redirect("table", table.code)


def being_erased(request: HttpRequest, erased: BeingErased) -> HttpResponse:
    """Return the page that an owner gets at any address of an erased table; it offers to restore it."""
    return _show_erased(request, erased.table, status=MISSING)


def _show_erased(request: HttpRequest, table: Table, *, status: int = 200) -> HttpResponse:
    return render(request, "games/people/erased.html", {"table": table}, status=status)


def _ask(request: HttpRequest, table: Table, refused: str = "") -> HttpResponse:
    context = {
        "table": table,
        "games": table.games.count(),
        "typed": request.POST.get("erased-name", ""),
        "refused": refused,
    }
    return render(request, "games/people/erase_table.html", context, status=UNPROCESSABLE if refused else 200)
