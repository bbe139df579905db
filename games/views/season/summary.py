"""The summary of a season or a year (el resumen).

It shows champion, podium, new records and rivals, with a text and a picture to be sent.
"""

from __future__ import annotations

import json
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models import Table
from games.money.balances import People
from games.nights import FIRST_YEAR, night_of
from games.people.access import table_open_to
from games.season.filters import ALL, Filters
from games.season.summaries import summary_of
from games.shown.season import summary as shown
from games.shown.season.season import span_of


@require_GET
def season_summary(request: HttpRequest, table_code: str, season: int) -> HttpResponse:
    """Show the summary of a season."""
    table, _role = table_open_to(request, table_code)
    seasons = list(table.seasons.all())
    chosen = next((one for one in seasons if one.pk == season), None)
    if chosen is None:
        raise Http404(_("This table doesn't have that season."))
    span, is_over = span_of(chosen, seasons), chosen != seasons[-1]
    return _show(request, table, Filters(chosen), chosen.name, span=span, is_over=is_over)


@require_GET
def year_summary(request: HttpRequest, table_code: str, year: int) -> HttpResponse:
    """Show the summary of a year. Answer 404 for a year before 1900 or in the future."""
    table, _role = table_open_to(request, table_code)
    present = night_of(now(), table).year
    if not FIRST_YEAR <= year <= present:
        raise Http404(_("That year is in the future or too long ago."))
    days = Filters(None, first=date(year, 1, 1), last=date(year, 12, 31))
    return _show(request, table, days, str(year), span="", is_over=year < present)


def _show(
    request: HttpRequest, table: Table, filters: Filters, name: str, *, span: str, is_over: bool
) -> HttpResponse:
    summary = summary_of(table, People.of(table), filters, list(table.seasons.all()))
    page = shown.summary_shown(summary, table, name=name, span=span, is_over=is_over)
    days = {"season": ALL, "from": str(filters.first), "to": str(filters.last)}
    context = {
        "table": table,
        "summary": page,
        "games": urlencode({"season": filters.season.pk} if filters.season else days),
        "message": shown.summary_message(page, table),
        "drawn": json.dumps(shown.summary_picture(page, table)),
        "file_name": shown.summary_file(page),
    }
    return render(request, "games/season/summary.html", context)
