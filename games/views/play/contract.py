"""A check of the first melds that a player lays down, against the contract (the melds that a round requires).

Nothing is recorded.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from games.shown.play.going_down import check_of
from games.views.common.opened import open_game
from games.views.common.recording import UNPROCESSABLE


@require_GET
def contract(request: HttpRequest, code: str) -> HttpResponse:
    """Show the form to enter the cards, and the result of the check.

    Redirect to the rules if the game has no contracts.
    """
    game_page = open_game(request, code)
    if not game_page.state.rules.contracts:
        return redirect("rules", code)
    check = check_of(game_page.state, request.GET)
    context = {**game_page.context, "check": check}
    return render(request, "games/play/contract.html", context, status=UNPROCESSABLE if check.errors else 200)
