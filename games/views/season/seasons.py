"""The seasons of a table: listing them; beginning, changing and dropping one, for owners."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.models import Role, Season, Table
from games.money.balances import People
from games.nights import night_of
from games.people.access import get_table_or_404, table_open_to
from games.scoring.errors import RuleError
from games.season import seasons as services
from games.season.summaries import years_of
from games.shown.common.played import games_in_words
from games.shown.common.sentences import translate
from games.shown.season.season import orders, span_of
from games.views.common.recording import CONFLICT, UNPROCESSABLE, Refused


@dataclass(frozen=True)
class Fields:
    """The fields of a season's HTML form: the present values, or those that were typed and refused.

    `mark` ends the ids of this form, `errors` has the refusals by field.
    """

    mark: str
    name: str
    first_day: str
    order: str
    errors: Mapping[str, str]


@dataclass(frozen=True)
class Row:
    """A season in the list, with its HTML form. `may_be_dropped` is false for the first season."""

    pk: str
    name: str
    span: str
    games: str
    is_newest: bool
    may_be_dropped: bool
    fields: Fields


@require_GET
def seasons(request: HttpRequest, table_code: str) -> HttpResponse:
    """List the seasons of the table, newest first."""
    table, role = table_open_to(request, table_code)
    return _show(request, table, is_owner=role is Role.OWNER)


@require_POST
def begin_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Begin a season on the chosen day, which ends the one before it."""
    table = get_table_or_404(request, table_code, for_owning=True)
    try:
        services.begin_season(
            table,
            name=request.POST.get("name", ""),
            first_day=services.read_day(request.POST.get("first_day", ""), field="first_day"),
            order=services.read_order(request.POST.get("order", ""), field="order"),
        )
    except RuleError as refusal:
        return _show(request, table, is_owner=True, refused=(None, refusal))
    return redirect("seasons", table.code)


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
    table = get_table_or_404(request, table_code, for_owning=True)
    number = request.POST.get("season", "")
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise Http404(_("This table doesn't have that season."))
    season = table.seasons.filter(pk=number).first()
    if season is None:
        return _show(request, table, is_owner=True, is_stale=True)
    try:
        write(season)
    except services.StaleSeasons:
        return _show(request, table, is_owner=True, is_stale=True)
    except RuleError as refusal:
        return _show(request, table, is_owner=True, refused=(season, refusal))
    return redirect("seasons", table.code)


def _show(
    request: HttpRequest,
    table: Table,
    *,
    is_owner: bool,
    refused: tuple[Season | None, RuleError] | None = None,
    is_stale: bool = False,
) -> HttpResponse:
    """Show the list; a refusal is shown at its field, with the typed values.

    The refusal is that of a season's form, or of the form for a new season (None). If `is_stale`, the page
    says that the seasons have changed since the user loaded it.
    """
    counted = services.counted_seasons(table)
    typed = {refused[0]: _typed(request, *refused)} if refused else {}
    context = {
        "table": table,
        "is_owner": is_owner,
        "rows": _rows(counted, typed),
        "years": years_of(table, People.of(table))[::-1],
        "orders": orders(),
        "of_new": typed.get(None) or _of_new(table, [season for season, _played in counted]),
        "refused": _about_no_field(refused, is_stale=is_stale),
    }
    status = CONFLICT if is_stale else UNPROCESSABLE if refused else 200
    return render(request, "games/season/seasons.html", context, status=status)


def _about_no_field(refused: tuple[Season | None, RuleError] | None, *, is_stale: bool) -> Refused:
    if is_stale:
        return Refused(CONFLICT, news=_("Not saved: the seasons have changed. These are the current ones."))
    if refused is None or refused[1].field:
        return Refused(UNPROCESSABLE)
    return Refused(UNPROCESSABLE, {"": translate(refused[1].text)})


def _typed(request: HttpRequest, season: Season | None, refusal: RuleError) -> Fields:
    """Return the fields of a refused form: of this season, or of a new one (None)."""
    name, first_day, order = (request.POST.get(field, "") for field in ("name", "first_day", "order"))
    return Fields(_mark(season), name, first_day, order, {refusal.field: translate(refusal.text)})


def _of_new(table: Table, taken: Sequence[Season]) -> Fields:
    """Return the suggested fields of a new season; `taken` are the table's seasons, newest first."""
    name = _next_name([season.name for season in taken], table)
    return Fields(_mark(None), name, services.next_first_day(table).isoformat(), taken[0].order, {})


def _mark(season: Season | None) -> str:
    return "" if season is None else f"-{season.pk}"


def _rows(counted: Sequence[tuple[Season, int]], typed: Mapping[Season | None, Fields]) -> list[Row]:
    """Return a row for each season, newest first; `typed` has the fields of a refused form."""
    seasons = [season for season, _played in counted][::-1]
    return [
        Row(
            pk=str(season.pk),
            name=season.name,
            span=span_of(season, seasons),
            games=games_in_words(played),
            is_newest=season == seasons[-1],
            may_be_dropped=season != seasons[0],
            fields=typed.get(season)
            or Fields(_mark(season), season.name, season.starts_on.isoformat(), season.order, {}),
        )
        for season, played in counted
    ]


def _next_name(taken: Collection[str], table: Table) -> str:
    """Return a suggested name for the next season: its year, with a number if that name is taken."""
    year = night_of(now(), table).year
    names = itertools.chain([str(year)], (f"{year} ({number})" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)
