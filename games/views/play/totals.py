"""How a game went: everybody's total, round by round, as a chart."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from games.shown.play.totals import totals_chart
from games.views.common.opened import open_game


@require_GET
def totals(request: HttpRequest, code: str) -> HttpResponse:
    """Show the totals of a game, round by round."""
    game_page = open_game(request, code)
    context = {**game_page.context, "chart": totals_chart(game_page.state, game_page.people)}
    return render(request, "games/play/totals.html", context)
