"""The result of a game, the rules in force, and the game as text."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from games.access import may_record
from games.messages import translate
from games.scoring.describe import describe
from games.scoring.errors import ScoringError
from games.scoring.writing import write_game
from games.services import KeyReused, NotOver, StaleGame, rematch_of, start_game
from games.shown.amounts import money_of
from games.shown.settlement import message_of, money_so_far, rules_in_short, settlement_of
from games.views.opened import open_game, user_of
from games.views.recording import new_key, refused_by, sent_key


@require_GET
def settlement(request: HttpRequest, code: str) -> HttpResponse:
    """Places, money with its causes, who pays whom, and the text to send."""
    opened = open_game(request, code, or_old_night=True)
    if not opened.state.is_over:
        return redirect("sheet", code)
    if opened.state.imported is not None:
        return redirect("old-night", code)
    context = {
        **opened.context,
        "house": rules_in_short(opened.state, opened.table),
        "result": settlement_of(opened.state, opened.people, opened.table),
        "message": message_of(opened.state, opened.people, opened.table),
        "may_record": may_record(request.user, opened.table),
        "key": new_key(),
    }
    return render(request, "games/settlement.html", context)


@require_POST
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    """The same people, rules and stakes once more (revancha)."""
    opened = open_game(request, code, for_writing=True)
    try:
        game = start_game(opened.table, rematch_of(opened.game), key=sent_key(request), by=user_of(request))
    except (ScoringError, StaleGame, KeyReused, NotOver) as refusal:
        refused = refused_by(refusal, opened)
        context = {**opened.context, "refused": refused}
        return render(request, "games/refused.html", context, status=refused.status)
    return redirect("sheet", game.code)


@require_GET
def money(request: HttpRequest, code: str) -> HttpResponse:
    """What is in the pot: what everybody put in, and why."""
    opened = open_game(request, code)
    context = {**opened.context, "paid": money_so_far(opened.state, opened.people, opened.table)}
    return render(request, "games/money.html", context)


@require_GET
def rules(request: HttpRequest, code: str) -> HttpResponse:
    """The rules this game is played by, in words."""
    opened = open_game(request, code)
    shown = money_of(opened.table)
    sentences = [translate(text, shown) for text in describe(opened.state.variant, opened.state.house)]
    context = {
        **opened.context,
        "sentences": sentences,
        "may_record": may_record(request.user, opened.table),
    }
    return render(request, "games/rules.html", context)


@require_GET
def export(request: HttpRequest, code: str) -> HttpResponse:
    """The game as text, for the command line and for keeping."""
    opened = open_game(request, code, or_old_night=True)
    response = HttpResponse(write_game(opened.log), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{code}.game"'
    return response
