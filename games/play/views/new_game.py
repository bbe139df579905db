"""The page of a new game: variant, players in the order of their seats, stake and house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.common import amounts, naming, parsing, regions, request_handling, texts
from games.common.locks import IdempotencyKeyReused, StaleGame
from games.models import COLOURS, Game, Table
from games.play.begun import BegunAlready
from games.play.game_list import differences, games_listed, is_in_force, key_of
from games.play.house import (
    DIRECTION,
    asked_first,
    direction_field,
    house_in_short,
    option_fields,
    placed,
    stakes_in_words,
    typed_options,
)
from games.play.seating import Sitter, Sitting, sit_down
from games.play.wanted import Wanted, WrongSeat, blank, check_seats, posted, question_in_words
from games.scoring.errors import RuleError, ScoringError
from games.scoring.kinds import Value
from games.scoring.options import Preset
from games.scoring.variants import find_variant
from games.tables.services import authorization, guests, roster, setup
from games.tables.views.creation_closed import requires_table_creation


@request_handling.require_form
@requires_table_creation
def new_table(request: HttpRequest) -> HttpResponse:
    """Start the first game of a new table; the user becomes the owner of the table.

    A link to the page may fill in the form: those that lead to the folder without a server do.
    """
    if request.method != "POST":
        return _show(request, None, posted(request.GET, None) if request.GET else blank(None))
    return _start(request, None)


@request_handling.require_form
def new_game(request: HttpRequest, table_code: str) -> HttpResponse:
    """Start the next game of a table; the rules and stake of its last game are preselected."""
    table = authorization.get_table(request.user, table_code, for_writing=True)[0]
    if request.method != "POST":
        return _show(request, table, blank(table))
    return _start(request, table)


def _start(request: HttpRequest, table: Table | None) -> HttpResponse:
    wanted = posted(request.POST, table)
    if "choose" in request.POST:
        return _show(request, table, wanted)
    chosen = _preset(wanted, request.POST.get("preset", "")) or _remedied(wanted, "remedy" in request.POST)
    if chosen is not None:
        return _show(request, table, chosen)
    try:
        game = _start_game(request, table, wanted)
    except WrongSeat as wrong:
        return _refuse(request, table, {wrong.field: wrong.sentence}, fits=wrong.fits)
    except ScoringError as refusal:
        errors = {refusal.field: texts.translate(refusal.text, amounts.money_formatter(wanted.table))}
        return _refuse(request, table, errors)
    except BegunAlready as begun:
        return _show(request, table, wanted, request_handling.UNPROCESSABLE, begun=begun.game)
    except (StaleGame, IdempotencyKeyReused):
        sentence = _("This form already recorded another entry. Check the sheet.")
        return _refuse(request, table, {"": sentence}, request_handling.CONFLICT)
    request_handling.remember_table(request, game.table)
    return redirect("sheet", game.code)


def _start_game(request: HttpRequest, table: Table | None, wanted: Wanted) -> Game:
    """Start the game that the form describes, and return it.

    Raise ScoringError for refused rules or names, WrongSeat for refused players, and BegunAlready if the user
    should be asked whether these people want another game.
    """
    find_variant(request.POST.get("variant", "").partition(":")[0])
    house = wanted.variant.house(wanted.chosen)
    check_seats(wanted, house)
    sitting = Sitting(wanted.variant, house, _people(wanted), wanted.direction)
    opened = _parts_of_table(wanted) if table is None else {}
    # Outside the transaction, because a rollback must not delete the session of a new guest.
    user = authorization.get_or_create_guest(request, key=request_handling.form_key(request))
    is_asking = "sure" not in request.POST
    try:
        with transaction.atomic():
            return _open(
                user, table, opened, sitting, key=request_handling.form_key(request), is_asking=is_asking
            )
    except RuleError as refusal:
        seated = zip(wanted.taken, sitting.people, strict=True)
        seats = (seat.number for seat, one in seated if one.name and one.name == refusal.player)
        refusal.field = next((f"new-{number}" for number in seats), refusal.field)
        raise


def _people(wanted: Wanted) -> list[Sitter]:
    """Return the players who are seated in the form. Raise RuleError, at the seat, for a name that is none."""
    people = []
    for seat in wanted.taken:
        try:
            people.append(Sitter.called(seat.new) if seat.new else Sitter(seat.slug))
        except RuleError as refusal:
            refusal.field = f"new-{seat.number}"
            raise
    return people


def _parts_of_table(wanted: Wanted) -> dict[str, Any]:
    """Return the fields of the table that the form opens. Raise RuleError, at the field, for a wrong one."""
    try:
        return setup.clean_fields(
            wanted.table_called,
            unit=wanted.table.unit,
            decimals=wanted.table.decimals,
            language=get_language() or settings.LANGUAGE_CODE,
            timezone=setup.zone_or_default(wanted.timezone),
            region=regions.active_region().name,
        )
    except ScoringError as refusal:
        refusal.field = "table-name" if refusal.field == "name" else refusal.field
        raise


def _preset(wanted: Wanted, key: str) -> Wanted | None:
    """Return the form after a tap on a preset: with its rules or, if it has them already, with the usual ones.

    Return None if the variant has no such preset.
    """
    for preset in wanted.variant.presets:
        if preset.key == key:
            usual = dict(wanted.variant.house().options)
            is_off = is_in_force(preset, wanted.variant, wanted.house, wanted.table)
            return _choosing(
                wanted, {option: usual[option] for option in preset.chosen} if is_off else preset.chosen
            )
    return None


def _remedied(wanted: Wanted, is_asked: bool) -> Wanted | None:
    """Return the form with the rules that the variant's hint suggests, such as more packs; None if not asked."""
    remedies = [hint.unless for hint in wanted.variant.hints if hint.remedy is not None]
    return _choosing(wanted, remedies[0]) if is_asked and remedies else None


