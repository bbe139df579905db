"""Flags: any user who sees a game can flag a hand as doubtful.

The same user or a scorer settles (resolves) the flag; then the sheet no longer shows it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Flag
from games.play.flags import RAISED, open_flags, raise_flag, settle_flags
from games.scoring.errors import RuleError
from games.scoring.state import RoundResult
from games.shown.common.amounts import points
from games.shown.common.days import arrival_in_words
from games.shown.common.people import Person
from games.shown.common.sentences import translate
from games.shown.common.words import closing_in_words
from games.shown.play.flags import figure_doubted
from games.views.common.opened import OpenGame, open_game, user_of
from games.views.common.recording import TOO_MANY, UNPROCESSABLE


@dataclass(frozen=True)
class DoubtedHand:
    """A hand of a round that can be flagged.

    If this user has flagged the hand, `doubted` are the points that it had when they flagged it, else "".
    `points` are the hand's points now.
    """

    person: Person
    points: str
    is_chosen: bool
    doubted: str


@require_http_methods(["GET", "POST"])
def flag(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show the hands of the round that is event `number`; on POST, flag one of them with a note."""
    game_page = open_game(request, code)
    played = _round(game_page, number)
    if request.method == "GET":
        return _show(request, game_page, played)
    who = str(user_of(request).pk)
    if not RAISED.take(who):
        wait = _("Too many reports. Wait %(minutes)s minutes, then try again.") % {"minutes": RAISED.minutes}
        return _show(request, game_page, played, {"": wait}, status=TOO_MANY)
    hand, note = request.POST.get("hand", ""), request.POST.get("note", "")
    try:
        raise_flag(game_page.game, game_page.state, number, hand, note=note, by=user_of(request))
    except RuleError as refusal:
        errors = {refusal.field: translate(refusal.text)}
        return _show(request, game_page, played, errors, status=UNPROCESSABLE)
    return redirect("sheet", code)


@require_POST
def settle_flag(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Settle the flags of the posted hand, which belongs to the round that is event `number`.

    A user who may record settles all of them, any other user only their own.
    """
    game_page = open_game(request, code)
    mine = None if game_page.may_record else user_of(request)
    settle_flags(game_page.game, number, request.POST.get("hand", ""), of=mine)
    return redirect("sheet", code)


def _round(game_page: OpenGame, number: int) -> RoundResult:
    for played in game_page.state.rounds:
        if played.number == number:
            return played
    raise Http404


def _show(
    request: HttpRequest,
    game_page: OpenGame,
    played: RoundResult,
    errors: dict[str, str] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    hand = request.POST.get("hand", request.GET.get("hand", ""))
    raised = open_flags(game_page.game).filter(number=played.number, by=user_of(request))
    mine = {flag.player: flag for flag in raised}
    hands = _hands(game_page, played, hand, mine)
    context = {
        **game_page.context,
        "number": played.number,
        "round_number": game_page.state.rounds.index(played) + 1,
        "closing": closing_in_words(played.entry, game_page.state.rules, game_page.people),
        "arrival": arrival_in_words(game_page.game.records.get(number=played.number), game_page.table),
        "hands": hands,
        "mine": [hand for hand in hands if hand.doubted],
        "note": request.POST.get("note", mine[hand].note if hand in mine else ""),
        "errors": errors or {},
        "general": errors.get("", "") if errors else "",
    }
    return render(request, "games/play/flag.html", context, status=status)


def _hands(
    game_page: OpenGame, played: RoundResult, chosen: str, mine: Mapping[str, Flag]
) -> list[DoubtedHand]:
    return [
        DoubtedHand(
            game_page.people[player],
            points(moved),
            player == chosen,
            points(figure_doubted(mine[player], moved, game_page.log)) if player in mine else "",
        )
        for player, moved in played.points.items()
    ]
