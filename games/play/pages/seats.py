"""The correction of the seats: their order from the start of the game, with a preview of the consequences."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.common.locks import new_key
from games.common.sent import UNPROCESSABLE, Refused, sent_after
from games.play.pages.changes import missed, try_changes
from games.play.pages.opened import OpenGame, open_game
from games.scoring.events import Corrected, GameStarted, PlayersSeated


@require_http_methods(["GET", "POST"])
def seats(request: HttpRequest, code: str) -> HttpResponse:
    """Show the seats at the start of the game; the buttons `up` and `down` move a player in the form.

    Nothing is recorded before the user has seen the consequences.
    """
    game_page = open_game(request, code, for_writing=True)
    seated = _start(game_page).players
    if request.method == "GET":
        return _show(request, game_page, [player.id for player in seated], after=len(game_page.log))
    order = [request.POST.get(f"seat-{number}", "") for number, _player in enumerate(seated, start=1)]
    if sorted(order) != sorted(player.id for player in seated):
        refused = missed(request, game_page) or Refused(
            UNPROCESSABLE, {"": _("Choose a seat for each player.")}
        )
        return _show(
            request, game_page, [player.id for player in seated], after=len(game_page.log), refused=refused
        )
    if "up" in request.POST or "down" in request.POST:
        return _show(request, game_page, _moved(order, request), after=sent_after(request))
    if order == [player.id for player in seated]:
        refused = missed(request, game_page) or Refused(
            UNPROCESSABLE, {"": _("The players already sit in this order.")}
        )
        return _show(request, game_page, order, after=len(game_page.log), refused=refused)
    by_id = {player.id: player for player in seated}
    return try_changes(
        request, game_page, Corrected(1, PlayersSeated(tuple(by_id[player] for player in order)))
    )


def _start(game_page: OpenGame) -> GameStarted:
    """Return the start event of the game, with earlier corrections of the seats applied."""
    start = game_page.state.steps[0].event
    assert isinstance(start, GameStarted)
    return start


def _moved(order: Sequence[str], request: HttpRequest) -> list[str]:
    """Return the order after moving the posted player one seat up or down; a player at either end stays."""
    moved, step = list(order), -1 if "up" in request.POST else 1
    player = request.POST.get("up") or request.POST.get("down")
    if player in moved:
        place = moved.index(player)
        other = place + step
        if 0 <= other < len(moved):
            moved[place], moved[other] = moved[other], moved[place]
    return moved


def _show(
    request: HttpRequest,
    game_page: OpenGame,
    order: Sequence[str],
    *,
    after: int,
    refused: Refused | None = None,
) -> HttpResponse:
    dealer = _start(game_page).dealer
    context = {
        **game_page.context,
        "dealer": game_page.people[dealer] if dealer else None,
        "order": [game_page.people[player] for player in order],
        "after": after,
        "key": new_key(),
        "refused": refused,
    }
    return render(request, "play/seats.html", context, status=refused.status if refused else 200)
