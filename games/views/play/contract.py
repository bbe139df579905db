"""Did somebody go down right? Asked of the contract and the cards in the address; nothing is recorded."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET

from games.shown.play.going_down import check_of
from games.views.common.opened import open_game
from games.views.common.recording import UNPROCESSABLE


@require_GET
def contract(request: HttpRequest, code: str) -> HttpResponse:
    """The pad and the answer; the rules themselves where the game has no contracts."""
    opened = open_game(request, code)
    if not opened.state.rules.contracts:
        return redirect("rules", code)
    check = check_of(opened.state, request.GET)
    context = {**opened.context, "check": check}
    return render(request, "games/play/contract.html", context, status=UNPROCESSABLE if check.errors else 200)
