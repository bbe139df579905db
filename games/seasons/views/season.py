"""A season (temporada): who leads it, its ranking and its tales, and the sheet that chooses the season."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_http_methods, require_POST

from games.common.days import night_of
from games.common.played import title_in_words
from games.common.roles import WRITERS
from games.common.sent import CONFLICT, UNPROCESSABLE, Refused
from games.common.words import translate
from games.models import Role, Season, Table
from games.scoring.errors import RuleError
from games.seasons import seasons as services
from games.seasons import words
from games.seasons.ranking import (
    ALL,
    Filters,
    History,
    champions_of,
    history_of,
    ordering_of,
    read_filters,
    under_way,
)
from games.seasons.records import classic_of, feats_of
from games.seasons.seasons import next_first_day
from games.seasons.standings import Extent, Scope, Standings, standings_of
from games.seasons.words import span_of, summary_of
from games.tables.access import Visitor, table_for
from games.tables.people import People


@dataclass(frozen=True)
class SeasonForm:
    """A season in the list, or a new one without `pk`, with the fields of its form.

    They have the present values or, if that form was refused, what was typed and the refusals by field. `title`
    is the present name. The first season may not be dropped.
    """

    name: str
    first_day: str
    order: str
    pk: str = ""
    title: str = ""
    span: str = ""
    may_be_dropped: bool = False
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """The end of the ids of this form."""
        return self.pk and f"-{self.pk}"


def season_forms(
    newest_first: Sequence[Season], history: History, typed: SeasonForm | None
) -> list[SeasonForm]:
    """Return a form for each season of a table. The oldest season begins with the first game, if that was earlier."""
    seasons = newest_first[::-1]
    seasons[0].starts_on = min(seasons[0].starts_on, history.first or seasons[0].starts_on)
    forms = []
    for season in newest_first:
        form = SeasonForm(season.name, season.starts_on.isoformat(), season.order, str(season.pk))
        if typed and typed.pk == form.pk:
            form = typed
        span, may_be_dropped = span_of(season, seasons), season != seasons[0]
        forms.append(replace(form, title=season.name, span=span, may_be_dropped=may_be_dropped))
    return forms


def form_of_next(table: Table, seasons: Sequence[Season], history: History) -> SeasonForm:
    """Return the form of a new season: the name of the year, with a number if a season has it, and a free day."""
    year, taken = night_of(now(), table).year, {season.name for season in seasons}
    names = itertools.chain([str(year)], (f"{year} ({number})" for number in itertools.count(2)))
    name = next(name for name in names if name not in taken)
    return SeasonForm(name, next_first_day(table, history.last).isoformat(), seasons[0].order)


@dataclass(frozen=True)
class OpenSeason:
    """The data of a season page: its table, the filters for its games, and the user's rights."""

    table: Table
    role: Role
    people: People
    seasons: Sequence[Season]
    filters: Filters
    may_see_accounts: bool
    today: date

    @property
    def scope(self) -> Scope:
        """The games that the filters select."""
        return self.filters.scope(self.table, self.people, self.seasons)

    @property
    def is_over(self) -> bool:
        """True if no game can be added to what the filters select."""
        if self.filters.last is not None:
            return self.filters.last < self.today
        season = self.filters.season
        return season is not None and season.starts_on < under_way(self.seasons, self.today).starts_on

    def context(self, extent: Extent) -> dict[str, object]:
        """Return the template variables that every page of a season needs; `extent` is of the games that count."""
        return {
            "table": self.table,
            "season_name": words.season_name(self.filters),
            "extent": words.extent_in_words(extent),
            "variant": self.filters.variant and title_in_words(self.filters.variant),
            "may_see_accounts": self.may_see_accounts,
            "my_role": self.role,
            "all_people": self.people,
        }


def open_season(request: HttpRequest, table_code: str) -> OpenSeason:
    """Return the season and filters in the query string. Raise Http404 without access to the table."""
    table, role = table_for(Visitor(request.user), table_code)
    seasons, today = list(table.seasons.all()), night_of(now(), table)
    return OpenSeason(
        table,
        role,
        People.of(table),
        seasons,
        read_filters(request.GET, seasons, today),
        Visitor(request.user).sees_accounts(table, role),
        today,
    )


