"""Correcting what was recorded: the event, then the consequences, then both in one step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views.decorators.http import require_http_methods, require_POST

from games.forms import read_points, read_round
from games.messages import translate
from games.scoring.errors import RuleError, ScoringError
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
from games.scoring.notation import read_line
from games.scoring.preview import Preview, preview
from games.scoring.replay import state_before
from games.scoring.rules import Value
from games.scoring.words import Text
from games.scoring.writing import write_event
from games.shown.amounts import money_of
from games.shown.consequences import of_correction, questions_of
from games.shown.entry import Typed
from games.shown.house import field_name, option_fields, read_house, typed_house
from games.shown.words import play_in_words, round_number
from games.views.opened import OpenGame, open_game
from games.views.recording import (
    CONFLICT,
    UNPROCESSABLE,
    Refused,
    new_key,
    sent_after,
    try_to_record,
)
from games.views.rounds import Place, show_consequences, show_round
from games.views.sheet import next_page, show_sheet


@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What was recorded as event `number`, to be put right: the pad for a round, buttons for the rest."""
    opened = open_game(request, code, for_writing=True)
    event = _standing(opened, number)
    if not isinstance(event, RoundPlayed):
        return _correct_other(request, opened, number, event)
    place = _place_of(opened, number, request.GET.get("hand", ""))
    if request.method == "GET":
        return show_round(request, opened, place, Typed.from_entry(event.entry))
    form = read_round(request.POST, place.before)
    if form.errors:
        return _show_again(request, opened, place, Refused(UNPROCESSABLE, form.errors))
    return _try_round(request, opened, place, Corrected(number, RoundPlayed(form.entry)))


