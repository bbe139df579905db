"""A season (temporada): its standings, records and charts, and the head-to-head results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.models import Member, Role, Season, Table
from games.money.balances import People
from games.people.access import Visitor, table_open_to
from games.season.duels import duels_between_all, encounters_of
from games.season.filters import ALL, DROPS, LEAST, Filters, read_filters
from games.season.ordering import Ordering, ordering_of
from games.season.records import feats_of
from games.season.standings import Extent, Scope, extent_of, standings_of, variants_of
from games.season.summaries import champions_of
from games.shown.common.played import games_in_words, title_in_words
from games.shown.season import duels as shown_duels
from games.shown.season import season as shown
from games.shown.season.summary import champions_in_words
from games.views.common.recording import UNPROCESSABLE

MEETINGS = 10


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

    def member_or_404(self, slug: str) -> Member:
        """Return the member with this slug; raise Http404 if the table has none.

        For a member who was merged into another one, return that other member.
        """
        member = self.people.by_slug.get(slug)
        if member is None:
            raise Http404(_("This table doesn't have that player."))
        return member

    def context(self, extent: Extent, *, is_ranked: bool = True) -> dict[str, object]:
        """Return the template variables that every page of a season needs.

        `extent` is the number of games that count, and their first and last night. With `is_ranked` false,
        the description of the filters leaves out those that only affect the standings.
        """
        filters = self.filters if is_ranked else self.filters.of_games
        return {
            "table": self.table,
            "filters": self.filters,
            "season_name": shown.season_name(self.filters.season),
            "extent": shown.extent_in_words(extent),
            "filtered": shown.filters_in_words(filters),
            "may_see_accounts": self.may_see_accounts,
            "owns": self.role is Role.OWNER,
        }


def open_season(request: HttpRequest, table_code: str) -> OpenSeason:
    """Return the season and filters in the query string.

    Raise Http404 for a user without access to the table.
    """
    table, role = table_open_to(request, table_code)
    seasons = list(table.seasons.all())
    return OpenSeason(
        table,
        role,
        People.of(table),
        seasons,
        read_filters(request.GET, seasons),
        Visitor(request.user).sees_accounts(table, role),
    )


@require_GET
def season(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the standings of a season, its records and its charts."""
    season_page = open_season(request, table_code)
    filters, scope = season_page.filters, season_page.scope
    standings = standings_of(scope)
    ordering = ordering_of(filters, standings.tallies.values())
    ranking = ordering.rank(standings.tallies.values())
    shown_before = {} if standings.tallies else _before(season_page)
    ranked = [line.tally.member for line in ranking.lines] + [tally.member for tally in ranking.others]
    context = {
        **season_page.context(standings.extent),
        **_choices(season_page, ordering),
        **shown_before,
        "backwards": _("This is before the day in “From”.") if filters.is_backwards else "",
        "columns": shown.columns(ordering.by, is_upwards=filters.is_upwards),
        "by": ordering.by,
        "order": shown.order_in_words(ordering),
        "lines": shown.lines_of(ranking, season_page.table, is_upwards=filters.is_upwards),
        "others": shown.others_of(ranking, season_page.table),
        "charts": shown.charts_of(standings, ranked, season_page.table),
        "feats": shown.feat_rows(feats_of(scope, standings.tallies.values()), season_page.table),
    }
    return render(
        request, "games/season/season.html", context, status=UNPROCESSABLE if filters.is_backwards else 200
    )


def _before(season_page: OpenSeason) -> dict[str, object]:
    """Return the template variables of the previous season and its champions; {} if there is none.

    The page shows them while this season has no finished game.
    """
    season = season_page.filters.season
    if season is None or season not in season_page.seasons[1:]:
        return {}
    before = season_page.seasons[season_page.seasons.index(season) - 1]
    won = champions_of(season_page.table, season_page.people, before, season_page.seasons)
    return {"before": before, "champions": champions_in_words(won)}


def _choices(season_page: OpenSeason, ordering: Ordering) -> dict[str, object]:
    """Return the template variables of the filters' choices, e.g. the seasons, and of those chosen now."""
    played = variants_of(Scope(season_page.table, season_page.people))
    chosen = season_page.filters.variant
    variants = [*played, *([chosen] if chosen and chosen not in played else [])]
    return {
        "seasons": [
            *((str(season.pk), season.name) for season in reversed(season_page.seasons)),
            (ALL, _("All seasons")),
        ],
        "chosen_season": ALL if season_page.filters.season is None else str(season_page.filters.season.pk),
        "variants": [(key, title_in_words(key)) for key in variants],
        "least": [
            ("", _("automatic: %(games)s") % {"games": games_in_words(ordering.least)}),
            *((str(number), games_in_words(number)) for number in LEAST),
        ],
        "chosen_least": str(season_page.filters.least or ""),
        "drops": [(number, shown.drop_in_words(number)) for number in DROPS],
    }


@require_GET
def head_to_head(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the head-to-head results of every pair of members (mano a mano)."""
    season_page = open_season(request, table_code)
    scope = season_page.scope
    duels = duels_between_all(scope)
    context = {
        **season_page.context(extent_of(scope), is_ranked=False),
        "matrix": shown_duels.matrix_of(duels, season_page.people),
    }
    return render(request, "games/season/head_to_head.html", context)


@require_GET
def duel(request: HttpRequest, table_code: str, member: str, other: str) -> HttpResponse:
    """Show the head-to-head result of two members, and the last games that both played."""
    season_page = open_season(request, table_code)
    one, two = season_page.member_or_404(member), season_page.member_or_404(other)
    if one == two:
        raise Http404(_("This table doesn't have that player."))
    scope = season_page.scope
    encounters = encounters_of(scope, one, two, last=MEETINGS)
    context = {
        **season_page.context(extent_of(scope), is_ranked=False),
        "duel": shown_duels.duel_of(encounters, season_page.table),
    }
    return render(request, "games/season/duel.html", context)
