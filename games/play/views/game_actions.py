"""The forms that record events of a game other than rounds.

A player leaves, joins, hands over a seat, passes the deal or gets a penalty, or the game is stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace as replaced
from functools import partial

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.common import amounts, event_sentences, locks, naming, request_handling, texts
from games.common.naming import Person
from games.common.request_handling import PageRefusal
from games.models import Member
from games.play.presenters import open_game, round_form
from games.play.presenters.open_game import OpenGame
from games.play.services import seating
from games.play.services.seating import NewPlayer
from games.play.views.changes import try_changes
from games.play.views.sheet import next_url
from games.scoring.endings import can_add_bonuses, can_name_winners
from games.scoring.errors import RuleError
from games.scoring.events import (
    Corrected,
    DealPassed,
    Event,
    GameStopped,
    Player,
    PlayerJoined,
    PlayerLeft,
    PointsAdjusted,
    SeatHandedOver,
    Stop,
    WinnersNamed,
)
from games.scoring.replay import is_allowed
from games.scoring.rule_types import Value
from games.scoring.seats import is_full, more_packs_correction, newcomer_total
from games.scoring.state import GameState, Seat
from games.scoring.text_line import MAX_TEXT_LENGTH, clean_line

PLAYER_FIELDS = ("penalty-player", "leave-player", "deal-player", "seat-player")
# Each form by its URL name: its title, its button's label, and the fields that show their own errors.
FORMS = {
    "adjust": (
        gettext_lazy("Penalty or bonus"),
        pgettext_lazy("a penalty", "Record it"),
        ("penalty-player", "points", "reason"),
    ),
    "leave": (gettext_lazy("A player goes home"), gettext_lazy("Goes home"), ("leave-player",)),
    "replace": (
        gettext_lazy("Someone takes over a seat"),
        gettext_lazy("Take over the seat"),
        ("seat-player", "to-name"),
    ),
    "join": (
        gettext_lazy("A player joins or rejoins"),
        gettext_lazy("Joins"),
        ("newcomer-name", "after-player"),
    ),
    "deal": (gettext_lazy("Another player deals next"), gettext_lazy("Deals next"), ("deal-player",)),
    "stop": (gettext_lazy("Stop early"), gettext_lazy("See changes"), ("how",)),
    "won": (gettext_lazy("Who has won?"), gettext_lazy("See changes"), ("winners",)),
}

# The events of a form or, if it adds a newcomer, a function that adds them under the lock first.
EventsToRecord = tuple[Event, ...] | Callable[[], tuple[Event, ...]]
FormParser = Callable[[HttpRequest, OpenGame], EventsToRecord]
Recorder = Callable[..., GameState | PageRefusal | HttpResponse]


class InvalidFields(Exception):
    """Form fields have no valid value; `errors` has a message for each of them."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(*errors.values())
        self.errors = errors


@request_handling.require_form
def leave(request: HttpRequest, code: str) -> HttpResponse:
    """Record that a player goes home."""
    return _handle_form(
        request, code, partial(_parse_player, PlayerLeft, "leave-player"), player="leave-player"
    )


@request_handling.require_form
def adjust(request: HttpRequest, code: str) -> HttpResponse:
    """Record a penalty or a bonus, with its reason."""
    return _handle_form(request, code, _parse_penalty, player="penalty-player")


@request_handling.require_form
def deal(request: HttpRequest, code: str) -> HttpResponse:
    """Record that another player deals next."""
    return _handle_form(
        request, code, partial(_parse_player, DealPassed, "deal-player"), player="deal-player"
    )


@request_handling.require_form
def stop(request: HttpRequest, code: str) -> HttpResponse:
    """Show the consequences of stopping the game early, in a form that then records it."""
    return _handle_form(request, code, _parse_stop, try_changes)


@request_handling.require_form
def won(request: HttpRequest, code: str) -> HttpResponse:
    """Show the consequences of naming who has won the game, in a form that then records it."""
    return _handle_form(request, code, _parse_winners, try_changes, players="winners")


