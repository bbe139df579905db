"""The result of a game, its money, its rules, the rematch, and the game as text."""

from __future__ import annotations

import json
from datetime import date
from urllib.parse import urlencode, urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import get_language, override
from django.views.decorators.http import require_GET, require_POST

from games.keys import KeyReused, new_key
from games.locks import StaleGame
from games.money.balances import People
from games.money.settling import PlayedNight
from games.money.settling import settlement_of as night_settlement_of
from games.nights import last_night
from games.people.access import Visitor
from games.play.begun import BegunAlready
from games.play.recording import NotOver, rematch_of, start_game
from games.scoring.errors import ScoringError
from games.scoring.text.describe import changed_options, describe
from games.scoring.text.writing import write_game
from games.shown.common.amounts import money_of
from games.shown.common.sentences import translate
from games.shown.money.dues import DuesShown
from games.shown.money.sending import file_name, message_of, picture_of, rules_in_short
from games.shown.money.settlement import Settlement, money_so_far, settlement_of
from games.shown.money.settling import settling_in_short
from games.shown.play.begun import question_in_words
from games.shown.play.contracts import contract_code
from games.shown.play.lessons import lesson_of
from games.views.common.opened import OpenGame, open_game, user_of
from games.views.common.owed import dues_seen_by, just_done
from games.views.common.recording import UNPROCESSABLE, Refused, latest_of, refused_by, sent_key

# The pages that link to the rules and that a GET request can show again.
RETURNS = {
    *("play-round", "correct", "insert-round", "reentry", "correct-rules"),
    *("settlement", "money", "more", "seats", "board"),
}


@require_GET
def settlement(request: HttpRequest, code: str) -> HttpResponse:
    """Show the result: places, money with its causes, and payments, with a text and a picture to be sent."""
    return show_settlement(request, open_game(request, code, or_old_night=True))


def _sent(
    request: HttpRequest,
    game_page: OpenGame,
    result: Settlement,
    dues: DuesShown,
    played: PlayedNight | None,
) -> dict[str, str]:
    """Return the template variables for sending the result to the group, in the language of the table.

    They are the text of the message, and the data and the file name of the picture.
    """
    game, state, language = game_page.game, game_page.state, game_page.table.language
    is_other_language = language != get_language()
    with override(language):
        if is_other_language:
            result, dues = (
                settlement_of(state, game_page.people, game_page.table),
                dues_seen_by(request, game_page, played),
            )
        return {
            "message": message_of(game, state, result, dues),
            "drawn": json.dumps(picture_of(game, state, result, dues)),
            "file_name": file_name(game),
        }


def show_settlement(
    request: HttpRequest, game_page: OpenGame, refused: Refused | None = None
) -> HttpResponse:
    """Show the result, with the refusal of a form on this page.

    If the game is not over, redirect to the sheet; for a night of an old notebook, to its own page.
    """
    game, state = game_page.game, game_page.state
    if not state.is_over:
        return redirect("sheet", game.code)
    if state.imported is not None:
        return redirect("old-night", game.code)
    played = _played_night(request, game_page)
    result = settlement_of(state, game_page.people, game_page.table)
    dues = dues_seen_by(request, game_page, played)
    context = {
        **game_page.context,
        "house": rules_in_short(state, game_page.table),
        "result": result,
        "dues": dues,
        **_night_of(game_page, result, played),
        "done": just_done(request, game_page, dues),
        **_undoing(request, game_page),
        "page": "settlement",
        **_sent(request, game_page, result, dues, played),
        "key": new_key(),
        "refused": refused,
    }
    return render(request, "games/money/settlement.html", context, status=refused.status if refused else 200)


def _undoing(request: HttpRequest, game_page: OpenGame) -> dict[str, object]:
    """Return the template variables for undo and redo: if they are possible, and the entry just recorded.

    The entry is a sentence, `said`; it is "" if nothing was recorded just now.
    """
    is_recorded = request.GET.get("recorded") == str(len(game_page.log))
    return {
        "said": latest_of(game_page) if is_recorded else "",
        "can_undo": bool(game_page.history.undoable),
        "can_redo": game_page.history.last_is_undo,
    }


