"""The page of a table's clock: the time zone of its hours and nights, which owners change."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_http_methods

from games.models import Table
from games.people.access import get_table_or_404
from games.people.clocks import change_zone
from games.scoring.errors import RuleError
from games.shown.common.days import clock as time_of
from games.shown.common.sentences import translate
from games.shown.people.clock import place_of, zone_choices
from games.views.common.recording import UNPROCESSABLE


@require_http_methods(["GET", "HEAD", "POST"])
def clock(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the table's time zone, and change it."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method != "POST":
        return _show(request, table)
    try:
        change_zone(table, request.POST.get("timezone", ""))
    except RuleError as refusal:
        return _show(request, table, translate(refusal.text), status=UNPROCESSABLE)
    return redirect("clock", table.code)


def _show(request: HttpRequest, table: Table, error: str = "", *, status: int = 200) -> HttpResponse:
    context = {
        "table": table,
        "place": place_of(table.timezone),
        "time": time_of(now(), table),
        "regions": zone_choices(request.POST.get("timezone", table.timezone)),
        "error": error,
    }
    return render(request, "games/people/clock.html", context, status=status)
