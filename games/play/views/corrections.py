"""Corrections of recorded events.

A round is corrected on the entry page, other events by buttons, and house rules by a form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.common import amounts, event_sentences, locks, parsing, request_handling, texts
from games.common.request_handling import PageRefusal
from games.play.presenters import house_rules, open_game, round_form
from games.play.presenters.open_game import OpenGame
from games.play.presenters.pad import PadValues
from games.play.views.changes import missed_events, try_changes
from games.play.views.look import show_hands
from games.play.views.rounds import RoundEntryPage, is_preview, preview, show_round
from games.play.views.sheet import show_sheet
from games.scoring import corrections, moves
from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    Event,
    Inserted,
    PlayerReentered,
    PlayerStayedOut,
    PointsAdjusted,
    RoundPlayed,
    RulesAgreed,
    Struck,
    TableEvent,
    WinnersNamed,
)
from games.scoring.i18n import Text
from games.scoring.moves import MovableEvent
from games.scoring.option_checks import clear_unmet_options
from games.scoring.replay import state_before
from games.scoring.state import GameState
from games.scoring.text_line import MAX_TEXT_LENGTH, clean_line
from games.scoring.variants import get_variant

AT_FIELDS = (
    "points",
    "reason",
    "winners",
    "place",
)  # the fields of an event's page that show their own errors
LAST = "last"  # in the form that moves an event: it happened after everything that is recorded


@request_handling.require_form
def correct(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show event `number` for correction: the entry page for a round, buttons for other events.

    With `?preview`, a POST shows the points of the corrected round, without its effect on later rounds. Users
    who may not record see the hands of the round instead.
    """
    if is_preview(request):
        return preview(request, code, partial(_state_before, number))
    game_page = open_game.get_or_404(request, code, for_recording=request.method == "POST")
    event = _find_event(game_page, number)
    if event is None:
        return _show_news_or_404(request, game_page)
    if not game_page.can_record:
        return show_hands(request, game_page, number)
    if not isinstance(event, RoundPlayed) or "to" in request.POST:
        return _correct_other(request, game_page, number, event)
    place = _correction_page(game_page, number, request.GET.get("hand", ""))
    if request.method != "POST":
        return show_round(request, game_page, place, PadValues.from_entry(event.entry))
    return _preview_round(request, game_page, place, partial(Corrected, number))


