"""What else happens at a table: somebody goes home, a penalty, a stop, a newcomer, a seat handed over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace as replaced

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.keys import new_key
from games.models import Member, Role
from games.notebook.taking_over import bring_night_back, take_night_away
from games.play.recording import discard_game, restore_game
from games.play.seating import newcomer
from games.scoring.errors import RuleError
from games.scoring.events import (
    DealPassed,
    GameStopped,
    Player,
    PlayerJoined,
    PlayerLeft,
    PlayEvent,
    PointsAdjusted,
    SeatHandedOver,
    Stop,
)
from games.scoring.one_line import LONGEST, one_line
from games.scoring.replay import allows
from games.scoring.state import GameState
from games.shown.common.people import Person
from games.shown.common.sentences import translate
from games.shown.common.words import leaving_in_words, stop_in_words
from games.shown.play.forms import read_points
from games.shown.play.happenings import happenings_of
from games.shown.play.penalties import quick_penalty, unsaid_reason
from games.views.common.opened import OpenGame, open_game, user_of
from games.views.common.recording import (
    UNPROCESSABLE,
    Refused,
    asked_about,
    refused_by,
    sent_key,
    try_to_record,
)
from games.views.play.sheet import next_page

JOIN_FIELDS = {"newcomer-name", "after-player"}
AT_FIELDS = {
    "penalty-player",
    "points",
    "reason",
    "leave-player",
    "deal-player",
    "seat-player",
    "to-name",
    "how",
}

Reader = Callable[[HttpRequest, OpenGame], PlayEvent]


class Wrong(Exception):
    """Fields that say nothing the table could have meant, each with what is wrong with it."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(*errors.values())
        self.errors = errors


@require_GET
def more(request: HttpRequest, code: str) -> HttpResponse:
    """Everything that can be done besides a round."""
    return _show(request, open_game(request, code, for_writing=True))


@require_POST
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Somebody goes home."""
    return _act(
        request,
        code,
        lambda request, _opened: PlayerLeft(_chosen(request, "leave-player")),
        player="leave-player",
    )


@require_POST
def adjust(request: HttpRequest, code: str) -> HttpResponse:
    """A penalty or a gift, with its reason."""
    return _act(request, code, _read_penalty, player="penalty-player")


@require_POST
def deal(request: HttpRequest, code: str) -> HttpResponse:
    """The next deal goes to somebody else."""
    return _act(
        request,
        code,
        lambda request, _opened: DealPassed(_chosen(request, "deal-player")),
        player="deal-player",
    )


@require_POST
def stop(request: HttpRequest, code: str) -> HttpResponse:
    """The table stops early."""
    return _act(request, code, _read_stop)


@require_POST
def join(request: HttpRequest, code: str) -> HttpResponse:
    """A newcomer sits down."""
    return _act(request, code, _read_newcomer, player="newcomer-name")


@require_POST
def replace(request: HttpRequest, code: str) -> HttpResponse:
    """Somebody plays on in another's seat."""
    return _act(request, code, _read_handover, player="seat-player", to="to-name")


@require_POST
def discard(request: HttpRequest, code: str) -> HttpResponse:
    """Takes a game opened by mistake away; home offers to bring it back."""
    opened = open_game(request, code, for_writing=True, or_old_night=True)
    if opened.state.imported is None:
        discard_game(opened.game)
    else:
        take_night_away(opened.game, by=user_of(request))
    return redirect(f"{reverse('home')}?discarded={code}")


@require_POST
def restore(request: HttpRequest, code: str) -> HttpResponse:
    """Brings a discarded game back."""
    opened = open_game(request, code, for_writing=True, or_old_night=True)
    if opened.state.imported is None:
        restore_game(opened.game)
    else:
        bring_night_back(opened.game, by=user_of(request))
    return redirect("sheet", code)


def _act(request: HttpRequest, code: str, read: Reader, **fields: str) -> HttpResponse:
    """Records what `read` makes of the form; `fields` are the form's names for what the rules speak of."""
    opened, alike = open_game(request, code, for_writing=True), ""
    try:
        with transaction.atomic():
            result = try_to_record(request, opened, read(request, opened))
            if isinstance(result, Refused):
                transaction.set_rollback(True)  # a newcomer is not kept where his seat was refused
    except Wrong as wrong:
        result = Refused(UNPROCESSABLE, wrong.errors)
    except RuleError as refusal:
        result, alike = refused_by(refusal, opened), asked_about(refusal)
    if isinstance(result, Refused):
        errors = {fields.get(field, field): sentence for field, sentence in result.errors.items()}
        return _show(request, open_game(request, code), replaced(result, errors=errors), alike)
    return redirect(next_page(opened, result))


