"""A chart of a game: the total of each player after each round."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.shown.play.totals import totals_chart
from games.views.common.opened import open_game


@require_GET
def totals(request: HttpRequest, code: str) -> HttpResponse:
    """Show the totals of the players after each round."""
    game_page = open_game(request, code)
    context = {**game_page.context, "chart": totals_chart(game_page.state, game_page.people)}
    return render(request, "games/play/totals.html", context)
