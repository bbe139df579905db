"""A new game: who plays, in the order of the seats, for what, by which house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.access import ensure_guest, get_table_or_404
from games.messages import translate
from games.models import Game, Member, Table
from games.names import same_name
from games.scoring.errors import RuleError, ScoringError
from games.scoring.events import GameStarted, Player
from games.scoring.options import House, Variant
from games.scoring.words import _ as say
from games.services import KeyReused, StaleGame, add_member, open_table, start_game
from games.shown.house import OptionField, field_name, house_in_short, option_fields, read_house, typed_house
from games.shown.offered import OFFERED
from games.views.recording import CONFLICT, UNPROCESSABLE, new_key, sent_key

UNITS = ("$", "fichas", "porotos")
STAKE_STEPS = (10, 50, 100, 500, 1000)


@dataclass(frozen=True)
class Seat:
    """A seat of the form: a member chosen, or the name of somebody new."""

    number: int
    slug: str = ""
    new: str = ""
    error: str = ""

    @property
    def is_taken(self) -> bool:
        """Whether somebody sits there."""
        return bool(self.slug or self.new)


@dataclass(frozen=True)
class Wanted:
    """The form as it stands: from the table's last game, or as it was posted."""

    variant: Variant
    house: Mapping[str, str]
    seats: tuple[Seat, ...]
    table_name: str = ""
    unit: str = UNITS[0]
    errors: Mapping[str, str] = field(default_factory=dict)


@require_http_methods(["GET", "POST"])
def new_table(request: HttpRequest) -> HttpResponse:
    """The first game of a new table; whoever starts it owns the table."""
    if request.method == "GET":
        return _show(request, None, _blank(None))
    return _start(request, None)


@require_http_methods(["GET", "POST"])
def new_game(request: HttpRequest, table_code: str) -> HttpResponse:
    """The next game of a table, its last rules and stake chosen already."""
    table = get_table_or_404(request, table_code, for_writing=True)
    if request.method == "GET":
        return _show(request, table, _blank(table))
    return _start(request, table)


def _blank(table: Table | None) -> Wanted:
    last = None if table is None else table.games.filter(discarded_at=None).first()
    state = None if last is None else last.state()
    if state is None or state.imported is not None:
        variant = next(iter(OFFERED.values()))
        return Wanted(
            variant, typed_house(variant, variant.house()), _no_seats(variant), table_name=_("Our table")
        )
    return Wanted(state.variant, typed_house(state.variant, state.house), _no_seats(state.variant))


def _no_seats(variant: Variant) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in range(1, variant.max_players + 1))


def _posted(post: QueryDict, errors: Mapping[str, str] | None = None) -> Wanted:
    variant = OFFERED.get(post.get("variant", ""), next(iter(OFFERED.values())))
    problems = dict(errors or {})
    seats = tuple(
        Seat(
            number,
            post.get(f"seat-{number}", ""),
            "" if post.get(f"seat-{number}") else post.get(f"new-{number}", "").strip(),
            problems.get(f"new-{number}", ""),
        )
        for number in range(1, variant.max_players + 1)
    )
    house = {option.key: post.get(field_name(option.key), "").strip() for option in variant.options}
    return Wanted(
        variant,
        house,
        seats,
        post.get("table-name", "").strip(),
        post.get("unit", UNITS[0]).strip(),
        problems,
    )


def _start(request: HttpRequest, table: Table | None) -> HttpResponse:
    wanted = _posted(request.POST)
    preset = next(
        (found for found in wanted.variant.presets if found.key == request.POST.get("preset")), None
    )
    if preset is not None:
        chosen = {**wanted.house, **{key: str(value) for key, value in preset.chosen.items()}}
        return _show(request, table, replace(wanted, house=chosen))
    try:
        _check_offered(request.POST.get("variant", ""))
        house = wanted.variant.house(read_house(wanted.variant, request.POST))
        _check_seats(wanted)
        # Before the transaction: a refusal must not take a new guest's session back.
        user = ensure_guest(request, key=sent_key(request))
        with transaction.atomic():
            game = _open(user, table, wanted, house, key=sent_key(request))
    except _WrongSeat as wrong:
        return _show(request, table, _posted(request.POST, {wrong.field: wrong.sentence}), UNPROCESSABLE)
    except ScoringError as refusal:
        errors = {refusal.field: translate(refusal.text)}
        return _show(request, table, _posted(request.POST, errors), UNPROCESSABLE)
    except (StaleGame, KeyReused):
        sentence = _("This was recorded already, with something else. Look at the sheet.")
        return _show(request, table, _posted(request.POST, {"": sentence}), CONFLICT)
    return redirect("sheet", game.code)


class _WrongSeat(Exception):
    def __init__(self, field: str, sentence: str) -> None:
        super().__init__(sentence)
        self.field, self.sentence = field, sentence


