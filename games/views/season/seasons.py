"""The seasons of a table: listing them; closing, reopening and changing one, for owners."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.models import Role, Season, SeasonOrder, Table
from games.money.balances import People
from games.nights import night_of
from games.people.access import get_table_or_404, table_open_to
from games.scoring.errors import RuleError
from games.season import seasons as services
from games.season.years import years_of
from games.shown.common.played import games_in_words
from games.shown.common.sentences import translate
from games.shown.season.season import orders, span_of
from games.views.common.recording import CONFLICT, UNPROCESSABLE, Refused


@dataclass(frozen=True)
class Row:
    """A season in the list, with the values of its HTML form.

    `typed_name`, `typed_day` and `typed_order` are the season's present values, or those that were typed and
    refused. `may_be_opened` is true if the season can be reopened.
    """

    pk: str
    href: str
    name: str
    span: str
    games: str
    is_open: bool
    may_be_opened: bool
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
def close_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Close a season on the chosen last day; the next season begins the day after."""

    def close(season: Season) -> None:
        services.close_season(
            season,
            last_day=_day(request, "last-day"),
            next_name=request.POST.get("next-name", ""),
            order=_order(request, season, field="order"),
        )

    return _write(request, table_code, close, ends=True)


@require_POST
def change_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Change the name or the first day of a season, or the order of its standings, e.g. by wins."""

    def change(season: Season) -> None:
        services.change_season(
            season,
            name=request.POST.get("name", ""),
            first_day=_day(request, "first-day"),
            order=_order(request, season, field="new-order"),
        )

    return _write(request, table_code, change)


@require_POST
def reopen_season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Reopen the most recently closed season; the games of the season after it move into it."""
    return _write(request, table_code, services.reopen_season)


def _write(
    request: HttpRequest, table_code: str, write: Callable[[Season], None], *, ends: bool = False
) -> HttpResponse:
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
    if ends:
        return redirect(reverse("finale", args=[table.code, season.pk]) + "?now=1")
    return redirect("seasons", table.code)


def _order(request: HttpRequest, season: Season, *, field: str) -> SeasonOrder | Literal[""]:
    return services.read_order(request.POST.get(field, season.order), field=field)


def _day(request: HttpRequest, field: str) -> date:
    return services.read_day(request.POST.get(field, ""), field=field)


def _show(
    request: HttpRequest,
    table: Table,
    *,
    is_owner: bool,
    refused: tuple[Season, RuleError] | None = None,
    is_stale: bool = False,
) -> HttpResponse:
    """Show the list; a refusal is shown at its field, with the typed values.

    If `is_stale`, the page says that the seasons have changed since the user loaded it.
    """
    counted = services.counted_seasons(table)
    rows = [
        _row(season, played, refused, request, may_be_opened=place == 1)
        for place, (season, played) in enumerate(counted)
    ]
    error = {refused[1].field: translate(refused[1].text)} if refused else {}
    context = {
        "table": table,
        "is_owner": is_owner,
        "rows": rows,
        "open": rows[0],
        **_about(request, counted[0][0], rows),
        "errors": error,
        "refused": _about_no_field(error, is_stale=is_stale),
    }
    status = CONFLICT if is_stale else UNPROCESSABLE if refused else 200
    return render(request, "games/season/seasons.html", context, status=status)


def _about_no_field(errors: Mapping[str, str], *, is_stale: bool) -> Refused:
    if is_stale:
        return Refused(CONFLICT, news=_("Not saved: the seasons have changed. These are the current ones."))
    return Refused(UNPROCESSABLE, {field: text for field, text in errors.items() if not field})


def _about(request: HttpRequest, newest: Season, rows: Sequence[Row]) -> dict[str, object]:
    """Return the template variables of the table's years and of the form that closes a season.

    The form is filled with suggestions, or with what was typed.
    """
    names = [row.name for row in rows]
    return {
        "years": years_of(newest.table, People.of(newest.table))[::-1],
        "orders": orders(),
        "last_day": request.POST.get("last-day") or _last_day(newest, newest.table),
        "order": request.POST.get("order", newest.order),
        "next_name": request.POST.get("next-name") or _next_name(names, newest.table),
    }


def _last_day(newest: Season, table: Table) -> str:
    """Return today in ISO format as the suggested last day of a season; "" if it has not begun yet."""
    today = night_of(now(), table)
    return today.isoformat() if newest.starts_on <= today else ""


def _row(
    season: Season,
    played: int,
    refused: tuple[Season, RuleError] | None,
    request: HttpRequest,
    *,
    may_be_opened: bool = False,
) -> Row:
    sent = request.POST if refused is not None and refused[0] == season else {}
    errors = {refused[1].field: translate(refused[1].text)} if refused is not None and sent else {}
    return Row(
        pk=str(season.pk),
        href=_page_of(season),
        name=season.name,
        span=span_of(season),
        games=games_in_words(played),
        is_open=season.ends_on is None,
        may_be_opened=may_be_opened,
        typed_name=sent.get("name", season.name),
        typed_day=sent.get("first-day", season.starts_on.isoformat()),
        typed_order=sent.get("new-order", season.order),
        name_error=errors.get("name", ""),
        day_error=errors.get("first-day", ""),
        order_error=errors.get("new-order", ""),
    )


def _page_of(season: Season) -> str:
    """Return the address of a season: the final of a closed season, the standings of an open one."""
    if season.ends_on is None:
        return f"{reverse('season', args=[season.table.code])}?season={season.pk}"
    return reverse("finale", args=[season.table.code, season.pk])


def _next_name(taken: Collection[str], table: Table) -> str:
    """Return a suggested name for the next season: its year, with a number if that name is taken."""
    year = (night_of(now(), table) + timedelta(days=1)).year
    names = itertools.chain([str(year)], (f"{year} ({number})" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)