def _choosing(wanted: Wanted, rules: Mapping[str, Value]) -> Wanted:
    return replace(wanted, house={**wanted.house, **typed_options(wanted.variant, rules, wanted.table)})


def _refuse(
    request: HttpRequest,
    table: Table | None,
    errors: Mapping[str, str],
    status: int = request_handling.UNPROCESSABLE,
    *,
    fits: tuple[int, int] | None = None,
) -> HttpResponse:
    return _show(request, table, posted(request.POST, table, errors), status, fits=fits)


def _open(
    user: User, table: Table | None, opened: dict[str, Any], sitting: Sitting, *, key: str, is_asking: bool
) -> Game:
    """Start the game, at a new table with the fields `opened` if `table` is None."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # a second tap waits for the first one's game
    known = _known_game(user, table, key)
    if known is not None:
        table = known.table
    elif table is None:
        table = setup.create_table(user, opened)
    return sit_down(table, sitting, key=key, by=user, is_asking=is_asking)


def _known_game(user: User, table: Table | None, key: str) -> Game | None:
    """Return the game that the form with this idempotency key has started already; None if there is none."""
    mine = user.accesses.valid().select_related("table")
    tables = [table] if table is not None else [access.table for access in mine]
    return Game.objects.select_related("table").filter(table__in=tables, key=key).first()


def _show(
    request: HttpRequest,
    table: Table | None,
    wanted: Wanted,
    status: int = 200,
    *,
    fits: tuple[int, int] | None = None,
    begun: Game | None = None,
) -> HttpResponse:
    context = {
        "table": table,
        "wanted": wanted,
        **_offers(table, wanted),
        **_house_rules(wanted, request.POST),
        "key": guests.issue_form_key(request),
        **_errors(wanted),
        "fits": fits,
        "begun": begun,
        "asked": begun and question_in_words(begun, begun.table),
    }
    return render(request, "play/new_game.html", context, status=status)


def _offers(table: Table | None, wanted: Wanted) -> dict[str, object]:
    """Return the template variables of what can be chosen besides rules."""
    here, others = games_listed(key_of(wanted.variant, wanted.house, wanted.table), wanted.table)
    members = [] if table is None else [roster.to_person(member) for member in table.members.active()]
    return {
        "here": here,
        "others": others,
        "chosen": next(game for game in (*here, *others) if game.is_chosen),
        "presets": [_preset_card(preset, wanted) for preset in wanted.variant.presets if not preset.is_game],
        "members": members,
        "hints": list(_hints(wanted)),
        "colours": COLOURS,
        "units": amounts.offered_units(wanted.table.unit),
    }


def _preset_card(preset: Preset, wanted: Wanted) -> dict[str, object]:
    """Return a preset (a named set of house rules), how it differs from the usual rules, and if it is chosen."""
    return {
        "key": preset.key,
        "name": texts.translate(preset.name),
        "differs": differences(preset, wanted.variant, wanted.table),
        "is_chosen": is_in_force(preset, wanted.variant, wanted.house, wanted.table),
    }


def _house_rules(wanted: Wanted, sent: QueryDict) -> dict[str, object]:
    """Return the template variables of the fields for stakes and house rules, and of their short summary."""
    fields = option_fields(wanted.variant, wanted.house, wanted.errors, wanted.table)
    first, amount_fields, folded, unseen = placed(wanted.variant, fields, wanted.table)
    direction = direction_field(wanted.direction, wanted.errors.get(DIRECTION, ""))
    return {
        "first": first,
        "amounts": amount_fields,
        "folded": [*folded, direction],
        "unseen": unseen,
        "house_open": any(field.error for field in (*folded, direction)),
        "is_choosing": bool({"choose", "preset"} & sent.keys() or _of_rules(wanted) & wanted.errors.keys()),
        **_in_short(wanted),
    }


def _in_short(wanted: Wanted) -> dict[str, str]:
    """Return the game's name, its house rules and what is played for, each in one line; {} if a text is wrong."""
    variant, table = wanted.variant, wanted.table
    try:
        chosen = wanted.chosen
        return {
            "called": texts.translate(variant.called(variant.house(chosen)).name),
            "house_in_short": house_in_short(
                variant, chosen, wanted.direction, table, but=asked_first(variant)
            ),
            "played_for": stakes_in_words(variant, chosen, table),
        }
    except RuleError:
        return {}


