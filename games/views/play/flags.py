"""*That is not my hand*: whoever sees a game may doubt a hand, and whoever records it settles the doubt."""

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
from games.shown.common.people import Person
from games.shown.common.sentences import translate
from games.shown.common.words import closing_in_words
from games.shown.play.flags import figure_doubted
from games.views.common.opened import OpenGame, open_game, user_of
from games.views.common.recording import TOO_MANY, UNPROCESSABLE


@dataclass(frozen=True)
class DoubtedHand:
    """A hand of the round, as it can be pointed at; `doubted` is what this person doubted of it, "" where nothing."""

    person: Person
    points: str
    is_chosen: bool
    doubted: str


@require_http_methods(["GET", "POST"])
def flag(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """A round whose hands can be doubted, with a note."""
    opened = open_game(request, code)
    played = _round(opened, number)
    if request.method == "GET":
        return _show(request, opened, played)
    who = str(user_of(request).pk)
    if not RAISED.take(who):
        wait = _("That was a lot. Wait %(minutes)s minutes, then try again.") % {"minutes": RAISED.minutes}
        return _show(request, opened, played, {"": wait}, status=TOO_MANY)
    hand, note = request.POST.get("hand", ""), request.POST.get("note", "")
    try:
        raise_flag(opened.game, opened.state, number, hand, note=note, by=user_of(request))
    except RuleError as refusal:
        errors = {refusal.field: translate(refusal.text)}
        return _show(request, opened, played, errors, status=UNPROCESSABLE)
    return redirect("sheet", code)


@require_POST
def settle_flag(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """The doubt about a hand is settled by whoever records, or taken back by who raised it."""
    opened = open_game(request, code)
    mine = None if opened.may_record else user_of(request)
    settle_flags(opened.game, number, request.POST.get("hand", ""), of=mine)
    return redirect("sheet", code)


def _round(opened: OpenGame, number: int) -> RoundResult:
    for played in opened.state.rounds:
        if played.number == number:
            return played
    raise Http404


def _show(
    request: HttpRequest,
    opened: OpenGame,
    played: RoundResult,
    errors: dict[str, str] | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    asked = request.POST.get("hand", request.GET.get("hand", ""))
    raised = open_flags(opened.game).filter(number=played.number, by=user_of(request))
    mine = {flag.player: flag for flag in raised}
    hands = _hands(opened, played, asked, mine)
    context = {
        **opened.context,
        "number": played.number,
        "round_number": opened.state.rounds.index(played) + 1,
        "closing": closing_in_words(played.entry, opened.state.rules, opened.people),
        "hands": hands,
        "mine": [hand for hand in hands if hand.doubted],
        "note": request.POST.get("note", mine[asked].note if asked in mine else ""),
        "errors": errors or {},
    }
    return render(request, "games/play/flag.html", context, status=status)


def _hands(opened: OpenGame, played: RoundResult, asked: str, mine: Mapping[str, Flag]) -> list[DoubtedHand]:
    return [
        DoubtedHand(
            opened.people[player],
            points(moved),
            player == asked,
            points(figure_doubted(mine[player], moved, opened.log)) if player in mine else "",
        )
        for player, moved in played.points.items()
    ]
