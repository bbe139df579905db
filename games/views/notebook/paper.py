"""The printable scoresheet of a game."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.shown.money.sending import played_on, rules_in_short
from games.shown.money.settlement import settlement_of
from games.shown.notebook.paper import paper_of
from games.views.common.opened import open_game
from games.views.common.owed import dues_seen_by


@require_GET
def paper(request: HttpRequest, code: str) -> HttpResponse:
    """Show the scoresheet as written on paper, with the payments still owed if the game is over."""
    game_page = open_game(request, code)
    state, people, table = game_page.state, game_page.people, game_page.table
    context = {
        **game_page.context,
        "paper": paper_of(state, people, table),
        "result": settlement_of(state, people, table) if state.is_over else None,
        "dues": dues_seen_by(request, game_page) if state.is_over else None,
        "house": rules_in_short(state, table),
        "played_on": played_on(game_page.game),
    }
    return render(request, "games/notebook/paper.html", context)
