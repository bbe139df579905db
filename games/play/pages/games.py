"""The archive: all games of a table, with a search, for every user with access."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from games.common.book import states_of
from games.common.played import games_in_words
from games.common.sent import UNPROCESSABLE
from games.common.typed import read_day
from games.models import Game, Result, Table
from games.money.pages.paying import asked_page
from games.play.archive import LONGEST, Standing, Wanted, looked_for, titles_of
from games.play.pages import archive as shown
from games.scoring.admission import MOST_STEPS
from games.tables.access import Visitor, table_for
from games.tables.people import People, person_of

PAGE = 20


@require_GET
def games(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show a page of the games that match the search, newest first; without a search, of all games."""
    table, role = table_for(request.user, table_code)
    people = People.of(table)
    called = shown.called(titles_of(table))
    wanted = _wanted(request.GET, people, called)
    matches = looked_for(table.games.all(), wanted, people, called)
    page = asked_page(request)
    with_nights = Visitor(request.user).sees_accounts(table, role)
    rows = list(matches[(page - 1) * PAGE : page * PAGE + 1])
    context = {
        "table": table,
        "wanted": wanted,
        "filtered": shown.wanted_in_words(wanted),
        "backwards": _("This is before the day in “From”.") if wanted.is_backwards else "",
        "count": games_in_words(matches.order_by().count()),
        "nights": _nights(rows[:PAGE], people, table, with_nights=with_nights),
        "newer": page - 1,
        "older": page + 1 if len(rows) > PAGE else 0,
        "people": [person_of(member) for member in people.own],
        **{"variants": called.items(), "standings": shown.standings_offered(), "longest": LONGEST},
    }
    status = UNPROCESSABLE if wanted.is_backwards else 200
    return render(request, "play/games.html", context, status=status)


def _wanted(query: Mapping[str, str], people: People, called: Collection[str]) -> Wanted:
    """Return the search in the query string, without invalid values, such as an unknown member.

    `called` has the keys of the variants that the user can search for.
    """
    variant, standing = query.get("game", ""), query.get("standing", "")
    return Wanted(
        words=query.get("words", "")[:LONGEST],
        member=people.by_slug.get(query.get("member", "")),
        winner=people.by_slug.get(query.get("winner", "")),
        variant=variant if variant in called else "",
        first=read_day(query.get("from", "")),
        last=read_day(query.get("to", "")),
        standing=Standing(standing) if standing in set(Standing) else None,
    )


def _nights(games: list[Game], people: People, table: Table, *, with_nights: bool) -> tuple[shown.Night, ...]:
    """Return the games of a page with their players, grouped by nights.

    The players come from the stored results, or from the state of a game without results. The nights have
    links only if `with_nights`.
    """
    results = list(Result.objects.filter(game__in=games).order_by("game", "place", "pk"))
    given = {result.game_id for result in results}
    states = states_of([game.pk for game in games if game.pk not in given], most=MOST_STEPS)
    return shown.nights_of(games, results, states, people, table, with_nights=with_nights)