@require_http_methods(["GET", "HEAD", "POST"])
def season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show a season. On POST, an owner or a scorer chooses the order of its standings."""
    if request.method != "POST":
        return show_season(request, open_season(request, table_code))
    table_for(Visitor(request.user), table_code, for_writing=True)
    season_page = open_season(request, table_code)
    try:
        order = services.read_order(request.POST.get("by", ""), field="")
        chosen = season_page.filters.season or under_way(season_page.seasons, season_page.today)
        services.change_season(chosen, order=order)
    except RuleError as refusal:
        errors = {"": translate(refusal.text)}
        return show_season(request, season_page, Refused(UNPROCESSABLE, errors))
    return redirect(request.get_full_path())


def show_season(
    request: HttpRequest,
    season_page: OpenSeason,
    refused: Refused | None = None,
    typed: SeasonForm | None = None,
) -> HttpResponse:
    """Show the page; with the refusal of one of its forms, these stand above the rest."""
    filters, scope = season_page.filters, season_page.scope
    standings = standings_of(scope)
    context = {
        **season_page.context(standings.extent),
        **_standings(season_page, standings),
        "may_write": season_page.role in WRITERS,
        "refused": refused,
        **_sheet(season_page, typed),
        "chosen_season": "" if filters.season is None else str(filters.season.pk),
        "chosen_year": filters.first and filters.first.year,
    }
    return render(request, "seasons/season.html", context, status=refused.status if refused else 200)


def _standings(season_page: OpenSeason, standings: Standings) -> dict[str, object]:
    """Return the template variables of the podium, the ranking, the tales and what is sent of them."""
    table, filters, tallies = season_page.table, season_page.filters, standings.tallies.values()
    ordering = ordering_of(filters, tallies)
    ranking = ordering.rank(tallies)
    classic = classic_of(season_page.scope, tallies) if tallies else None
    feats = list(feats_of(season_page.scope, tallies))

    def in_words() -> dict[str, Any]:
        return {
            "title": words.leaders_in_words(champions_of(ranking), is_over=season_page.is_over),
            "lines": words.lines_of(ranking, ordering.by, table),
            "tales": list(words.tales_of(classic, feats, table)),
        }

    of_page = in_words()
    with override(table.language):  # what is sent to the group
        name, extent = words.season_name(filters), words.extent_in_words(standings.extent)
        sent = summary_of(table, name, extent, words.order_in_words(ordering), **in_words())
    return {
        "by": ordering.by,
        "choices": words.choices(ordering.by),
        "podium": of_page["lines"][: words.PODIUM],
        "lines": of_page["lines"][words.PODIUM :],
        "others": words.others_of(ranking, ordering.by, table),
        "tales": of_page["tales"],
        "champion": of_page["title"] if season_page.is_over else "",
        **sent,
    }


def _sheet(season_page: OpenSeason, typed: SeasonForm | None) -> dict[str, object]:
    """Return the template variables of the sheet of seasons, with what was typed in a refused form."""
    table, newest_first = season_page.table, season_page.seasons[::-1]
    history = history_of(table, season_page.people)
    return {
        "rows": season_forms(newest_first, history, typed),
        "years": history.years[::-1],
        "variants": [(key, title_in_words(key)) for key in history.variants],
        "chosen_variant": season_page.filters.variant,
        "all_seasons": ALL,
        "owns": season_page.role is Role.OWNER,
        "orders": words.orders(),
        "of_new": typed if typed and not typed.pk else form_of_next(table, newest_first, history),
    }


# --- beginning, changing and dropping a season, from the sheet of seasons ---------------------------------------------


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
    return redirect("season", table.code)


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
    return redirect("season", table.code)


def _show_present(request: HttpRequest, table: Table) -> HttpResponse:
    news = _("Not saved: the seasons have changed. These are the current ones.")
    return show_season(request, open_season(request, table.code), Refused(CONFLICT, news=news))


def _refuse(request: HttpRequest, table: Table, season: Season | None, refusal: RuleError) -> HttpResponse:
    """Show a refusal at its field in the form of this season, or of a new one (None), with what was typed."""
    name, first_day, order = (request.POST.get(field, "") for field in ("name", "first_day", "order"))
    errors = {refusal.field: translate(refusal.text)}
    typed = SeasonForm(name, first_day, order, str(season.pk) if season else "", errors=errors)
    about_no_field = {} if refusal.field else errors
    return show_season(
        request, open_season(request, table.code), Refused(UNPROCESSABLE, about_no_field), typed
    )
