"""The season of one member: statistics, every game, and the results against another member."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from games.models import Member, SeasonOrder
from games.season.careers import career_of, games_of
from games.season.duels import duels_of, encounters_of
from games.season.filters import Filters
from games.season.ordering import ordering_of
from games.season.standings import Standings, Tally, standings_of
from games.shown.common.members import person_of
from games.shown.common.played import games_in_words
from games.shown.season import duels as shown_duels
from games.shown.season import player as shown
from games.shown.season import season as shown_season
from games.views.common.paying import asked_page
from games.views.season.season import OpenSeason, open_season

PAGE = 20
MEETINGS = 10
FORM = 10


@require_GET
def player(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show the season of one member, with `against` in the query that against another."""
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
        "duel": _duel(season_page, somebody, request.GET.get("against", "")),
        "variants": shown.variant_rows(career, table),
        "duels": shown.duel_rows(duels_of(scope, somebody), is_readers=somebody.is_of(request.user)),
        "has_played": bool(career.played),
        **_games(season_page, somebody, asked_page(request)),
    }
    return render(request, "games/season/player.html", context)


def _figures(season_page: OpenSeason, standings: Standings, tally: Tally) -> tuple[shown.Figure, ...]:
    tallies = standings.tallies.values()
    rankings = {by: ordering_of(Filters(None, by), tallies).rank(tallies) for by in SeasonOrder}
    return shown.figures_of(tally, rankings, season_page.table)


def _duel(season_page: OpenSeason, one: Member, slug: str) -> shown_duels.DuelShown | None:
    """Return the results of the member against another one; None if the query names nobody else."""
    other = season_page.people.by_slug.get(slug)
    if other is None or other == one:
        return None
    return shown_duels.duel_of(encounters_of(season_page.scope, one, other, last=MEETINGS), season_page.table)


def _games(season_page: OpenSeason, somebody: Member, page: int) -> dict[str, object]:
    """Return the template variables of one page of the member's games."""
    results, is_more = games_of(season_page.scope, somebody, start=(page - 1) * PAGE, count=PAGE)
    return {
        "results": shown.game_rows(results, season_page.table),
        "newer": page - 1,
        "older": page + 1 if is_more else 0,
    }
