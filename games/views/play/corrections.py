"""Correcting what was recorded: the pad for a round, buttons for the rest, the house rules as a form."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from games.keys import new_key
from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    Event,
    GameStarted,
    Inserted,
    PlayerReentered,
    PlayerStayedOut,
    PointsAdjusted,
    RoundPlayed,
    RulesAgreed,
    Struck,
    TableEvent,
    effective,
)
from games.scoring.one_line import LONGEST, one_line
from games.scoring.replay import state_before
from games.scoring.rules import Rules, Value
from games.scoring.variants import find_variant
from games.scoring.words import Text
from games.shown.common.amounts import money_of
from games.shown.common.sentences import translate
from games.shown.common.words import play_in_words, round_number
from games.shown.play.entry import Typed
from games.shown.play.forms import read_points, read_round
from games.shown.play.house import (
    DIRECTION,
    chosen_house,
    direction_field,
    option_fields,
    posted_house,
    typed_house,
)
from games.shown.play.penalties import quick_penalty, unsaid_reason
from games.views.common.opened import OpenGame, open_game
from games.views.common.recording import UNPROCESSABLE, Refused
from games.views.play.changes import missed, try_changes
from games.views.play.rounds import Place, open_beside, show_consequences, show_round
from games.views.play.sheet import show_sheet


@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What was recorded as event `number`, to be put right: the pad for a round, buttons for the rest.

    With `?other` a round has its buttons too: it was not played, or one is missing before it.
    """
    opened = open_game(request, code, for_writing=True)
    event = _standing(opened, number)
    if event is None:
        return _gone(request, opened)
    if not isinstance(event, RoundPlayed) or "other" in request.GET or "to" in request.POST:
        return _correct_other(request, opened, number, event)
    place = _place_of(opened, number, request.GET.get("hand", ""))
    if request.method == "GET":
        return show_round(request, opened, place, Typed.from_entry(event.entry))
    form = read_round(request.POST, place.before)
    if form.errors:
        refused = missed(request, opened) or Refused(UNPROCESSABLE, form.errors)
        return _show_again(request, opened, place, refused)
    return _try_round(request, opened, place, Corrected(number, RoundPlayed(form.entry)))


