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
from games.play.forms import quick_penalty, read_points, read_round, unsaid_reason
from games.play.game_page import OpenGame, open_game
from games.play.house import (
    DIRECTION,
    chosen_house,
    direction_field,
    option_fields,
    posted_house,
    typed_house,
)
from games.play.pad import Typed
from games.play.views.changes import missed, try_changes
from games.play.views.look import look
from games.play.views.rounds import Place, is_preview, preview, show_round
from games.play.views.sheet import show_sheet
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
    effective_events,
)
from games.scoring.i18n import Text
from games.scoring.replay import state_before
from games.scoring.rule_types import Rules
from games.scoring.state import GameState
from games.scoring.text_line import MAX_TEXT_LENGTH, clean_line
from games.scoring.variants import get_variant


@request_handling.require_form
def correct(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show event `number` for correction: the entry page for a round, buttons for other events.

    With `?preview`, a POST shows the points of the corrected round, without its effect on later rounds. Who may
    not record looks at the hands of the round instead.
    """
    if is_preview(request):
        return preview(request, code, partial(_before, number))
    game_page = open_game(request, code, for_writing=request.method == "POST")
    event = _standing(game_page, number)
    if event is None:
        return _gone(request, game_page)
    if not game_page.can_record:
        return look(request, game_page, number)
    if not isinstance(event, RoundPlayed) or "to" in request.POST:
        return _correct_other(request, game_page, number, event)
    place = _place_of(game_page, number, request.GET.get("hand", ""))
    if request.method != "POST":
        return show_round(request, game_page, place, Typed.from_entry(event.entry))
    return _try_round(request, game_page, place, partial(Corrected, number))


@request_handling.require_form
def insert_round(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Insert a forgotten round just before event `number`; with `?preview`, a POST shows its points."""
    if is_preview(request):
        return preview(request, code, partial(_before, number))
    game_page = open_game(request, code, for_writing=True)
    if _standing(game_page, number) is None:
        return _gone(request, game_page)
    place = _forgotten(game_page, number)
    if request.method != "POST":
        return show_round(request, game_page, place, Typed())
    return _try_round(request, game_page, place, partial(Inserted, number))


@request_handling.require_form
def correct_rules(request: HttpRequest, code: str) -> HttpResponse:
    """Correct the stake and the house rules for the whole game."""
    game_page = open_game(request, code, for_writing=True)
    variant, errors = get_variant(game_page.state.variant.key), dict[str, str]()
    direction = request.POST.get(DIRECTION, game_page.state.direction)
    table = game_page.table
    inputs = typed_house(variant, game_page.state.house, table)
    if request.method == "POST":
        inputs = posted_house(variant, request.POST)
        try:
            chosen = chosen_house(variant, inputs, table, parsing.form_region(request.POST))
            start, house = game_page.start_event, game_page.state.variant.house(chosen)
            agreed = RulesAgreed(start.variant, house.options, start.dealer, direction)
            return try_changes(request, game_page, Corrected(1, agreed))
        except RuleError as refusal:
            errors[refusal.field] = texts.translate(refusal.text, amounts.money_formatter(table))
    context = {
        **game_page.context,
        "fields": (
            *option_fields(variant, inputs, errors, table),
            direction_field(direction, errors.get(DIRECTION, "")),
        ),
        "key": locks.new_form_key(),
        "errors": errors,
    }
    return render(
        request, "play/correct_rules.html", context, status=request_handling.UNPROCESSABLE if errors else 200
    )


def _before(number: int, game_page: OpenGame) -> GameState:
    """Return the state before event `number`. Raise Http404 if the event no longer counts."""
    if _standing(game_page, number) is None:
        raise Http404
    return state_before(game_page.log, number)


# --- rounds -----------------------------------------------------------------------------------------------


def _place_of(game_page: OpenGame, number: int, seat: str) -> Place:
    before = state_before(game_page.log, number)
    action = reverse("correct", args=[game_page.game.code, number])
    return Place(
        before=before,
        heading=_("Correct round %(number)s")
        % {"number": event_sentences.round_number(game_page.state, number)},
        action=action,
        draft=f"{game_page.game.code}:{len(game_page.log)}:correct:{number}",
        submit=_("See what changes"),
        seat=seat,
        number=number,
    )


def _forgotten(game_page: OpenGame, number: int) -> Place:
    before = state_before(game_page.log, number)
    return Place(
        before=before,
        heading=_("Forgotten round %(number)s") % {"number": len(before.rounds) + 1},
        action=reverse("insert-round", args=[game_page.game.code, number]),
        draft=f"{game_page.game.code}:{len(game_page.log)}:insert:{number}",
        submit=_("See what changes"),
    )


def _try_round(
    request: HttpRequest,
    game_page: OpenGame,
    place: Place,
    change_to: Callable[[RoundPlayed], Corrected | Inserted],
) -> HttpResponse:
    """Show the consequences of the posted round, which `change_to` makes a correction or an insertion.

    If the rules refuse it, show its entry page again with what was typed.
    """
    form = read_round(request.POST, place.before)
    if form.errors:
        page_refusal = missed(request, game_page) or PageRefusal(request_handling.UNPROCESSABLE, form.errors)
    else:
        try:
            return try_changes(request, game_page, change_to(RoundPlayed(form.entry)))
        except RuleError as refusal:
            errors = {refusal.field: texts.translate(refusal.text, amounts.money_formatter(game_page.table))}
            page_refusal = PageRefusal(request_handling.UNPROCESSABLE, errors)
    return show_round(request, game_page, place, Typed.from_post(request.POST, place.before), page_refusal)


# --- other events -----------------------------------------------------------------------------------------


def _standing(game_page: OpenGame, number: int) -> TableEvent | None:
    """Return event `number` with its corrections; None if it was undone or struck, or is the start or unknown."""
    return None if number == 1 else dict(effective_events(game_page.log)).get(number)


def _gone(request: HttpRequest, game_page: OpenGame) -> HttpResponse:
    """Show the sheet with what was recorded meanwhile, as the event no longer counts; else raise Http404."""
    news = missed(request, game_page) if request.method == "POST" else None
    if news is None:
        raise Http404
    return show_sheet(request, game_page, news)


def _correct_other(request: HttpRequest, game_page: OpenGame, number: int, event: TableEvent) -> HttpResponse:
    errors: dict[str, str] = {}
    if request.method == "POST":
        try:
            change = _other_change(request, number, event, game_page.state.rules)
            return _gone(request, game_page) if change is None else try_changes(request, game_page, change)
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
        "points": request.POST.get("points", getattr(event, "points", "")),
        "reason": request.POST.get("reason", getattr(event, "reason", "")),
        "quick": quick_penalty(game_page.state.rules),
        "errors": errors,
        "general": [sentence for field, sentence in errors.items() if field not in ("points", "reason")],
    }
    return render(
        request, "play/event.html", context, status=request_handling.UNPROCESSABLE if errors else 200
    )


def _other_change(request: HttpRequest, number: int, event: TableEvent, rules: Rules) -> Event | None:
    """Return the correction that the pressed button asks for; None if this event has no such button."""
    match request.POST.get("to"), event:
        case "stay_out", PlayerReentered(player):
            return Corrected(number, PlayerStayedOut(player))
        case "reenter", PlayerStayedOut(player):
            return Corrected(number, PlayerReentered(player))
        case "penalty", PointsAdjusted(player=player):
            points = read_points(request.POST.get("points", ""))
            if points is None:
                sentence = gettext_noop("Write a number of points, such as 10 or -5.")
                raise RuleError(Text(sentence), field="points")
            reason = _reason(request, event) or unsaid_reason(points, rules)
            return Corrected(number, PointsAdjusted(player, points, reason))
        case "strike", _:
            return Struck(number)
        case _:
            return None


def _reason(request: HttpRequest, event: TableEvent) -> str:
    """Return the reason of a penalty as typed, or exactly as recorded if the user did not change it."""
    text, recorded = request.POST.get("reason", ""), getattr(event, "reason", "")
    if text.strip() == recorded.strip():
        return str(recorded)
    return clean_line(text, longest=MAX_TEXT_LENGTH, field="reason", quoted=True)