@request_handling.require_form
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Record that a newcomer joins the game.

    At a full table, the game gets more packs of cards if the form confirms them.
    """
    return _handle_form(request, code, _parse_newcomer, player="newcomer-name", name="newcomer-name")


@request_handling.require_form
def replace(request: HttpRequest, code: str) -> HttpResponse:
    """Record that somebody takes over the seat of a player."""
    return _handle_form(request, code, _parse_handover, player="seat-player", to="to-name", name="to-name")


def _handle_form(
    request: HttpRequest,
    code: str,
    read: FormParser,
    record: Recorder = open_game.try_to_record,
    **fields: str,
) -> HttpResponse:
    """Show a form or, on POST, record the events that `read` returns; if they are refused, show the errors.

    If `record` returns a page, that is the response. `fields` maps an event's field to that of the form, e.g.
    `player="leave-player"`.
    """
    game_page = open_game.get_or_404(request, code, for_recording=True)
    if request.method != "POST":
        return (
            _render(request, game_page)
            if is_offered(_url_name(request), game_page)
            else redirect("more", code)
        )
    try:
        act = read(request, game_page)
        if not callable(act):
            result = record(request, game_page, *act)
        else:
            with transaction.atomic():
                result = open_game.try_to_record(request, game_page, *act())
                if isinstance(result, PageRefusal):
                    transaction.set_rollback(True)  # removes a newcomer again if the event is refused
    except InvalidFields as wrong:
        result = PageRefusal(request_handling.UNPROCESSABLE, wrong.errors)
    except RuleError as refusal:
        result = open_game.refusal_for(refusal, game_page)
    if isinstance(result, HttpResponse):
        return result
    if isinstance(result, PageRefusal):
        errors = {fields.get(field, field): sentence for field, sentence in result.errors.items()}
        return _render(request, open_game.get_or_404(request, code), replaced(result, errors=errors))
    return redirect(next_url(game_page, result))


def _url_name(request: HttpRequest) -> str:
    assert request.resolver_match
    return request.resolver_match.url_name or ""


def is_offered(name: str, game_page: OpenGame) -> bool:
    """Return whether the game goes on and allows the events of this form.

    Where points are added after the end, penalties and bonuses are allowed until the night is over.
    """
    state = game_page.state
    match name:
        case "adjust" if state.rules.is_zero_sum:
            return False
        case "adjust" if can_add_bonuses(state):
            return not game_page.is_past and game_page.game.discarded_at is None
        case "won" if not can_name_winners(state.rules):
            return False
        case "join" if _joining_total(state) is None:
            return False
        case _:
            return not state.is_over


def _render(request: HttpRequest, game_page: OpenGame, refusal: PageRefusal | None = None) -> HttpResponse:
    state, around = game_page.state, [game_page.people[player.id] for player in game_page.state.players]
    errors, name = refusal.errors if refusal else {}, _url_name(request)
    title, closer, fields = FORMS[name]
    offers = is_offered(name, game_page)
    general_errors = {at: sentence for at, sentence in errors.items() if not offers or at not in fields}
    context = {
        **game_page.context,
        "key": locks.new_form_key(),
        "name": name,
        "title": title,
        "closer": closer,
        "is_offered": offers,
        "note": _note_sentence(name, state),
        **_players_context(game_page),
        "around": around,
        "neighbour": request.POST.get("after-player", around[-1].id),
        "stops": [
            (how, event_sentences.stop_label(how, state.rules))
            for how in Stop
            if is_allowed(state, GameStopped(how))
        ],
        "winners": request.POST.getlist("winners"),
        "penalty_choices": round_form.penalty_choices(state.rules),
        "packs_to_join": _packs_to_join(state),
        "sent": request.POST or dict.fromkeys(PLAYER_FIELDS, request.GET.get("of", "")),
        "errors": errors,
    }
    return request_handling.render_page(
        request, "play/game_action.html", context, refusal and replaced(refusal, errors=general_errors)
    )


def _note_sentence(name: str, state: GameState) -> str:
    total = _joining_total(state)
    match name:
        case "leave":
            return event_sentences.leaving_sentence(state.rules)
        case "replace":
            return _("The total, re-entries and money stay with the seat")
        case "join" if total is not None and state.rules.pot:
            return _("They pay the stake and start at %(total)s") % {"total": total}
        case "join" if total is not None:
            return _("They start at %(total)s") % {"total": total}
        case "stop":
            return _("If the table agrees")
        case "won":
            return _("The others are placed by their totals")
        case _:
            return ""


def _players_context(game_page: OpenGame) -> dict[str, list[Person]]:
    """Return the template variables of five lists of people.

    `playing` are the players of the current round, and `seated` also those asked to re-enter. `leaving` are
    those who may go home: also those who sit out a play-off. `others` are
    the members who never joined this game, and `joining` also the players who left it.
    """
    state, people = game_page.state, game_page.people
    player_ids = {player.id for player in state.players}
    others = [
        people[member.slug] for member in game_page.table.members.active() if member.slug not in player_ids
    ]
    return {
        "playing": [people[player.id] for player in state.playing],
        "seated": [people[player.id] for player in (*state.playing, *state.pending)],
        "leaving": [
            people[player.id] for player in state.players if player.seat not in (Seat.OUT, Seat.LEFT)
        ],
        "others": others,
        "joining": [*(people[member.slug] for member in _former_members(game_page)), *others],
    }


def _joining_total(state: GameState) -> str | None:
    """Return the starting total of somebody who joins the game now, as a text; None if nobody can join."""
    total = newcomer_total(state) if state.rules.late_entry and not state.is_over else None
    return None if total is None else amounts.points(state.rules.displayed_total(total))


def _former_members(game_page: OpenGame) -> list[Member]:
    gone = {player.id for player in game_page.state.players if player.seat is Seat.LEFT}
    return [member for member in game_page.table.members.active() if member.slug in gone]


def _get_player(request: HttpRequest, field: str) -> str:
    player = request.POST.get(field, "")
    if not player:
        raise InvalidFields({field: _("Choose a player.")})
    return player


def _parse_player(
    event: type[PlayerLeft | DealPassed], field: str, request: HttpRequest, _game_page: OpenGame
) -> tuple[Event, ...]:
    return (event(_get_player(request, field)),)


def _parse_penalty(request: HttpRequest, game_page: OpenGame) -> tuple[Event, ...]:
    player, reason = request.POST.get("penalty-player", ""), ""
    points = round_form.parse_points(request.POST.get("points", ""))
    errors = {}
    if not player:
        errors["penalty-player"] = _("Choose a player.")
    try:
        reason = clean_line(
            request.POST.get("reason", ""), longest=MAX_TEXT_LENGTH, field="reason", quoted=True
        )
    except RuleError as refusal:
        errors[refusal.field] = texts.translate(refusal.text)
    if points is None:
        raise InvalidFields({**errors, "points": _("Write a number of points, such as 10 or -5.")})
    if errors:
        raise InvalidFields(errors)
    return (
        PointsAdjusted(player, points, reason or round_form.default_reason(points, game_page.state.rules)),
    )


def _parse_stop(request: HttpRequest, _game_page: OpenGame) -> tuple[Event, ...]:
    how = request.POST.get("how", "")
    if how not in set(Stop):
        raise InvalidFields({"how": _("Choose how to stop.")})
    return (GameStopped(Stop(how)),)


def _parse_winners(request: HttpRequest, _game_page: OpenGame) -> tuple[Event, ...]:
    winners = tuple(dict.fromkeys(request.POST.getlist("winners")))
    if not winners:
        raise InvalidFields({"winners": _("Choose who has won.")})
    return (WinnersNamed(winners),)


def _parse_newcomer(request: HttpRequest, game_page: OpenGame) -> EventsToRecord:
    after = request.POST.get("after-player", "")
    if after and after not in {player.id for player in game_page.state.players}:
        raise InvalidFields({"after-player": _("Choose a player.")})
    sitter = _parse_new_player(request, game_page, "newcomer", "newcomer-name")
    gone = next(
        (
            former_member
            for former_member in _former_members(game_page)
            if sitter.name and naming.names_match(former_member.name, sitter.name)
        ),
        None,
    )
    packs = _pack_events(request, game_page)

    def join() -> tuple[Event, ...]:
        member = gone or seating.get_or_add_member(
            game_page.game, sitter, key=request_handling.form_key(request)
        )
        return (PlayerJoined(Player(member.slug, member.name), after=after), *packs)

    return join


def _packs_to_join(state: GameState) -> Value | None:
    """Return the number of packs that lets one more player join a full table; None if there is none."""
    agreed = more_packs_correction(state) if state.rules.late_entry and is_full(state) else None
    return None if agreed is None else dict(agreed.options)["packs"]


def _pack_events(request: HttpRequest, game_page: OpenGame) -> tuple[Event, ...]:
    """Return the event that raises the number of packs, if the table is full and the form confirms it."""
    agreed = more_packs_correction(game_page.state) if is_full(game_page.state) else None
    if agreed is None or request.POST.get("packs") != str(dict(agreed.options)["packs"]):
        return ()
    return (Corrected(1, agreed),)


def _parse_handover(request: HttpRequest, game_page: OpenGame) -> EventsToRecord:
    player = _get_player(request, "seat-player")
    sitter = _parse_new_player(request, game_page, "to", "to-name")

    def hand_over() -> tuple[Event, ...]:
        member = seating.get_or_add_member(game_page.game, sitter, key=request_handling.form_key(request))
        return (SeatHandedOver(player, Player(member.slug, member.name)),)

    return hand_over


def _parse_new_player(request: HttpRequest, game_page: OpenGame, field: str, name_field: str) -> NewPlayer:
    """Return the member chosen in the field `field`, or a newcomer with the name typed in `name_field`."""
    slug, name = request.POST.get(field, ""), request.POST.get(name_field, "").strip()
    if slug:
        if not game_page.table.members.active().filter(slug=slug).exists():
            raise InvalidFields({name_field: _("Choose a player.")})
        return NewPlayer(slug)
    if not name:
        raise InvalidFields({name_field: _("Choose a player or enter a name.")})
    try:
        return NewPlayer.named(name)
    except RuleError as refusal:
        raise InvalidFields({name_field: texts.translate(refusal.text)}) from None