def _show(
    request: HttpRequest, opened: OpenGame, refused: Refused | None = None, alike: str = ""
) -> HttpResponse:
    state, around = opened.state, [opened.people[player.id] for player in opened.state.players]
    errors = refused.errors if refused else {}
    context = {
        **opened.context,
        "key": new_key(),
        "owns": opened.role is Role.OWNER,
        **_seated(opened),
        "around": around,
        "neighbour": request.POST.get("after-player", around[-1].id),
        "stops": [(how, stop_in_words(how, state.rules)) for how in Stop if allows(state, GameStopped(how))],
        "happenings": happenings_of(opened.game, state, opened.people),
        "leaving": leaving_in_words(state.rules),
        "quick": quick_penalty(state.rules),
        "may_join": state.rules.late_entry and not state.is_over,
        "acting": request.resolver_match.url_name if refused and request.resolver_match else "",
        "sent": request.POST,
        "errors": errors,
        "alike": alike,
        "refused": refused and replaced(refused, errors=_about_no_field(errors, state)),
    }
    return render(request, "games/play/more.html", context, status=refused.status if refused else 200)


def _seated(opened: OpenGame) -> dict[str, list[Person]]:
    """Who plays, who has a seat, and who of the table has none."""
    state, people = opened.state, opened.people
    here = {player.id for player in state.players}
    members = opened.table.members.active()
    return {
        "playing": [people[player.id] for player in state.playing],
        "seated": [people[player.id] for player in (*state.playing, *state.pending)],
        "others": [people[member.slug] for member in members if member.slug not in here],
    }


def _about_no_field(errors: Mapping[str, str], state: GameState) -> dict[str, str]:
    """The errors that no form shown has a place for: of a game that is over there is none."""
    shown = set() if state.is_over else AT_FIELDS | (JOIN_FIELDS if state.rules.late_entry else set())
    return {field: sentence for field, sentence in errors.items() if field not in shown}


def _chosen(request: HttpRequest, field: str) -> str:
    player = request.POST.get(field, "")
    if not player:
        raise Wrong({field: _("Choose a player.")})
    return player


def _read_penalty(request: HttpRequest, opened: OpenGame) -> PlayEvent:
    player, reason = request.POST.get("penalty-player", ""), ""
    points = read_points(request.POST.get("points", ""))
    errors = {}
    if not player:
        errors["penalty-player"] = _("Choose a player.")
    try:
        reason = one_line(request.POST.get("reason", ""), longest=LONGEST, field="reason", quoted=True)
    except RuleError as refusal:
        errors[refusal.field] = translate(refusal.text)
    if points is None:
        raise Wrong({**errors, "points": _("Write a number of points, such as 10 or -5.")})
    if errors:
        raise Wrong(errors)
    return PointsAdjusted(player, points, reason or unsaid_reason(points, opened.state.rules))


def _read_stop(request: HttpRequest, _opened: OpenGame) -> PlayEvent:
    how = request.POST.get("how", "")
    if how not in set(Stop):
        raise Wrong({"how": _("Choose how to stop.")})
    return GameStopped(Stop(how))


def _read_newcomer(request: HttpRequest, opened: OpenGame) -> PlayEvent:
    after = request.POST.get("after-player", "")
    if after and after not in {player.id for player in opened.state.players}:
        raise Wrong({"after-player": _("Choose a player.")})
    member = _member(request, opened, "newcomer", "newcomer-name")
    return PlayerJoined(Player(member.slug, member.name), after=after)


def _read_handover(request: HttpRequest, opened: OpenGame) -> PlayEvent:
    player = _chosen(request, "seat-player")
    member = _member(request, opened, "to", "to-name")
    return SeatHandedOver(player, Player(member.slug, member.name))


def _member(request: HttpRequest, opened: OpenGame, field: str, name_field: str) -> Member:
    """The member chosen, or a new one by the name typed; both happen in the caller's transaction."""
    slug, name = request.POST.get(field, ""), request.POST.get(name_field, "").strip()
    members = opened.table.members.active()
    if slug:
        found = next((member for member in members if member.slug == slug), None)
        if found is None:
            raise Wrong({name_field: _("Choose a player.")})
        return found
    if not name:
        raise Wrong({name_field: _("Choose somebody, or write a name.")})
    try:
        return newcomer(opened.game, name, key=sent_key(request), apart=request.POST.getlist("apart"))
    except RuleError as refusal:
        refusal.field = name_field
        raise
