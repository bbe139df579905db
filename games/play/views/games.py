"""The archive: all games of a table by night, newest first, with a search, for every user with access."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.common.amounts import money
from games.common.book import states_of
from games.common.days import clock, day_in_words
from games.common.played import game_name, game_page, games_in_words, reentries_in_words, title_in_words
from games.common.regions import NO_BREAK
from games.common.rows import grouped
from games.common.words import won_by
from games.models import Game, Result, Table
from games.money.views.ticks import asked_page
from games.play.archive import LONGEST, Standing, standing_games, titles_of, with_words
from games.scoring.admission import MOST_STEPS
from games.scoring.state import GameState
from games.scoring.variants import VARIANTS
from games.tables.services import authorization, roster
from games.tables.services.authorization import Visitor
from games.tables.services.roster import People

PAGE = 20
FACES = 8  # the most faces that fit side by side on a phone


@require_safe
def games(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show a page of the games that match the search, newest first; without a search, of all games."""
    table, role = authorization.get_table(request.user, table_code)
    people, page = People.of(table), asked_page(request)
    words, standing = request.GET.get("words", "")[:LONGEST], request.GET.get("standing", "")
    called = {title: title_in_words(title) for title in (*VARIANTS, *titles_of(table))}
    matches = with_words(standing_games(table, standing), words, people, called)
    rows = list(matches[(page - 1) * PAGE : page * PAGE + 1])
    nights = _nights(rows[:PAGE], people, table)
    context = {
        "table": table,
        "words": words,
        "standing": standing,
        "count": games_in_words(matches.order_by().count()),
        "nights": nights,
        "has_nights": Visitor(request.user).can_view_accounts(table, role),
        "newer": page - 1,
        "older": page + 1 if len(rows) > PAGE else 0,
        "standings": _standings(),
        "longest": LONGEST,
    }
    return render(request, "play/games.html", context)


def _standings() -> list[tuple[str, str]]:
    """Return the statuses of a game as choices of the search: pairs of value and label."""
    return [
        ("", _("Under way or over")),
        (Standing.UNDER_WAY, _("Under way")),
        (Standing.ENDED, _("Over")),
        (Standing.DISCARDED, _("Discarded")),
    ]


def _nights(
    games: Sequence[Game], people: People, table: Table
) -> list[tuple[date, str, list[dict[str, object]]]]:
    """Group the games by night: its day, the day in words, and its games.

    The players of a game are those of its stored results, or of its state if it has none, as an unfinished one.
    """
    results = Result.objects.filter(game__in=games).order_by("game", "place", "pk")
    given = grouped((result.game_id, result) for result in results)
    states = states_of([game.pk for game in games if game.pk not in given], most=MOST_STEPS)
    nights = groupby(games, key=lambda game: date.fromordinal(game.night_number))
    return [
        (
            night,
            day_in_words(night),
            [_row(game, given.get(game.pk, []), states.get(game.pk), people, table) for game in of_night],
        )
        for night, of_night in nights
    ]


def _row(
    game: Game, results: Sequence[Result], state: GameState | None, people: People, table: Table
) -> dict[str, object]:
    """Return the name and time of a game, its status, and the faces of its players; `more` counts the others."""
    seated = [people.by_pk[result.member_id] for result in results]
    if not seated and state is not None:
        seated = [people.by_slug[player.id] for player in state.players]
    persons = [roster.to_person(member) for member in dict.fromkeys(seated)]
    return {
        "title": game_name(game),
        "detail": " · ".join(_details(game, results, people, table)),
        "faces": persons[:FACES],
        "more": len(persons) - FACES,
        "href": game_page(game),
    }


def _details(game: Game, results: Sequence[Result], people: People, table: Table) -> Iterator[str]:
    yield clock(game.started_at, table)
    if game.discarded_at is not None:
        yield _("discarded")
    elif game.ended_at is None:
        yield _("under way")
    else:
        names = [people.by_pk[result.member_id].name for result in results if result.won]
        yield won_by(names, is_shared=any(result.place for result in results))
    back = sum(result.reentries for result in results)
    if back:
        yield _unbroken(reentries_in_words(back))
    if game.pot:
        yield _unbroken(_("pot %(pot)s") % {"pot": money(game.pot, table)})


def _unbroken(figure: str) -> str:
    """Return the text, such as `2 re-entries`, with no-break spaces, so that no line ends inside it."""
    return figure.replace(" ", NO_BREAK)