@request_handling.require_form
def insert_round(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Insert a forgotten round just before event `number`; with `?preview`, a POST shows its points."""
    if is_preview(request):
        return preview(request, code, partial(_state_before, number))
    game_page = open_game.get_or_404(request, code, for_recording=True)
    if _find_event(game_page, number) is None:
        return _show_news_or_404(request, game_page)
    place = _insertion_page(game_page, number)
    if request.method != "POST":
        return show_round(request, game_page, place, PadValues())
    return _preview_round(request, game_page, place, partial(Inserted, number))


@request_handling.require_form
def correct_rules(request: HttpRequest, code: str) -> HttpResponse:
    """Correct the stake and the house rules for the whole game."""
    game_page = open_game.get_or_404(request, code, for_recording=True)
    variant, errors = get_variant(game_page.state.variant.key), dict[str, str]()
    direction = request.POST.get(house_rules.DIRECTION, game_page.state.direction)
    table = game_page.table
    inputs = house_rules.house_input_values(variant, game_page.state.house, table)
    if request.method == "POST":
        inputs = house_rules.posted_values(variant, request.POST)
        try:
            chosen = house_rules.parse_options(variant, inputs, table, parsing.form_region(request.POST))
            start, house = game_page.start_event, clear_unmet_options(variant, variant.house(chosen))
            agreed = RulesAgreed(start.variant, house.options, start.dealer, direction)
            return try_changes(request, game_page, Corrected(1, agreed))
        except RuleError as refusal:
            errors[refusal.field] = texts.translate(refusal.text, amounts.money_formatter(table))
    context = {
        **game_page.context,
        "fields": (
            *house_rules.option_fields(variant, inputs, errors, table),
            house_rules.direction_field(direction, errors.get(house_rules.DIRECTION, "")),
        ),
        "key": locks.new_form_key(),
        "errors": errors,
    }
    return render(
        request, "play/correct_rules.html", context, status=request_handling.UNPROCESSABLE if errors else 200
    )


def _state_before(number: int, game_page: OpenGame) -> GameState:
    """Return the state before event `number`. Raise Http404 if the event does not count or no longer does."""
    if _find_event(game_page, number) is None:
        raise Http404
    return state_before(game_page.log, number)


# --- rounds -----------------------------------------------------------------------------------------------


def _correction_page(game_page: OpenGame, number: int, seat: str) -> RoundEntryPage:
    before = state_before(game_page.log, number)
    action = reverse("correct", args=[game_page.game.code, number])
    return RoundEntryPage(
        before=before,
        heading=_("Correct round %(number)s")
        % {"number": event_sentences.round_number(game_page.state, number)},
        action=action,
        draft=f"{game_page.game.code}:{len(game_page.log)}:correct:{number}",
        submit=_("See changes"),
        seat=seat,
        number=number,
    )


def _insertion_page(game_page: OpenGame, number: int) -> RoundEntryPage:
    before = state_before(game_page.log, number)
    return RoundEntryPage(
        before=before,
        heading=_("Missing round %(number)s") % {"number": len(before.rounds) + 1},
        action=reverse("insert-round", args=[game_page.game.code, number]),
        draft=f"{game_page.game.code}:{len(game_page.log)}:insert:{number}",
        submit=_("See changes"),
    )


def _preview_round(
    request: HttpRequest,
    game_page: OpenGame,
    place: RoundEntryPage,
    change_to: Callable[[RoundPlayed], Corrected | Inserted],
) -> HttpResponse:
    """Show the consequences of the posted round, which `change_to` turns into a correction or an insertion.

    If the rules refuse it, show its entry page again with the typed values.
    """
    form = round_form.parse_round(request.POST, place.before)
    if form.errors:
        page_refusal = missed_events(request, game_page) or PageRefusal(
            request_handling.UNPROCESSABLE, form.errors
        )
    else:
        try:
            return try_changes(request, game_page, change_to(RoundPlayed(form.entry)))
        except RuleError as refusal:
            page_refusal = open_game.refusal_for(refusal, game_page)
    return show_round(
        request, game_page, place, PadValues.from_post(request.POST, place.before), page_refusal
    )


# --- other events -----------------------------------------------------------------------------------------


def _find_event(game_page: OpenGame, number: int) -> TableEvent | None:
    """Return event `number` with its corrections.

    Return None if it was undone or struck, starts the game, or does not exist.
    """
    return None if number == 1 else dict(corrections.effective_events(game_page.log)).get(number)


def _show_news_or_404(request: HttpRequest, game_page: OpenGame) -> HttpResponse:
    """Show the sheet with the events recorded meanwhile, for an event that no longer counts.

    Raise Http404 if there are none.
    """
    news = missed_events(request, game_page) if request.method == "POST" else None
    if news is None:
        raise Http404
    return show_sheet(request, game_page, news)


def _correct_other(request: HttpRequest, game_page: OpenGame, number: int, event: TableEvent) -> HttpResponse:
    errors: dict[str, str] = {}
    if request.method == "POST":
        try:
            requested = _parse_change(request, game_page, number, event)
            if not requested:
                return _show_news_or_404(request, game_page)
            return try_changes(request, game_page, *requested)
        except RuleError as refusal:
            errors[refusal.field] = texts.translate(refusal.text, amounts.money_formatter(game_page.table))
    state, people, table = game_page.state, game_page.people, game_page.table
    context = {
        **game_page.context,
        "number": number,
        "said": event_sentences.play_sentence(event, number=number, state=state, people=people, table=table),
        "is_reentry": isinstance(event, PlayerReentered),
        "is_stay_out": isinstance(event, PlayerStayedOut),
        "is_penalty": isinstance(event, PointsAdjusted),
        "places": _place_choices(game_page, number),
        "place": request.POST.get("place", ""),
        **_winners_context(request, game_page, number, event),
        "points": request.POST.get("points", getattr(event, "points", "")),
        "reason": request.POST.get("reason", getattr(event, "reason", "")),
        "penalty_choices": round_form.penalty_choices(game_page.state.rules),
        "errors": errors,
        "general": [sentence for field, sentence in errors.items() if field not in AT_FIELDS],
    }
    return render(
        request, "play/event.html", context, status=request_handling.UNPROCESSABLE if errors else 200
    )


def _place_choices(game_page: OpenGame, number: int) -> list[tuple[str, str]]:
    """Return when event `number` may have happened instead, as (value, label), the earliest first."""
    labels = {None: _("After the last round")} | {
        result.number: _("Before round %(number)s") % {"number": place}
        for place, result in enumerate(game_page.state.rounds, start=1)
    }
    return [
        (LAST if place is None else str(place), labels[place])
        for place in moves.find_places(game_page.log, number)
    ]


def _winners_context(
    request: HttpRequest, game_page: OpenGame, number: int, event: TableEvent
) -> dict[str, object]:
    """Return the template variables for the choice of other winners, if the event names them."""
    if not isinstance(event, WinnersNamed):
        return {"playing": (), "winners": ()}
    before, is_sent = state_before(game_page.log, number), "to" in request.POST
    return {
        "playing": [game_page.people[player.id] for player in before.playing],
        "winners": request.POST.getlist("winners") if is_sent else event.players,
    }


def _parse_change(
    request: HttpRequest, game_page: OpenGame, number: int, event: TableEvent
) -> tuple[Event, ...]:
    """Return the corrections that the pressed button asks for; () if this event has no such button."""
    match request.POST.get("to"), event:
        case "stay_out", PlayerReentered(player):
            return (Corrected(number, PlayerStayedOut(player)),)
        case "reenter", PlayerStayedOut(player):
            return (Corrected(number, PlayerReentered(player)),)
        case "move", _ if isinstance(event, MovableEvent):
            place = request.POST.get("place", "")
            if place != LAST and not request_handling.parse_pk(place):
                raise RuleError(Text(gettext_noop("Choose when it happened.")), field="place")
            return moves.move_event(game_page.log, number, None if place == LAST else int(place))
        case "penalty", PointsAdjusted(player=player):
            points = round_form.parse_points(request.POST.get("points", ""))
            if points is None:
                sentence = gettext_noop("Write a number of points, such as 10 or -5.")
                raise RuleError(Text(sentence), field="points")
            reason = _parse_reason(request, event) or round_form.default_reason(points, game_page.state.rules)
            return (Corrected(number, PointsAdjusted(player, points, reason)),)
        case "winners", WinnersNamed():
            winners = tuple(dict.fromkeys(request.POST.getlist("winners")))
            if not winners:
                raise RuleError(Text(gettext_noop("Choose who has won.")), field="winners")
            return (Corrected(number, WinnersNamed(winners)),)
        case "strike", _:
            return (Struck(number),)
        case _:
            return ()


def _parse_reason(request: HttpRequest, event: TableEvent) -> str:
    """Return the reason of a penalty as typed, or exactly as recorded if the user did not change it."""
    text, recorded = request.POST.get("reason", ""), getattr(event, "reason", "")
    if text.strip() == recorded.strip():
        return str(recorded)
    return clean_line(text, longest=MAX_TEXT_LENGTH, field="reason", quoted=True)
