"""Beginning, changing and dropping a season, from the sheet of seasons."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.common.refused import CONFLICT, UNPROCESSABLE, Refused
from games.common.sentences import translate
from games.models import Season, Table
from games.scoring.errors import RuleError
from games.seasons import seasons as services
from games.seasons.pages.season import open_season, show_season
from games.seasons.pages.season_rows import SeasonFields, mark_of
from games.tables.access import Visitor, table_for


@require_POST
def begin_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Begin a season on the chosen day, which ends the one before it."""
    table, _role = table_for(Visitor(request.user), table_code, for_owning=True)
    try:
        services.begin_season(
            table,
            name=request.POST.get("name", ""),
            first_day=services.read_day(request.POST.get("first_day", ""), field="first_day"),
            order=services.read_order(request.POST.get("order", ""), field="order"),
        )
    except RuleError as refusal:
        return _refuse(request, table, None, refusal)
    return _back(table)


@require_POST
def change_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Change the name or the first day of a season, or the order of its standings, e.g. by wins."""

    def change(season: Season) -> None:
        services.change_season(
            season,
            name=request.POST.get("name", ""),
            first_day=services.read_day(request.POST.get("first_day", ""), field="first_day"),
            order=services.read_order(request.POST.get("order", season.order), field="order"),
        )

    return _write(request, table_code, change)


@require_POST
def drop_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Delete a season; its games move to the season before it."""
    return _write(request, table_code, services.drop_season)


def _write(request: HttpRequest, table_code: str, write: Callable[[Season], None]) -> HttpResponse:
    table, _role = table_for(Visitor(request.user), table_code, for_owning=True)
    number = request.POST.get("season", "")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Http404(_("This table doesn't have that season."))
    season = table.seasons.filter(pk=number).first()
    if season is None:
        return _show_present(request, table)
    try:
        write(season)
    except services.StaleSeasons:
        return _show_present(request, table)
    except RuleError as refusal:
        return _refuse(request, table, season, refusal)
    return _back(table)


def _back(table: Table) -> HttpResponse:
    return redirect("season", table.code)


def _show_present(request: HttpRequest, table: Table) -> HttpResponse:
    news = _("Not saved: the seasons have changed. These are the current ones.")
    return show_season(request, open_season(request, table.code), Refused(CONFLICT, news=news))


def _refuse(request: HttpRequest, table: Table, season: Season | None, refusal: RuleError) -> HttpResponse:
    """Show a refusal at its field in the form of this season, or of a new one (None), with what was typed."""
    name, first_day, order = (request.POST.get(field, "") for field in ("name", "first_day", "order"))
    errors = {refusal.field: translate(refusal.text)}
    typed = SeasonFields(mark_of(season), name, first_day, order, errors)
    about_no_field = {} if refusal.field else errors
    return show_season(
        request, open_season(request, table.code), Refused(UNPROCESSABLE, about_no_field), {season: typed}
    )