def _played_night(request: HttpRequest, game_page: OpenGame) -> PlayedNight | None:
    """Return the night of the game, or None for a user who may not read the accounts."""
    game, table = game_page.game, game_page.table
    if not Visitor(request.user).sees_accounts(table, game_page.role):
        return None
    return PlayedNight.read(date.fromordinal(game.night_number), table, game_page.members)


def _night_of(game_page: OpenGame, result: Settlement, played: PlayedNight | None) -> dict[str, object]:
    """Return the template variables of the game's night: its date and, for the table's last night, a summary.

    The summary has the number of payments that are left to settle the night. Return {} for a user who may not
    read the accounts, and for a game without money.
    """
    if played is None or not result.has_money:
        return {}
    night = played.night.isoformat()
    if game_page.game.discarded_at is not None or played.night != last_night(game_page.table):
        return {"night": night}
    return {"night": night, "to_settle": settling_in_short(night_settlement_of(played))}


@require_POST
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    """Start a rematch (revancha): a game with the same players, rules and stakes.

    The page of the new game names the players who could not be seated. While a game of the same people has no
    round yet, ask first.
    """
    game_page = open_game(request, code, for_writing=True)
    try:
        begun = rematch_of(game_page.game)
        is_asking = "sure" not in request.POST
        key, user = sent_key(request), user_of(request)
        game = start_game(game_page.table, begun, key=key, by=user, is_asking=is_asking)
    except BegunAlready as before:
        question = question_in_words(before.game, game_page.table)
        context = {**game_page.context, "begun": before.game, "asked": question, "key": new_key()}
        return render(request, "games/play/begun.html", context, status=UNPROCESSABLE)
    except (ScoringError, StaleGame, KeyReused, NotOver) as refusal:
        refused = refused_by(refusal, game_page)
        context = {**game_page.context, "refused": refused}
        return render(request, "games/parts/refused.html", context, status=refused.status)
    now, seated = People.of(game_page.table).by_slug, {player.id for player in begun.players}
    without = [player.id for player in game_page.state.players if now[player.id].slug not in seated]
    sheet = reverse("sheet", args=[game.code])
    return redirect(f"{sheet}?{urlencode({'without': without}, doseq=True)}" if without else sheet)


@require_GET
def money(request: HttpRequest, code: str) -> HttpResponse:
    """Show the money that each player of a running game has paid in, won or lost so far, with the causes."""
    game_page = open_game(request, code)
    context = {**game_page.context, "paid": money_so_far(game_page.state, game_page.people, game_page.table)}
    return render(request, "games/money/money.html", context)


@require_GET
def rules(request: HttpRequest, code: str) -> HttpResponse:
    """Show the rules of this game: a lesson for newcomers, the house rules, and every rule as a sentence."""
    game_page = open_game(request, code)
    state, shown = game_page.state, money_of(game_page.table)
    context = {
        **game_page.context,
        "lesson": lesson_of(state.variant, state.house, shown),
        "changed": [translate(text, shown) for text in changed_options(state.variant, state.house, but=())],
        "sentences": [
            translate(text, shown)
            for text in describe(state.variant, state.house, state.direction, code=contract_code)
        ],
        "back": _came_from(request, code),
    }
    return render(request, "games/play/rules.html", context)


def _came_from(request: HttpRequest, code: str) -> str:
    """Return the address of the game's page from which the user opened the rules.

    Return the address of the sheet if the user came from elsewhere, or if a GET cannot show that page again.
    """
    referrer = urlsplit(request.headers.get("Referer", ""))
    try:
        page = resolve(referrer.path)
    except Resolver404:
        return reverse("sheet", args=[code])
    if page.url_name in RETURNS and page.kwargs.get("code") == code:
        return referrer.path + (f"?{referrer.query}" if referrer.query else "")
    return reverse("sheet", args=[code])


@require_GET
def export(request: HttpRequest, code: str) -> HttpResponse:
    """Return the game as text, for the command line or as a backup."""
    game_page = open_game(request, code, or_old_night=True)
    response = HttpResponse(write_game(game_page.log), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{code}.game"'
    return response
