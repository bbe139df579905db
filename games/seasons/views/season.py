"""A season (temporada): its leaders, standings and records, and the sheet to choose and edit seasons."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_POST

from games.common import days, game_labels, request_handling, roles, texts
from games.common.request_handling import PageRefusal
from games.models import Role, Season, Table
from games.scoring.errors import RuleError
from games.seasons import presenters
from games.seasons.forms import SeasonForm
from games.seasons.services import season_ranking, season_setup, season_standings, season_statistics
from games.seasons.services.season_ranking import Filters, TableHistory
from games.seasons.services.season_standings import GameCount, GameScope, Standings
from games.tables.services import authorization
from games.tables.services.authorization import Visitor
from games.tables.services.roster import People


def next_season_form(table: Table, seasons: Sequence[Season], history: TableHistory) -> SeasonForm:
    """Return the form of a new season, named after the year, with a number if that name is taken."""
    year, taken_names = days.night_for(now(), table).year, {season.name for season in seasons}
    names = itertools.chain([str(year)], (f"{year} ({number})" for number in itertools.count(2)))
    name = next(name for name in names if name not in taken_names)
    first_day = season_setup.propose_first_day(table, history.last)
    return SeasonForm(None, initial={"name": name, "first_day": first_day, "order": seasons[0].order})


@dataclass(frozen=True)
class SeasonPage:
    """The data of a season page: its table, the filters for its games, and the user's rights."""

    table: Table
    role: Role
    people: People
    seasons: Sequence[Season]
    filters: Filters
    can_view_accounts: bool
    today: date

    @property
    def scope(self) -> GameScope:
        return self.filters.scope(self.table, self.people, self.seasons)

    @property
    def is_finished(self) -> bool:
        """True if no more games can match the filters."""
        if self.filters.last is not None:
            return self.filters.last < self.today
        season = self.filters.season
        return season is not None and season.starts_on < days.season_among(self.seasons, self.today).starts_on

    def context(self, extent: GameCount) -> dict[str, object]:
        """Return the template variables of every season page. `extent` counts the games shown."""
        return {
            "table": self.table,
            "season_name": presenters.season_label(self.filters),
            "extent": presenters.game_count_label(extent),
            "variant": self.filters.variant and game_labels.variant_label(self.filters.variant),
            "may_see_accounts": self.can_view_accounts,
            "my_role": self.role,
            "all_people": self.people,
        }


def get_season_page(request: HttpRequest, table_code: str) -> SeasonPage:
    """Return the season and filters in the query string. Raise Http404 without access to the table."""
    table, role = authorization.get_table(Visitor(request.user), table_code)
    seasons, today = list(table.seasons.all()), days.night_for(now(), table)
    return SeasonPage(
        table,
        role,
        People.of(table),
        seasons,
        season_ranking.parse_filters(request.GET, seasons, today),
        authorization.can_view_accounts(table.reader_access),
        today,
    )