@require_http_methods(["GET", "POST"])
def insert_round(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """A round that was forgotten, put in just before event `number`."""
    opened = open_game(request, code, for_writing=True)
    if _standing(opened, number) is None:
        return _gone(request, opened)
    place = _forgotten(opened, number)
    if request.method == "GET":
        return show_round(request, opened, place, Typed())
    form = read_round(request.POST, place.before)
    if form.errors:
        refused = missed(request, opened) or Refused(UNPROCESSABLE, form.errors)
        return _show_again(request, opened, place, refused)
    return _try_round(request, opened, place, Inserted(number, RoundPlayed(form.entry)))


@require_http_methods(["GET", "POST"])
def correct_rules(request: HttpRequest, code: str) -> HttpResponse:
    """The stake and the house rules as they should have been from the start."""
    opened = open_game(request, code, for_writing=True)
    variant, errors = find_variant(opened.state.variant.key), dict[str, str]()
    direction = request.POST.get(DIRECTION, opened.state.direction)
    typed = typed_house(variant, opened.state.house)
    if request.method == "POST":
        typed = posted_house(variant, request.POST)
        try:
            return try_changes(request, opened, Corrected(1, _agreed(opened, chosen_house(typed), direction)))
        except RuleError as refusal:
            errors[refusal.field] = translate(refusal.text, money_of(opened.table))
    context = {
        **opened.context,
        "fields": (
            *option_fields(variant, typed, errors),
            direction_field(direction, errors.get(DIRECTION, "")),
        ),
        "key": new_key(),
        "errors": errors,
    }
    return render(request, "games/play/correct_rules.html", context, status=UNPROCESSABLE if errors else 200)


def _agreed(opened: OpenGame, chosen: Mapping[str, Value], direction: str) -> RulesAgreed:
    start = opened.state.steps[0].event
    assert isinstance(start, GameStarted)
    house = opened.state.variant.house(chosen)
    return RulesAgreed(start.variant, house.options, start.dealer, direction)


@require_POST
def preview_correction(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What the round being corrected gives by itself; nothing is written."""
    opened = _open_at(request, code, number)
    if isinstance(opened, HttpResponse):
        return opened
    return show_consequences(request, opened, state_before(opened.log, number), corrects=number)


@require_POST
def preview_insertion(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What the round being put in gives by itself; nothing is written."""
    opened = _open_at(request, code, number)
    if isinstance(opened, HttpResponse):
        return opened
    return show_consequences(request, opened, state_before(opened.log, number))


def _open_at(request: HttpRequest, code: str, number: int) -> OpenGame | HttpResponse:
    opened = open_beside(request, code)
    if not isinstance(opened, HttpResponse) and _standing(opened, number) is None:
        raise Http404
    return opened


# --- rounds -----------------------------------------------------------------------------------------------------------


def _place_of(opened: OpenGame, number: int, seat: str) -> Place:
    before = state_before(opened.log, number)
    action = reverse("correct", args=[opened.game.code, number])
    return Place(
        before=before,
        heading=_("Correct round %(number)s") % {"number": round_number(opened.state, number)},
        action=action,
        draft=f"{opened.game.code}:{len(opened.log)}:correct:{number}",
        submit=_("See what changes"),
        seat=seat,
        other=f"{action}?other",
    )


def _forgotten(opened: OpenGame, number: int) -> Place:
    before = state_before(opened.log, number)
    return Place(
        before=before,
        heading=_("Forgotten round %(number)s") % {"number": len(before.rounds) + 1},
        action=reverse("insert-round", args=[opened.game.code, number]),
        draft=f"{opened.game.code}:{len(opened.log)}:insert:{number}",
        submit=_("See what changes"),
    )


def _try_round(
    request: HttpRequest, opened: OpenGame, place: Place, change: Corrected | Inserted
) -> HttpResponse:
    try:
        return try_changes(request, opened, change)
    except RuleError as refusal:
        errors = {refusal.field: translate(refusal.text, money_of(opened.table))}
        return _show_again(request, opened, place, Refused(UNPROCESSABLE, errors))


def _show_again(request: HttpRequest, opened: OpenGame, place: Place, refused: Refused) -> HttpResponse:
    return show_round(request, opened, place, Typed.from_post(request.POST, place.before), refused)


# --- everything else --------------------------------------------------------------------------------------------------


def _standing(opened: OpenGame, number: int) -> TableEvent | None:
    """The event that counts under this number; None where none does, or where it is the game's start."""
    return None if number == 1 else dict(effective(opened.log)).get(number)


def _gone(request: HttpRequest, opened: OpenGame) -> HttpResponse:
    """The sheet with what was recorded meanwhile, for who corrected an event that somebody took out."""
    news = missed(request, opened) if request.method == "POST" else None
    if news is None:
        raise Http404
    return show_sheet(request, opened, news)


def _correct_other(request: HttpRequest, opened: OpenGame, number: int, event: TableEvent) -> HttpResponse:
    errors: dict[str, str] = {}
    if request.method == "POST":
        try:
            found = _other_change(request, number, event, opened.state.rules)
            return _gone(request, opened) if found is None else try_changes(request, opened, found)
        except RuleError as refusal:
            errors[refusal.field] = translate(refusal.text, money_of(opened.table))
    said = play_in_words(event, number=number, state=opened.state, people=opened.people, table=opened.table)
    context = {
        **opened.context,
        "number": number,
        "said": said,
        "is_round": isinstance(event, RoundPlayed),
        "is_reentry": isinstance(event, PlayerReentered),
        "is_stay_out": isinstance(event, PlayerStayedOut),
        "is_penalty": isinstance(event, PointsAdjusted),
        "points": request.POST.get("points", getattr(event, "points", "")),
        "reason": request.POST.get("reason", getattr(event, "reason", "")),
        "quick": quick_penalty(opened.state.rules),
        "errors": errors,
        "general": [sentence for field, sentence in errors.items() if field not in ("points", "reason")],
    }
    return render(request, "games/play/event.html", context, status=UNPROCESSABLE if errors else 200)


def _other_change(request: HttpRequest, number: int, event: TableEvent, rules: Rules) -> Event | None:
    """The change the pressed button asks for; None where there is no such button for this event."""
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
    """What a penalty is for as it was typed; as it was recorded where it stands there unchanged."""
    typed, recorded = request.POST.get("reason", ""), getattr(event, "reason", "")
    if typed.strip() == recorded.strip():
        return str(recorded)
    return one_line(typed, longest=LONGEST, field="reason", quoted=True)