def _of_rules(wanted: Wanted) -> set[str]:
    """Return the names of the errors that the sheet of the game and its rules shows."""
    return {"unit", "decimals", DIRECTION, *(option.key for option in wanted.variant.options)}


def _errors(wanted: Wanted) -> dict[str, object]:
    """Return the template variables of the form's errors, one for each place where the page shows errors."""
    return {
        "general": [text for name, text in wanted.errors.items() if name not in _at_fields(wanted)],
        "players_error": wanted.errors.get("players", "")
        or " ".join(f"{naming.isolate(seat.new)}: {seat.error}" for seat in wanted.seats if seat.error),
        "unit_error": wanted.errors.get("unit", ""),
        "decimals_error": wanted.errors.get("decimals", ""),
        "no_cents": texts.translate(parsing.NO_CENTS_YET),
        "table_error": wanted.errors.get("table-name", ""),
    }


def _hints(wanted: Wanted) -> Iterator[dict[str, object]]:
    """Yield the variant's hints, except those that the chosen house rules follow already.

    A hint is for more than `most` players. Its button has the label `remedy` and chooses `packs` packs.
    """
    for hint in wanted.variant.hints:
        if all(wanted.house[key] != str(value) for key, value in hint.unless.items()):
            yield {
                "most": hint.most,
                "text": texts.translate(hint.text),
                "remedy": "" if hint.remedy is None else texts.translate(hint.remedy),
                "packs": hint.unless.get("packs", ""),
            }


def _at_fields(wanted: Wanted) -> set[str]:
    """Return the names of the form fields beside which the page shows the field's error."""
    return {"players", "table-name", *(f"new-{seat.number}" for seat in wanted.seats), *_of_rules(wanted)}
