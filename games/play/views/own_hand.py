"""A player's own hand (Mi mano), sent from their phone to the scorer, who records the round.

The pad is the page where a hand is entered. The scorer's pad polls for the hands of the other phones.
"""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.common import request_handling
from games.common.poll_tickets import PageVersion
from games.common.request_handling import PageRefusal
from games.play.presenters import offered_hands, open_game, pad, round_form
from games.play.presenters.open_game import OpenGame
from games.play.presenters.pad import PadValues
from games.play.services import hand_offers
from games.play.services.hand_offers import RoundOver
from games.play.views.rounds import RoundEntryPage, is_preview, next_round_page, show_preview, show_round
from games.play.views.sheet import show_sheet
from games.scoring.errors import RuleError
from games.tables.views.lobby import no_news, poll_context


@request_handling.require_form
def own_hand(request: HttpRequest, code: str) -> HttpResponse:
    """Show the pad with the user's own hand; on POST, send the hand to the scorer.

    With `?preview`, a POST shows how the app interprets the hand as typed so far; nothing is stored.
    """
    game_page = open_game.get_or_404(request, code)
    player = hand_offers.find_player_for_user(game_page.game, game_page.snapshot, request.user)
    if is_preview(request):
        if player is None:
            return HttpResponse()
        form = offered_hands.parse_for_preview(request.POST, game_page.state, player)
        return show_preview(request, game_page, form, game_page.state)
    if request.method == "POST":
        return _submit(request, game_page, player)
    if player is None:
        return redirect("sheet", code)
    offer = hand_offers.load_for_round(game_page.game, game_page.snapshot).find_by_user(
        request_handling.current_user(request)
    )
    return show_round(request, game_page, _hand_page(game_page, player), offered_hands.offer_values(offer))


def _hand_page(game_page: OpenGame, player: str) -> RoundEntryPage:
    place = next_round_page(game_page)
    code = game_page.game.code
    return replace(
        place,
        heading=_("My hand"),
        action=reverse("own-hand", args=[code]),
        draft=f"{place.draft}:{player}",
        submit=_("Send my hand"),
        seat=player,
        only_player=player,
    )


def _submit(request: HttpRequest, game_page: OpenGame, player: str | None) -> HttpResponse:
    user, code = request_handling.current_user(request), game_page.game.code
    submission = offered_hands.parse_hand(request.POST, player or "", request_handling.seen_version(request))
    if not hand_offers.OFFER_LIMIT.hit(str(user.pk)):
        page_refusal = PageRefusal(
            request_handling.TOO_MANY, {"": _("Too many hands were sent: wait a few minutes.")}
        )
    else:
        try:
            hand_offers.submit(game_page.game, submission, by=user)
            return redirect("sheet", code)
        except RoundOver:
            page_refusal = PageRefusal(
                request_handling.CONFLICT, {"": _("That round is over: this hand was not counted.")}
            )
        except RuleError as refusal:
            page_refusal = open_game.refusal_for(refusal, game_page)
    if player is None or not hand_offers.is_being_played(game_page.game, game_page.state):
        hand = next(
            (str(text) for name, text in request.POST.items() if name.startswith(round_form.HAND_PREFIX)), ""
        )
        errors = {**page_refusal.errors, "hand": hand} if hand else page_refusal.errors
        return show_sheet(request, game_page, replace(page_refusal, errors=errors))
    values = PadValues(
        player if submission.closing else pad.OTHER, submission.closing, {player: submission.text}
    )
    return show_round(request, game_page, _hand_page(game_page, player), values, page_refusal)


@require_safe
def live_hands(request: HttpRequest, code: str, version: PageVersion) -> HttpResponse:
    """Answer the poll of a scorer's pad with the other phones' hands and the latest entry; 204 without news.

    `version` is the version of the game that the pad shows.
    """
    game_page = open_game.get_or_404(request, code, for_recording=True)
    if version == game_page.version:
        return no_news(request, game_page.reader_access)
    game, snapshot = game_page.game, game_page.snapshot
    hands = hand_offers.load_for_round(game, snapshot)
    is_looking = offered_hands.is_scorer_looking(request, game_page, hands)
    phones = hand_offers.players_with_phones(game, snapshot, besides=request_handling.current_user(request))
    awaited = phones - {*hands.senders}
    return JsonResponse(
        {
            **poll_context(request, game_page.reader_access, "live-hands", code, game_page.version),
            **offered_hands.offers_json(hands, game_page.people, is_looking=is_looking),
            "questions": _questions_html(request, game_page),
            "after": len(game_page.log),
            "latest": game_page.latest,
            "phones": sorted({*phones, *hands.senders}),
            "may_look": bool(hands.senders)
            and not hands.is_closed
            and hands.can_look(hand_offers.find_player_for_user(game, snapshot, request.user)),
            "is_awaiting": bool(phones) and (bool(awaited) or not (hands.is_closed or is_looking)),
        }
    )


def _questions_html(request: HttpRequest, game_page: OpenGame) -> str:
    """Return what this scorer has to answer first of all, for the pad, as HTML."""
    context = {
        **game_page.questions,
        "table": game_page.table,
        "from_game": game_page.game,
        "back_page": "round",
    }
    return render_to_string("tables/_questions.html", context, request).strip()