def _check_offered(key: str) -> None:
    if key not in OFFERED:
        raise RuleError(say("There is no game called “{key}”.", key=key), field="variant")


def _check_seats(wanted: Wanted) -> None:
    taken = [seat for seat in wanted.seats if seat.is_taken]
    if len(taken) < wanted.variant.min_players:
        least = wanted.variant.min_players
        raise _WrongSeat("players", _("Choose at least %(least)s players.") % {"least": least})
    slugs = [seat.slug for seat in taken if seat.slug]
    if len(set(slugs)) != len(slugs):
        raise _WrongSeat("players", _("Somebody has two seats."))


def _open(user: User, table: Table | None, wanted: Wanted, house: House, *, key: str) -> Game:
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # of two taps, one waits for the other's game
    known = _known_game(user, table, key)
    if known is not None:
        if not _says_the_same(known, wanted, house):
            raise KeyReused
        return known
    if table is None:
        table = _open_table(user, wanted)
    players = [_member(table, seat) for seat in wanted.seats if seat.is_taken]
    event = GameStarted(
        variant=wanted.variant.key,
        options=house.options,
        players=tuple(Player(member.slug, member.name) for member in players),
        direction=wanted.variant.direction,
    )
    return start_game(table, event, key=key, by=user)


def _known_game(user: User, table: Table | None, key: str) -> Game | None:
    """The game this very form has opened already, with its new people: a double tap opens one game."""
    tables = [table] if table is not None else [grant.table for grant in user.grants.select_related("table")]
    return Game.objects.filter(table__in=tables, key=key).first()


def _says_the_same(game: Game, wanted: Wanted, house: House) -> bool:
    """Whether the game was begun with what this form says; somebody new is known by name now."""
    begun = game.log()[0]
    assert isinstance(begun, GameStarted)
    taken = [seat for seat in wanted.seats if seat.is_taken]
    return (
        (begun.variant, begun.options) == (wanted.variant.key, house.options)
        and len(begun.players) == len(taken)
        and all(
            seat.slug == player.id if seat.slug else same_name(seat.new, player.name)
            for seat, player in zip(taken, begun.players, strict=True)
        )
    )


def _open_table(user: User, wanted: Wanted) -> Table:
    try:
        return open_table(
            user,
            wanted.table_name or _("Our table"),
            unit=wanted.unit,
            decimals=0,
            language=get_language() or settings.LANGUAGE_CODE,
            timezone=settings.TIME_ZONE,
        )
    except ScoringError as refusal:
        refusal.field = "table-name" if refusal.field == "name" else refusal.field
        raise


def _member(table: Table, seat: Seat) -> Member:
    if seat.slug:
        members = table.members.active()
        found = next((member for member in members if member.slug == seat.slug), None)
        if found is None:
            raise _WrongSeat("players", _("Choose a player."))
        return found
    try:
        return add_member(table, seat.new)
    except ScoringError as refusal:
        refusal.field = f"new-{seat.number}"
        raise


def _show(request: HttpRequest, table: Table | None, wanted: Wanted, status: int = 200) -> HttpResponse:
    members = [] if table is None else list(table.members.active())
    stake, fields = _stake_first(option_fields(wanted.variant, wanted.house, wanted.errors))
    context = {
        "table": table,
        "wanted": wanted,
        "variants": [
            (variant.key, translate(variant.name), translate(variant.summary), variant is wanted.variant)
            for variant in OFFERED.values()
        ],
        "members": members,
        "stake": stake,
        "stake_steps": STAKE_STEPS,
        "units": UNITS,
        "fields": fields,
        "presets": [(preset.key, translate(preset.name)) for preset in wanted.variant.presets],
        "house_open": "preset" in request.POST or any(found.error for found in fields),
        "house_in_short": house_in_short(wanted.variant, wanted.house),
        "key": new_key(),
        "general": [text for name, text in wanted.errors.items() if name not in _at_fields(wanted.variant)],
        "players_error": wanted.errors.get("players", "") or _seat_errors(wanted),
        "unit_error": wanted.errors.get("unit", ""),
        "table_error": wanted.errors.get("table-name", ""),
    }
    return render(request, "games/new_game.html", context, status=status)


def _at_fields(variant: Variant) -> set[str]:
    """The errors that stand at a field of the form."""
    seats = {f"new-{seat.number}" for seat in _no_seats(variant)}
    return {"players", "unit", "table-name", *seats, *(option.key for option in variant.options)}


def _stake_first(fields: tuple[OptionField, ...]) -> tuple[OptionField, list[OptionField]]:
    """The stake, which has a place of its own on the page, and the other house rules."""
    stake = next(found for found in fields if found.key == "stake")
    return stake, [found for found in fields if found is not stake]


def _seat_errors(wanted: Wanted) -> str:
    return " ".join(seat.error for seat in wanted.seats if seat.error)
