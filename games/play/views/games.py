"""The archive: all games of a table by night, newest first, with a search, for every user with access."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from games.common import amounts, bulk, days, event_sentences, event_store, game_labels, regions
from games.models import Game, Result, Table
from games.money.views.debt_pages import requested_page
from games.play.services import archive
from games.play.services.archive import GameStatus
from games.scoring.state import GameState
from games.scoring.validation import MAX_STEPS
from games.scoring.variants import VARIANTS
from games.tables.services import authorization, roster
from games.tables.services.roster import People

PAGE_SIZE = 20
MAX_FACES = 8  # the most faces that fit side by side on a phone


@require_safe
def games(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show a page of the games that match the search, newest first; without a search, of all games."""
    table, _role = authorization.get_table(request.user, table_code)
    people, page = People.of(table), requested_page(request)
    search_text = request.GET.get("words", "")[: archive.LONGEST_SEARCH]
    status = request.GET.get("standing", "")
    variant_labels = {
        title: game_labels.variant_label(title) for title in (*VARIANTS, *archive.list_variants(table))
    }
    matches = archive.search(archive.filter_by_status(table, status), search_text, people, variant_labels)
    rows = list(matches[(page - 1) * PAGE_SIZE : page * PAGE_SIZE + 1])
    nights = _nights(rows[:PAGE_SIZE], people, table)
    context = {
        "table": table,
        "words": search_text,
        "standing": status,
        "count": game_labels.games_label(matches.order_by().count()),
        "nights": nights,
        "has_nights": authorization.can_view_accounts(table.reader_access),
        "newer": page - 1,
        "older": page + 1 if len(rows) > PAGE_SIZE else 0,
        "standings": _status_choices(),
        "longest": archive.LONGEST_SEARCH,
    }
    return render(request, "play/games.html", context)


def _status_choices() -> list[tuple[str, str]]:
    return [
        ("", _("In progress or over")),
        (GameStatus.UNDER_WAY, _("In progress")),
        (GameStatus.ENDED, _("Over")),
        (GameStatus.DISCARDED, pgettext("games", "Deleted")),
    ]


def _nights(
    games: Sequence[Game], people: People, table: Table
) -> list[tuple[date, str, list[dict[str, object]]]]:
    """Group the games by night: its date, its day in words, and its games.

    The players of a game are those of its stored results or, if it has none because it is unfinished, of its
    state.
    """
    results = Result.objects.filter(game__in=games).order_by("game", "place", "pk")
    given = bulk.group_values((result.game_id, result) for result in results)
    states = event_store.load_states([game.pk for game in games if game.pk not in given], most=MAX_STEPS)
    nights = groupby(games, key=lambda game: date.fromordinal(game.night_number))
    return [
        (
            night,
            days.format_day(night),
            [
                _game_item(game, given.get(game.pk, []), states.get(game.pk), people, table)
                for game in of_night
            ],
        )
        for night, of_night in nights
    ]


def _game_item(
    game: Game, results: Sequence[Result], state: GameState | None, people: People, table: Table
) -> dict[str, object]:
    """Return a game's title and details, the faces of its players, and how many did not fit (`more`)."""
    members = [people.by_pk[result.member_id] for result in results]
    if not members and state is not None:
        members = [people.by_slug[player.id] for player in state.players]
    persons = [roster.to_person(member) for member in dict.fromkeys(members)]
    return {
        "title": game_labels.game_label(game),
        "detail": " · ".join(_details(game, results, people, table)),
        "faces": persons[:MAX_FACES],
        "more": len(persons) - MAX_FACES,
        "href": game_labels.game_url(game),
    }


def _details(game: Game, results: Sequence[Result], people: People, table: Table) -> Iterator[str]:
    yield days.format_time(game.started_at, table)
    if game.discarded_at is not None:
        yield _("deleted")
    elif game.ended_at is None:
        yield _("in progress")
    else:
        names = [people.by_pk[result.member_id].name for result in results if result.won]
        yield event_sentences.won_by_label(names, is_shared=any(result.place for result in results))
    back = sum(result.reentries for result in results)
    if back:
        yield _with_no_breaks(game_labels.reentries_label(back))
    if game.pot:
        yield _with_no_breaks(_("pot %(pot)s") % {"pot": amounts.money(game.pot, table)})


def _with_no_breaks(figure: str) -> str:
    """Return the text, such as `2 re-entries`, with no-break spaces, so that no line breaks inside it."""
    return figure.replace(" ", regions.NO_BREAK)
