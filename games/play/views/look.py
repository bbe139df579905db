"""A round as it was entered (mirar la mano), for users who may not correct it: every hand with its cards.

The page polls, so that it follows corrections of the round.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.common import amounts, days, event_sentences, naming, request_handling, texts
from games.common.naming import Person
from games.common.poll_tickets import PageVersion
from games.common.request_handling import PageRefusal
from games.play.presenters import lessons, open_game
from games.play.presenters.lessons import CardGroup
from games.play.presenters.open_game import OpenGame
from games.play.services import hand_flags
from games.play.views.live_result import lead
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, RoundPlayed
from games.scoring.state import RoundResult
from games.tables.services import users
from games.tables.services.roster import People
from games.tables.views.lobby import no_news, poll_context


@dataclass(frozen=True)
class HandDetail:
    """A player's hand in a round: its points, its cards in groups if they were entered, and its doubts.

    `is_flagged` is true if the reader says that it is wrong, `is_answered` if its round changed after that.
    """

    person: Person
    points: str
    groups: list[CardGroup]
    doubts: list[str]
    is_requested: bool
    is_flagged: bool
    is_answered: bool


@require_POST
def flag(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Say that a hand is wrong (está mal), or take that back.

    A scorer may say that it is right (está bien).
    """
    is_right = "settled" in request.POST
    game_page = open_game.get_or_404(request, code, for_recording=is_right)
    player = request.POST.get("hand", "")
    if is_right:
        hand_flags.delete_all(game_page.game, number, player)
        return redirect("sheet", code)
    try:
        hand_flags.toggle(
            game_page.game, game_page.snapshot, number, player, by=request_handling.current_user(request)
        )
    except RuleError as refusal:
        return show_hands(request, game_page, number, open_game.refusal_for(refusal, game_page))
    return redirect(f"{reverse('correct', args=[code, number])}?hand={player}")


@require_safe
def live_look(request: HttpRequest, code: str, number: int, version: PageVersion) -> HttpResponse:
    """Answer the poll of a round that was shown at `version`: 204 without news.

    If the round was removed, lead to the sheet.
    """
    game_page = open_game.get_or_404(request, code)
    if version == game_page.version:
        return no_news(request, game_page.reader_access)
    if _find_result(game_page, number) is None:
        return lead(_("The round was removed"), reverse("sheet", args=[code]))
    return show_hands(request, game_page, number)


def _find_result(game_page: OpenGame, number: int) -> RoundResult | None:
    return next((result for result in game_page.state.rounds if result.number == number), None)


def show_hands(
    request: HttpRequest, game_page: OpenGame, number: int, refusal: PageRefusal | None = None
) -> HttpResponse:
    """Show the round that is event `number`; the hand named by the query string comes first.

    Raise PermissionDenied for an event that is not a round: no link leads there.
    """
    state, people, table = game_page.state, game_page.people, game_page.table
    result = _find_result(game_page, number)
    if result is None:
        raise PermissionDenied
    sentence = event_sentences.play_sentence(
        RoundPlayed(result.entry), number=number, state=state, people=people, table=table
    )
    first = request.GET.get("hand") or request.POST.get("hand", "")
    live = poll_context(
        request, game_page.reader_access, "live-look", game_page.game.code, number, game_page.version
    )
    context = {
        **game_page.context,
        **live,
        "live": f"{live['live']}?{urlencode({'hand': first})}",
        "round_number": state.rounds.index(result) + 1,
        "said": sentence,
        "number": number,
        "hands": _hand_details(game_page, result, first),
        "entered": _recorded_by_sentence(game_page, number),
        "may_flag": game_page.reader_access is not None and hand_flags.can_flag(game_page.reader_access),
    }
    return request_handling.render_page(request, "play/look.html", context, refusal)


def _hand_details(game_page: OpenGame, result: RoundResult, requested_player: str) -> list[HandDetail]:
    flags = game_page.game.flags.filter(number=result.number, user=game_page.reader.pk)
    flagged = {flag.player: hand_flags.is_answered(flag, game_page.log) for flag in flags}
    hands = [
        HandDetail(
            game_page.people[player],
            amounts.points(round_points),
            lessons.hand_groups(game_page.state.rules, result.entry.hand_of(player)),
            [texts.translate(doubt.text) for doubt in result.doubts if doubt.player == player],
            player == requested_player,
            flagged.get(player) is False,
            flagged.get(player) is True,
        )
        for player, round_points in result.points.items()
    ]
    return sorted(hands, key=lambda hand: not hand.is_requested)


def _recorded_by_sentence(game_page: OpenGame, number: int) -> str:
    changes = [
        place
        for place, event in enumerate(game_page.log, start=1)
        if isinstance(event, Corrected) and event.number == number
    ]
    record = game_page.game.records.select_related("recorded_by").get(number=max(changes, default=number))
    name = users.name_at_table(record.recorded_by, People.of(game_page.table))
    params = {
        "name": naming.isolate(name),
        "moment": days.format_datetime(record.recorded_at, game_page.table),
    }
    if not name:
        return params["moment"]
    text = _("Corrected by %(name)s, %(moment)s") if changes else _("Entered by %(name)s, %(moment)s")
    return text % params
