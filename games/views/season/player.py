"""The season of one member: statistics, head-to-head results and games."""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from games.models import Member, SeasonOrder
from games.season.careers import career_of, games_of
from games.season.duels import duels_of
from games.season.ordering import ordering_of
from games.season.standings import Standings, Tally, standings_of
from games.shown.common.members import person_of
from games.shown.common.played import games_in_words
from games.shown.season import player as shown
from games.shown.season import season as shown_season
from games.views.common.paying import asked_page
from games.views.season.season import OpenSeason, open_season

PAGE = 20
FORM = 10


@require_GET
def player(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show the season of one member."""
    season_page = open_season(request, table_code)
    somebody, table, scope = season_page.member_or_404(member), season_page.table, season_page.scope
    if somebody.slug != member:
        address = reverse("player", args=[table.code, somebody.slug])
        return redirect(f"{address}?{urlencode(request.GET.dict())}")
    standings = standings_of(scope)
    tally = standings.tallies.get(somebody.slug, Tally(somebody))
    career = career_of(scope, somebody)
    context = {
        **season_page.context(standings.extent),
        "person": person_of(somebody),
        "games": games_in_words(tally.games),
        "form": shown_season.form_of(tally.marks[-FORM:]),
        "figures": _figures(season_page, standings, tally),
        "deeds": shown.deeds_of(career, tally, table),
        "charts": shown_season.charts_of(standings, [somebody], table) if tally.games else (),
        "places": shown.places_of(career),
        "variants": shown.variant_rows(career, table),
        "duels": shown.duel_rows(duels_of(scope, somebody), is_readers=somebody.is_of(request.user)),
        "has_played": bool(career.played),
        **_games(season_page, somebody, asked_page(request)),
    }
    return render(request, "games/season/player.html", context)


def _figures(season_page: OpenSeason, standings: Standings, tally: Tally) -> tuple[shown.Figure, ...]:
    tallies = standings.tallies.values()
    # Without `by`, the order that the reader chose for the standings: the figures must not depend on it.
    ordering = ordering_of(replace(season_page.filters, by=None), tallies)
    rankings = {by: ordering.rank(tallies, by) for by in SeasonOrder}
    return shown.figures_of(tally, rankings, season_page.table, drop=ordering.drop)


def _games(season_page: OpenSeason, somebody: Member, page: int) -> dict[str, object]:
    """Return the template variables of one page of the member's games."""
    results, is_more = games_of(season_page.scope, somebody, start=(page - 1) * PAGE, count=PAGE)
    return {
        "results": shown.game_rows(results, season_page.table),
        "newer": page - 1,
        "older": page + 1 if is_more else 0,
    }
