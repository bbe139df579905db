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
class Row:
    """A season in the list, with the values of its HTML form.

    `typed_name`, `typed_day` and `typed_order` are the season's present values, or those that were typed and
    refused. `may_be_dropped` is false for the first season.
    """

    pk: str
    name: str
    span: str
    games: str
    is_newest: bool
    may_be_dropped: bool
    typed_name: str
    typed_day: str
    typed_order: str
    name_error: str = ""
    day_error: str = ""
    order_error: str = ""


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
            first_day=services.read_day(request.POST.get("first-day", ""), field="first-day"),
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
            first_day=services.read_day(request.POST.get("first-day", ""), field="first-day"),
            order=services.read_order(request.POST.get("new-order", season.order), field="new-order"),
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
    error = {refused[1].field: translate(refused[1].text)} if refused else {}
    of_new = error if refused and refused[0] is None else {}
    context = {
        "table": table,
        "is_owner": is_owner,
        "rows": _rows(counted, refused, request),
        "years": years_of(table, People.of(table))[::-1],
        "orders": orders(),
        **_new_season(request if of_new else None, table, [season for season, _played in counted]),
        "errors": of_new,
        "refused": _about_no_field(error, is_stale=is_stale),
    }
    status = CONFLICT if is_stale else UNPROCESSABLE if refused else 200
    return render(request, "games/season/seasons.html", context, status=status)


def _about_no_field(errors: Mapping[str, str], *, is_stale: bool) -> Refused:
    if is_stale:
        return Refused(CONFLICT, news=_("Not saved: the seasons have changed. These are the current ones."))
    return Refused(UNPROCESSABLE, {field: text for field, text in errors.items() if not field})


def _new_season(request: HttpRequest | None, table: Table, taken: Sequence[Season]) -> dict[str, object]:
    """Return the template variables of the form that begins a season: suggestions, or what was typed.

    `request` has the refused form, `taken` are the seasons, newest first.
    """
    typed = request.POST if request else {}
    return {
        "first_day": typed.get("first-day", services.next_first_day(table).isoformat()),
        "order": typed.get("order", taken[0].order),
        "next_name": typed.get("name", _next_name([season.name for season in taken], table)),
    }


def _rows(
    counted: Sequence[tuple[Season, int]],
    refused: tuple[Season | None, RuleError] | None,
    request: HttpRequest,
) -> list[Row]:
    """Return a row for each season, newest first; that of the refused form has what was typed."""
    seasons = [season for season, _played in counted][::-1]
    rows = []
    for season, played in counted:
        sent: Mapping[str, str] = {}
        errors: Mapping[str, str] = {}
        if refused is not None and refused[0] == season:
            sent, errors = request.POST, {refused[1].field: translate(refused[1].text)}
        rows.append(_row(season, seasons, played, sent, errors))
    return rows


def _row(
    season: Season,
    seasons: Sequence[Season],
    played: int,
    sent: Mapping[str, str],
    errors: Mapping[str, str],
) -> Row:
    return Row(
        pk=str(season.pk),
        name=season.name,
        span=span_of(season, seasons),
        games=games_in_words(played),
        is_newest=season == seasons[-1],
        may_be_dropped=season != seasons[0],
        typed_name=sent.get("name", season.name),
        typed_day=sent.get("first-day", season.starts_on.isoformat()),
        typed_order=sent.get("new-order", season.order),
        name_error=errors.get("name", ""),
        day_error=errors.get("first-day", ""),
        order_error=errors.get("new-order", ""),
    )


def _next_name(taken: Collection[str], table: Table) -> str:
    """Return a suggested name for the next season: its year, with a number if that name is taken."""
    year = night_of(now(), table).year
    names = itertools.chain([str(year)], (f"{year} ({number})" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)
