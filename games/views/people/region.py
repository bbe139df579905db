"""The page of a table's region, in which its numbers, money and days are written. Owners change it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.models import Table
from games.people.access import get_table_or_404
from games.people.regions import change_region
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.people.region import region_choices
from games.views.common.recording import UNPROCESSABLE


@require_http_methods(["GET", "HEAD", "POST"])
def region(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the regions to choose from, each with examples; on POST, change the region of the table."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method != "POST":
        return _show(request, table)
    try:
        change_region(table, request.POST.get("region", ""))
    except RuleError as refusal:
        return _show(request, table, translate(refusal.text), status=UNPROCESSABLE)
    return redirect("table-settings", table.code)


def _show(request: HttpRequest, table: Table, error: str = "", *, status: int = 200) -> HttpResponse:
    context = {"table": table, "choices": region_choices(table), "error": error}
    return render(request, "games/people/region.html", context, status=status)
