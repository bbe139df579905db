"""The result of a game, the rules in force, and the game as text."""

from __future__ import annotations

import json
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_GET, require_POST

from games.keys import KeyReused, new_key
from games.locks import StaleGame
from games.money.balances import People
from games.play.recording import NotOver, rematch_of, start_game
from games.scoring.errors import ScoringError
from games.scoring.text.describe import describe
from games.scoring.text.writing import write_game
from games.shown.common.amounts import money_of
from games.shown.common.sentences import translate
from games.shown.money.dues import DuesShown
from games.shown.money.sending import file_name, message_of, picture_of, rules_in_short
from games.shown.money.settlement import Settlement, money_so_far, settlement_of
from games.views.common.opened import OpenGame, open_game, user_of
from games.views.common.owed import dues_seen_by, just_done
from games.views.common.recording import Refused, latest_of, refused_by, sent_key

# The pages that ask for the rules and are the same when one comes back to them.
RETURNS = {
    *("play-round", "correct", "insert-round", "reentry", "correct-rules"),
    *("settlement", "money", "more", "seats", "paper", "board"),
}


@require_GET
def settlement(request: HttpRequest, code: str) -> HttpResponse:
    """Places, money with its causes, who pays whom, and what is sent: as text and as a picture."""
    return show_settlement(request, open_game(request, code, or_old_night=True))


def _sent(request: HttpRequest, opened: OpenGame, result: Settlement, dues: DuesShown) -> dict[str, str]:
    """What is sent to the group, as text and as what a picture is drawn from: in the table's language, whoever sends it."""
    game, state, language = opened.game, opened.state, opened.table.language
    is_anothers = language != get_language()
    with override(language):
        if is_anothers:
            result, dues = settlement_of(state, opened.people, opened.table), dues_seen_by(request, opened)
        return {
            "message": message_of(game, state, result, dues),
            "drawn": json.dumps(picture_of(game, state, result, dues)),
        }


def show_settlement(request: HttpRequest, opened: OpenGame, refused: Refused | None = None) -> HttpResponse:
    """The result, or where it is if the game is not over; with a refusal where something on it was refused."""
    game, state = opened.game, opened.state
    if not state.is_over:
        return redirect("sheet", game.code)
    if state.imported is not None:
        return redirect("old-night", game.code)
    result, dues = settlement_of(state, opened.people, opened.table), dues_seen_by(request, opened)
    context = {
        **opened.context,
        "house": rules_in_short(state, opened.table),
        "result": result,
        "dues": dues,
        "done": just_done(request, opened, dues),
        "said": latest_of(opened) if request.GET.get("recorded") == str(len(opened.log)) else "",
        "can_undo": bool(opened.history.undoable),
        "can_redo": opened.history.last_is_undo,
        "page": "settlement",
        **_sent(request, opened, result, dues),
        "file_name": file_name(game),
        "key": new_key(),
        "refused": refused,
    }
    return render(request, "games/money/settlement.html", context, status=refused.status if refused else 200)


@require_POST
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    """The same people, rules and stakes once more (revancha); the new sheet says who of them is not there."""
    opened = open_game(request, code, for_writing=True)
    try:
        begun = rematch_of(opened.game)
        game = start_game(opened.table, begun, key=sent_key(request), by=user_of(request))
    except (ScoringError, StaleGame, KeyReused, NotOver) as refusal:
        refused = refused_by(refusal, opened)
        context = {**opened.context, "refused": refused}
        return render(request, "games/parts/refused.html", context, status=refused.status)
    now, seated = People.of(opened.table).by_slug, {player.id for player in begun.players}
    without = [player.id for player in opened.state.players if now[player.id].slug not in seated]
    sheet = reverse("sheet", args=[game.code])
    return redirect(f"{sheet}?{urlencode({'without': without}, doseq=True)}" if without else sheet)


@require_GET
def money(request: HttpRequest, code: str) -> HttpResponse:
    """What everybody has put in or settled while the game runs, and why."""
    opened = open_game(request, code)
    context = {**opened.context, "paid": money_so_far(opened.state, opened.people, opened.table)}
    return render(request, "games/money/money.html", context)


@require_GET
def rules(request: HttpRequest, code: str) -> HttpResponse:
    """The rules this game is played by, in words."""
    opened = open_game(request, code)
    shown = money_of(opened.table)
    sentences = [
        translate(text, shown)
        for text in describe(opened.state.variant, opened.state.house, opened.state.direction)
    ]
    context = {
        **opened.context,
        "sentences": sentences,
        "back": _came_from(request, code),
    }
    return render(request, "games/play/rules.html", context)


def _came_from(request: HttpRequest, code: str) -> str:
    """The page of this game that the rules were asked from, where it can be gone back to; else the sheet."""
    asked = urlsplit(request.headers.get("Referer", ""))
    try:
        page = resolve(asked.path)
    except Resolver404:
        return reverse("sheet", args=[code])
    if page.url_name in RETURNS and page.kwargs.get("code") == code:
        return asked.path + (f"?{asked.query}" if asked.query else "")
    return reverse("sheet", args=[code])


@require_GET
def export(request: HttpRequest, code: str) -> HttpResponse:
    """The game as text, for the command line and for keeping."""
    opened = open_game(request, code, or_old_night=True)
    response = HttpResponse(write_game(opened.log), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{code}.game"'
    return response
