"""The sheet to be printed."""

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
    """The sheet as it is written on paper, with who still pays whom where the game is over."""
    opened = open_game(request, code)
    state, people, table = opened.state, opened.people, opened.table
    context = {
        **opened.context,
        "paper": paper_of(state, people, table),
        "result": settlement_of(state, people, table) if state.is_over else None,
        "dues": dues_seen_by(request, opened) if state.is_over else None,
        "house": rules_in_short(state, table),
        "played_on": played_on(opened.game),
    }
    return render(request, "games/notebook/paper.html", context)
