"""Live pages of a game: the polled sheet, the board with big digits, and the answers to their polls."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace

from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from games.common.roles import WRITERS
from games.common.tickets import HEADER
from games.common.words import winners_in_words
from games.models import Game, Role
from games.play.hands import hands_of
from games.play.pages.brought_hands import counting_in_words
from games.play.pages.columns import columns_of, contract_in_words, goal_in_words, spots_of
from games.play.pages.opened import OpenGame, open_game
from games.play.pages.sheet import show_sheet
from games.tables.access import game_for
from games.tables.lobby import face_of, unanswered
from games.tables.views.lobby import asks_at, ticket_at, unchanged


@require_GET
def live_sheet(request: HttpRequest, code: str, version: int) -> HttpResponse:
    """Answer the poll of a sheet that shows `version`; 204 if the sheet is up to date."""
    return news(request, "live-sheet", code, version, show_sheet)


@require_GET
def board(request: HttpRequest, code: str) -> HttpResponse:
    """Show the totals in big digits, for a tablet in the middle of the players."""
    return _show_board(request, open_game(request, code))


@require_GET
def live_board(request: HttpRequest, code: str, version: int) -> HttpResponse:
    """Answer the poll of a board that shows `version`; 204 if the board is up to date."""
    return news(request, "live-board", code, version, _show_board)


def _show_board(request: HttpRequest, game_page: OpenGame) -> HttpResponse:
    state, people = game_page.state, game_page.people
    context = {
        **game_page.context,
        "spots": spots_of(columns_of(state, people)),
        "goal": goal_in_words(state),
        "contract": contract_in_words(state.contract),
        "round_number": len(state.rounds) + 1,
        "asked": people[state.pending[0].id] if state.pending else None,
        "won": winners_in_words(state, people) if state.is_over else "",
        "counting": counting_in_words(hands_of(game_page.game, game_page.snapshot), people),
        **asks_at(request, game_page.table, "live-board", game_page.game.code, game_page.version),
    }
    return render(request, "play/board.html", context)


Draw = Callable[[HttpRequest, OpenGame], HttpResponse]


def nothing_new(
    request: HttpRequest, code: str, version: int, *, for_writing: bool = False
) -> HttpResponse | None:
    """Return an empty response with the next ticket if `version` is the game's present version, else None.

    The middleware answers polls whose ticket is valid by themselves; only the others get here.
    """
    game, _role = game_for(request.user, code, for_writing=for_writing)
    return unchanged(request, game.table) if version == _version_of(game) else None


def news(request: HttpRequest, name: str, code: str, version: int, draw: Draw) -> HttpResponse:
    """Answer a poll of the address with the URL name `name`: 204 without news, else the page rendered by `draw`.

    All watchers share one copy, except that who has said which member they are gets that member's, which
    invites them to send their own hand.
    """
    game, role = game_for(request.user, code)
    now = _version_of(game)
    if version == now:
        return unchanged(request, game.table)
    face = face_of(request.user, game.table)  # the page invites this member to send their own hand
    waits = face is None and unanswered(
        request.user, game.table
    )  # and says that a new name waits, or got a no
    if waits or not _is_as_all_see_it(request, role):
        return draw(request, open_game(request, code))
    drawn = caches["drawn"]
    key = f"{name}:{code}:{now}:{get_language()}:{face.pk if face else ''}"
    text = drawn.get(key)
    if text is None:
        game_page = open_game(request, code)
        text = draw(_of_nobody(request), replace(game_page, face=face)).content
        now, was = game_page.version, now
        if now == was:
            drawn.set(key, text)
    ticket = ticket_at(request, game.table, reverse(name, args=[code, now]))
    return HttpResponse(text, headers={HEADER: ticket})


def _version_of(game: Game) -> int:
    # The table's revision was read together with the access, and rises when an access ends. So nobody without
    # access gets a ticket for the newer version.
    return game.records.count() + game.table.revision


def _is_as_all_see_it(request: HttpRequest, role: Role) -> bool:
    """Return whether the page has no personal data, so that all watchers can get the same copy.

    Personal are a form's key, for who may record, and a ticket, if the poll did not send its own in a header:
    else the next one is returned in a header too.
    """
    return role not in WRITERS and HEADER in request.headers


def _of_nobody(request: HttpRequest) -> HttpRequest:
    """Return a copy of the request without its user and cookies, to render a page that can be shared."""
    anonymous = copy(request)
    anonymous.user, anonymous.COOKIES = AnonymousUser(), {}
    return anonymous
