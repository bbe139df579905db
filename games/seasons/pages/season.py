"""A season (temporada): who leads it, its ranking and its tales, and the sheet that chooses the season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.common.nights import night_of
from games.common.played import title_in_words
from games.common.refused import UNPROCESSABLE, Refused
from games.common.roles import WRITERS
from games.common.sentences import translate
from games.models import Member, Role, Season, Table
from games.scoring.errors import RuleError
from games.seasons import seasons as services
from games.seasons.duels import classic_of
from games.seasons.filters import ALL, Filters, read_filters
from games.seasons.ordering import ordering_of
from games.seasons.pages import tales as shown
from games.seasons.pages.season_rows import SeasonFields, fields_of_next, season_rows
from games.seasons.pages.summary import Summary
from games.seasons.records import feats_of
from games.seasons.standings import Extent, Scope, Standings, standings_of
from games.seasons.summaries import champions_of, history_of, past_champions
from games.tables.access import Visitor, table_for
from games.tables.people import People

NO_SEASONS: Mapping[Season | None, SeasonFields] = MappingProxyType({})


@dataclass(frozen=True)
class OpenSeason:
    """The data of a season page: its table, the filters for its games, and the user's rights."""

    table: Table
    role: Role
    people: People
    seasons: Sequence[Season]
    filters: Filters
    may_see_accounts: bool

    @property
    def scope(self) -> Scope:
        """The games that the filters select."""
        return self.filters.scope(self.table, self.people, self.seasons)

    @property
    def is_over(self) -> bool:
        """True if no game can be added to what the filters select."""
        if self.filters.last is not None:
            return self.filters.last < night_of(now(), self.table)
        return self.filters.season not in (None, self.seasons[-1])

    def member_or_404(self, slug: str) -> Member:
        """Return the member with this slug; raise Http404 if the table has none.

        For a member who was merged into another one, return that other member.
        """
        member = self.people.by_slug.get(slug)
        if member is None:
            raise Http404(_("This table doesn't have that player."))
        return member

    def context(self, extent: Extent) -> dict[str, object]:
        """Return the template variables that every page of a season needs.

        `extent` is the number of games that count, and their first and last night.
        """
        return {
            "table": self.table,
            "season_name": shown.season_name(self.filters),
            "extent": shown.extent_in_words(extent),
            "variant": shown.variant_in_words(self.filters),
            "may_see_accounts": self.may_see_accounts,
            "my_role": self.role,
            "all_people": self.people,
        }


def open_season(request: HttpRequest, table_code: str) -> OpenSeason:
    """Return the season and filters in the query string.

    Raise Http404 for a user without access to the table.
    """
    table, role = table_for(Visitor(request.user), table_code)
    seasons = list(table.seasons.all())
    return OpenSeason(
        table,
        role,
        People.of(table),
        seasons,
        read_filters(request.GET, seasons),
        Visitor(request.user).sees_accounts(table, role),
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
        services.change_season(season_page.filters.season or season_page.seasons[-1], order=order)
    except RuleError as refusal:
        errors = {"": translate(refusal.text)}
        return show_season(request, season_page, Refused(UNPROCESSABLE, errors))
    return redirect(request.get_full_path())


def show_season(
    request: HttpRequest,
    season_page: OpenSeason,
    refused: Refused | None = None,
    typed: Mapping[Season | None, SeasonFields] = NO_SEASONS,
) -> HttpResponse:
    """Show the page; with the refusal of one of its forms, these stand above the rest.

    `typed` has the fields of a refused season's form, or, by None, of the form of a new one.
    """
    filters, scope = season_page.filters, season_page.scope
    standings = standings_of(scope)
    context = {
        **season_page.context(standings.extent),
        **_standings(season_page, standings),
        "before": None if standings.tallies else _before(season_page),
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
    lines = shown.lines_of(ranking, ordering.by, table)
    classic = classic_of(season_page.scope, tallies) if tallies else None
    tales = list(shown.tales_of(classic, feats_of(season_page.scope, tallies), table))
    title = shown.leaders_in_words(champions_of(ranking), is_over=season_page.is_over)
    name, extent = shown.season_name(filters), shown.extent_in_words(standings.extent)
    return {
        "by": ordering.by,
        "choices": shown.choices(ordering.by),
        "podium": lines[: shown.PODIUM],
        "lines": lines[shown.PODIUM :],
        "others": shown.others_of(ranking, ordering.by, table),
        "tales": tales,
        "champion": title if season_page.is_over else "",
        "summary": Summary(table, name, title, extent, shown.order_in_words(ordering), lines, tales),
    }


def _before(season_page: OpenSeason) -> dict[str, object] | None:
    """Return the previous season and its champions; None if there is none.

    The page shows them while this season has no finished game.
    """
    season = season_page.filters.season
    if season is None or season not in season_page.seasons[1:]:
        return None
    before = season_page.seasons[season_page.seasons.index(season) - 1]
    won = past_champions(season_page.table, season_page.people, before, season_page.seasons)
    return {"season": before, "champions": shown.leaders_in_words(won, is_over=True)}


def _sheet(season_page: OpenSeason, typed: Mapping[Season | None, SeasonFields]) -> dict[str, object]:
    """Return the template variables of the sheet of seasons, with the fields of a refused form."""
    table, newest_first = season_page.table, season_page.seasons[::-1]
    history = history_of(table, season_page.people)
    return {
        "rows": season_rows(newest_first, history, typed),
        "years": history.years[::-1],
        "variants": [(key, title_in_words(key)) for key in history.variants],
        "chosen_variant": season_page.filters.variant,
        "all_seasons": ALL,
        "owns": season_page.role is Role.OWNER,
        "orders": shown.orders(),
        "of_new": typed.get(None) or fields_of_next(table, newest_first, history),
    }
