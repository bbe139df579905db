"""Quick keys: buttons with points on the sheet. One tap records a round with these points.

An owner chooses the keys of the table; scorers use them.
"""

from __future__ import annotations

from collections.abc import Collection

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.models import QUICK_KEYS
from games.people.access import get_table_or_404
from games.play.hands import hands_of
from games.play.quick_keys import choose_quick_keys, quick_keys_of
from games.play.quick_keys import quick_round as round_of
from games.play.recording import Recorded
from games.scoring.errors import RuleError
from games.scoring.replay import replay
from games.shown.common.sentences import translate
from games.views.common.numbers import whole_number
from games.views.common.opened import OpenGame, open_game
from games.views.common.recording import (
    CONFLICT,
    UNPROCESSABLE,
    Refused,
    number_under,
    refused_by,
    sent_key,
    try_to_record,
)
from games.views.play.sheet import next_page, show_sheet


@require_http_methods(["GET", "HEAD", "POST"])
def quick_keys(request: HttpRequest, code: str) -> HttpResponse:
    """Show the quick keys of the game's table; on POST, store those that the owner chose."""
    game_page = open_game(request, code)
    get_table_or_404(request, game_page.table.code, for_owning=True)
    if request.method != "POST":
        return _show(request, game_page, [str(key) for key in game_page.table.quick_keys])
    sent = request.POST.getlist("quick-key")
    try:
        choose_quick_keys(game_page.table, [whole_number(text, most_digits=3) for text in sent])
    except RuleError as refusal:
        return _show(request, game_page, sent, translate(refusal.text), status=UNPROCESSABLE)
    return redirect("sheet", code)


def _show(
    request: HttpRequest, game_page: OpenGame, chosen: Collection[str], error: str = "", *, status: int = 200
) -> HttpResponse:
    keys = [(key, str(key) in chosen) for key in QUICK_KEYS]
    context = {**game_page.context, "keys": keys, "error": error}
    return render(request, "games/play/quick_keys.html", context, status=status)


@require_POST
def quick_round(request: HttpRequest, code: str) -> HttpResponse:
    """Record a round with the points of the tapped key for one player, and 0 for everybody else."""
    game_page = open_game(request, code, for_writing=True)
    result = _try_quick_round(request, game_page)
    if isinstance(result, Refused):
        return show_sheet(request, open_game(request, code), result)
    return redirect(next_page(game_page, result))


def _try_quick_round(request: HttpRequest, game_page: OpenGame) -> Recorded | Refused:
    """Record the posted round and return the game after it, or the refusal."""
    number = number_under(sent_key(request), game_page)
    # Read a repeated request with the state before its first recording, so that it gives the same event.
    state = game_page.state if number is None else replay(game_page.log[: number - 1])
    points = whole_number(request.POST.get("points", ""), most_digits=3)
    hands = hands_of(game_page.game, game_page.snapshot)
    if number is None and hands.sent:
        return Refused(
            CONFLICT, {"": _("A phone has sent points: tap a face and record the round as usual.")}
        )
    if number is None and points not in quick_keys_of(game_page.table, hands):
        return Refused(UNPROCESSABLE, {"": _("This table doesn't have that quick key.")})
    try:
        event = round_of(state, request.POST.get("player", ""), points)
    except RuleError as refusal:
        return refused_by(refusal, game_page)
    return try_to_record(request, game_page, event)