@request_handling.require_form
def season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show a season. On POST, an owner or scorer changes the order of its standings."""
    if request.method != "POST":
        return show_season(request, get_season_page(request, table_code))
    authorization.get_table(Visitor(request.user), table_code, for_writing=True)
    season_page = get_season_page(request, table_code)
    try:
        order = season_setup.parse_order(request.POST.get("by", ""), field="")
        current = days.season_among(season_page.seasons, season_page.today)
        season_setup.update(season_page.filters.season or current, order=order)
    except season_setup.StaleSeasons:
        return _show_conflict(request, season_page.table)
    except RuleError as refusal:
        errors = {"": texts.translate(refusal.text)}
        return show_season(request, season_page, PageRefusal(request_handling.UNPROCESSABLE, errors))
    return redirect(request.get_full_path())


def show_season(
    request: HttpRequest,
    season_page: SeasonPage,
    refusal: PageRefusal | None = None,
    form: SeasonForm | None = None,
) -> HttpResponse:
    """Show the page. After a refusal the sheet of seasons is part of the page instead of a popover."""
    filters, scope = season_page.filters, season_page.scope
    standings = season_standings.load(scope)
    context = {
        **season_page.context(standings.extent),
        **_standings_context(season_page, standings),
        "may_write": season_page.role in roles.WRITERS,
        **_sheet_context(season_page, form),
        "chosen_season": filters.season,
        "chosen_year": filters.first and filters.first.year,
    }
    status = form.status if form else 200
    return request_handling.render_page(request, "seasons/season.html", context, refusal, status=status)


def _standings_context(season_page: SeasonPage, standings: Standings) -> dict[str, object]:
    table, filters, tallies = season_page.table, season_page.filters, standings.tallies.values()
    ordering = season_ranking.resolve_ordering(filters, tallies)
    ranking = ordering.rank(tallies)
    steps = game_labels.podium_steps([line.rank for line in ranking.lines])
    classic = season_statistics.find_classic(season_page.scope, tallies) if tallies else None
    records = list(season_statistics.load_records(season_page.scope, tallies))

    def language_context() -> dict[str, Any]:
        lines = presenters.standings_items(ranking, ordering.by, table)
        return {
            "title": presenters.leaders_sentence(
                season_ranking.champions(ranking), is_over=season_page.is_finished
            ),
            "podium": lines[:steps],
            "below": lines[steps:],
            "tales": list(presenters.highlight_items(classic, records, table)),
        }

    of_page = language_context()
    with override(table.language):  # for the group's chat
        name, extent = presenters.season_label(filters), presenters.game_count_label(standings.extent)
        share_data = presenters.share_context(
            table, name, extent, presenters.order_label(ordering), **language_context()
        )
    return {
        "by": ordering.by,
        "choices": presenters.order_tabs(),
        "podium": of_page["podium"],
        "lines": of_page["below"],
        "others": presenters.unranked_items(ranking, ordering.by, table),
        "tales": of_page["tales"],
        "champion": of_page["title"] if season_page.is_finished and of_page["podium"] else "",
        **share_data,
    }


def _sheet_context(season_page: SeasonPage, posted_form: SeasonForm | None) -> dict[str, object]:
    """Return the template variables for the sheet of seasons, with a form that was refused.

    The oldest season begins with the first game, if that was earlier.
    """
    table, seasons = season_page.table, season_page.seasons
    newest_first, history = seasons[::-1], season_ranking.load_history(table, season_page.people)
    seasons[0].starts_on = min(seasons[0].starts_on, history.first or seasons[0].starts_on)

    def form_for(season: Season) -> SeasonForm:
        if posted_form and posted_form.season == season:
            return posted_form
        initial = {"name": season.name, "first_day": season.starts_on, "order": season.order}
        return SeasonForm(season, initial=initial)

    return {
        "rows": [
            (season, presenters.span_label(season, seasons), form_for(season)) for season in newest_first
        ],
        "first_season": seasons[0],
        "years": history.years[::-1],
        "variants": [(key, game_labels.variant_label(key)) for key in history.variants],
        "chosen_variant": season_page.filters.variant,
        "all_seasons": season_ranking.ALL_SEASONS,
        "owns": season_page.role is Role.OWNER,
        "of_new": posted_form
        if posted_form and not posted_form.season
        else next_season_form(table, newest_first, history),
        "is_refused": bool(posted_form),
    }


# --- creating, changing and deleting a season -------------------------------------------------------------------------


@require_POST
def begin_season(request: HttpRequest, table_code: str) -> HttpResponse:
    table, _role = authorization.get_table(Visitor(request.user), table_code, for_owning=True)
    form = SeasonForm(None, data=request.POST)
    return _save(request, table, form, lambda: season_setup.create(table, **form.cleaned_data))


@require_POST
def change_season(request: HttpRequest, table_code: str) -> HttpResponse:
    table, season = _submitted_season(request, table_code)
    if season is None:
        return _show_conflict(request, table)
    form = SeasonForm(season, data=request.POST)
    return _save(request, table, form, lambda: season_setup.update(season, **form.cleaned_data))


@require_POST
def drop_season(request: HttpRequest, table_code: str) -> HttpResponse:
    table, season = _submitted_season(request, table_code)
    try:
        if season is None:
            return _show_conflict(request, table)
        season_setup.delete(season)
    except season_setup.StaleSeasons:
        return _show_conflict(request, table)
    except RuleError as refusal:
        page_refusal = PageRefusal(request_handling.UNPROCESSABLE, {"": texts.translate(refusal.text)})
        return show_season(request, get_season_page(request, table.code), page_refusal)
    return redirect("season", table.code)


def _submitted_season(request: HttpRequest, table_code: str) -> tuple[Table, Season | None]:
    """Return the table and the season that the form names, None if it was deleted meanwhile.

    Raise Http404 for a number that is invalid.
    """
    table, _role = authorization.get_table(Visitor(request.user), table_code, for_owning=True)
    number = request_handling.parse_pk(request.POST.get("season", ""))
    if not number:
        raise Http404(_("This table doesn't have that season."))
    return table, table.seasons.filter(pk=number).first()


def _save(request: HttpRequest, table: Table, form: SeasonForm, write: Callable[[], object]) -> HttpResponse:
    """Call `write` if the form is valid. Otherwise, or if the service refuses, show the form again."""
    if form.is_valid():
        try:
            write()
        except season_setup.StaleSeasons:
            return _show_conflict(request, table)
        except RuleError as refusal:
            form.refuse(refusal)
        else:
            return redirect("season", table.code)
    return show_season(request, get_season_page(request, table.code), form=form)


def _show_conflict(request: HttpRequest, table: Table) -> HttpResponse:
    news = _("Not saved: the seasons have changed. These are the current ones.")
    return show_season(
        request, get_season_page(request, table.code), PageRefusal(request_handling.CONFLICT, news=news)
    )
