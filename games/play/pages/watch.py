"""Live pages of a game: the polled sheet, and the board with big digits."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.common.words import winners_in_words
from games.play.hands import hands_of
from games.play.pages.brought_hands import counting_in_words
from games.play.pages.columns import columns_of, goal_in_words, spots_of
from games.play.pages.contracts import contract_in_words
from games.play.pages.live import news
from games.play.pages.opened import OpenGame, open_game
from games.play.pages.recording import latest_of
from games.play.pages.sheet import show_sheet
from games.tables.pages.polling import asks_at


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
        "latest": latest_of(game_page),
        "counting": counting_in_words(hands_of(game_page.game, game_page.snapshot), people),
        **asks_at(request, game_page.table, "live-board", game_page.game.code, game_page.version),
    }
    return render(request, "play/board.html", context)