@require_http_methods(["GET", "POST"])
def insert_round(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """A round that was forgotten, put in just before event `number`."""
    opened = open_game(request, code, for_writing=True)
    _standing(opened, number)
    place = _forgotten(opened, number)
    if request.method == "GET":
        return show_round(request, opened, place, Typed())
    form = read_round(request.POST, place.before)
    if form.errors:
        return _show_again(request, opened, place, Refused(UNPROCESSABLE, form.errors))
    return _try_round(request, opened, place, Inserted(number, RoundPlayed(form.entry)))


@require_http_methods(["GET", "POST"])
def correct_rules(request: HttpRequest, code: str) -> HttpResponse:
    """The stake and the house rules as they should have been from the start."""
    opened = open_game(request, code, for_writing=True)
    variant, errors = opened.state.variant, dict[str, str]()
    typed = typed_house(opened.state.house)
    if request.method == "POST":
        typed = {option.key: request.POST.get(field_name(option.key), "") for option in variant.options}
        try:
            return try_changes(
                request, opened, Corrected(1, _agreed(opened, read_house(variant, request.POST)))
            )
        except RuleError as refusal:
            errors[refusal.field] = translate(refusal.text, money_of(opened.table))
    context = {
        **opened.context,
        "fields": option_fields(variant, typed, errors),
        "key": new_key(),
        "errors": errors,
    }
    return render(request, "games/correct_rules.html", context, status=UNPROCESSABLE if errors else 200)


def _agreed(opened: OpenGame, chosen: Mapping[str, Value]) -> RulesAgreed:
    start = opened.state.steps[0].event
    assert isinstance(start, GameStarted)
    house = opened.state.variant.house(chosen)
    return RulesAgreed(start.variant, house.options, start.dealer, start.direction)


@require_POST
def preview_correction(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What the round being corrected, or put in, gives by itself; nothing is written."""
    opened = open_game(request, code, for_writing=True)
    _standing(opened, number)
    return show_consequences(request, opened, state_before(opened.log, number))


@require_POST
def changes(request: HttpRequest, code: str) -> HttpResponse:
    """The consequences of a correction; with `confirm`, and seen as they are now, the correction is recorded."""
    opened = open_game(request, code, for_writing=True)
    try:
        wanted = _wanted(request.POST.get("change", ""))
        return try_changes(request, opened, *wanted)
    except ScoringError as refusal:
        sentence = translate(refusal.text, money_of(opened.table))
        return show_sheet(request, opened, Refused(UNPROCESSABLE, {"": sentence}))


def try_changes(request: HttpRequest, opened: OpenGame, *wanted: Event) -> HttpResponse:
    """Shows what `wanted` would change, or records it; RuleError where the change itself is not allowed."""
    answers = {
        name.removeprefix("conflict-"): str(answer)
        for name, answer in request.POST.items()
        if name.startswith("conflict-")
    }
    tried = preview(opened.log, *wanted, answers=answers)
    if sent_after(request) != len(opened.log):
        return _show_changes(request, opened, wanted, tried, _stale())
    if (
        "confirm" in request.POST
        and tried.after is not None
        and request.POST.get("seen") == _text(tried.changes)
    ):
        result = try_to_record(request, opened, *tried.changes)
        if isinstance(result, Refused):
            opened = open_game(request, opened.game.code)
            return _show_changes(
                request, opened, wanted, preview(opened.log, *wanted, answers=answers), result
            )
        return redirect(next_page(opened, result))
    return _show_changes(request, opened, wanted, tried)


def _show_changes(
    request: HttpRequest,
    opened: OpenGame,
    wanted: Sequence[Event],
    tried: Preview,
    refused: Refused | None = None,
) -> HttpResponse:
    context = {
        **opened.context,
        "heading": _heading(opened, wanted),
        "change": _text(wanted),
        "seen": _text(tried.changes),
        "possible": tried.after is not None,
        "changes": of_correction(tried, opened.people, opened.table),
        "questions": questions_of(tried, opened.people, opened.table),
        "key": new_key(),
        "refused": refused,
    }
    return render(request, "games/correction.html", context, status=refused.status if refused else 200)


def _stale() -> Refused:
    return Refused(
        CONFLICT,
        notice=(_("Something was recorded meanwhile; these are the consequences now."),),
    )


def _wanted(text: str) -> tuple[Event, ...]:
    wanted = read_line(text)
    if not wanted or not all(isinstance(event, Corrected | Inserted | Struck) for event in wanted):
        raise RuleError(Text(gettext_noop("That is no correction.")))
    return wanted


def _text(events: Sequence[Event]) -> str:
    return " ; ".join(write_event(event) for event in events)


# --- rounds -----------------------------------------------------------------------------------------------------------


def _place_of(opened: OpenGame, number: int, seat: str) -> Place:
    before = state_before(opened.log, number)
    return Place(
        before=before,
        heading=_("Correct round %(number)s") % {"number": round_number(opened.state, number)},
        action=reverse("correct", args=[opened.game.code, number]),
        draft=f"{opened.game.code}:{len(opened.log)}:correct:{number}",
        submit=_("See what changes"),
        seat=seat,
    )


def _forgotten(opened: OpenGame, number: int) -> Place:
    before = state_before(opened.log, number)
    return Place(
        before=before,
        heading=_("A forgotten round, the %(number)s.") % {"number": len(before.rounds) + 1},
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


def _standing(opened: OpenGame, number: int) -> TableEvent:
    """The event that counts under this number; Http404 where none does, or where it is the game's start."""
    event = dict(effective(opened.log)).get(number)
    if event is None or number == 1:
        raise Http404
    return event


def _correct_other(request: HttpRequest, opened: OpenGame, number: int, event: TableEvent) -> HttpResponse:
    errors: dict[str, str] = {}
    if request.method == "POST":
        found = _other_change(request, number, event)
        if found is None:
            errors["points"] = _("Write a number of points, such as 10 or -5.")
        else:
            try:
                return try_changes(request, opened, found)
            except RuleError as refusal:
                errors[refusal.field] = translate(refusal.text, money_of(opened.table))
    said = play_in_words(event, number=number, state=opened.state, people=opened.people, table=opened.table)
    context = {
        **opened.context,
        "number": number,
        "said": said,
        "event": event,
        "is_reentry": isinstance(event, PlayerReentered),
        "is_stay_out": isinstance(event, PlayerStayedOut),
        "is_penalty": isinstance(event, PointsAdjusted),
        "points": request.POST.get("points", getattr(event, "points", "")),
        "reason": request.POST.get("reason", getattr(event, "reason", "")),
        "errors": errors,
    }
    return render(request, "games/event.html", context, status=UNPROCESSABLE if errors else 200)


def _other_change(request: HttpRequest, number: int, event: TableEvent) -> Event | None:
    """The change the pressed button asks for; None where a penalty's points are no number."""
    match request.POST.get("to"), event:
        case "stay_out", PlayerReentered(player):
            return Corrected(number, PlayerStayedOut(player))
        case "reenter", PlayerStayedOut(player):
            return Corrected(number, PlayerReentered(player))
        case "penalty", PointsAdjusted(player=player):
            points = read_points(request.POST.get("points", ""))
            reason = request.POST.get("reason", "").strip()
            return None if points is None else Corrected(number, PointsAdjusted(player, points, reason))
        case _:
            return Struck(number)


def _heading(opened: OpenGame, wanted: Sequence[Event]) -> str:
    first = wanted[0]
    assert isinstance(first, Corrected | Inserted | Struck)
    if first.number == 1:
        return _("Correct the rules")
    event = dict(effective(opened.log)).get(first.number)
    if isinstance(event, RoundPlayed):
        number = round_number(opened.state, first.number)
        if isinstance(first, Struck):
            return _("Take out round %(number)s") % {"number": number}
        if isinstance(first, Inserted):
            return _("Put in a round before round %(number)s") % {"number": number}
        return _("Correct round %(number)s") % {"number": number}
    return _("Correct")
