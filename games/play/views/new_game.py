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
from games.play.presenters import house_rules, new_game_form, variant_list
from games.play.presenters.new_game_form import NewGameValues, SeatError
from games.play.services import seating
from games.play.services.duplicates import DuplicateGame
from games.play.services.seating import NewGameSeating, NewPlayer
from games.scoring.errors import RuleError, ScoringError
from games.scoring.options import Preset
from games.scoring.rule_types import Value
from games.scoring.variants import unknown_game_sentence
from games.tables.services import authorization, guests, roster, setup
from games.tables.views.creation_closed import requires_table_creation


@request_handling.require_form
@requires_table_creation
def new_table(request: HttpRequest) -> HttpResponse:
    """Start the first game of a new table; the user becomes the owner of the table.

    A link may fill in the form with its query string, as the links to the folder without a server do.
    """
    if request.method != "POST":
        return _render(
            request,
            None,
            new_game_form.from_post(request.GET, None) if request.GET else new_game_form.initial(None),
        )
    return _handle_post(request, None)


@request_handling.require_form
def new_game(request: HttpRequest, table_code: str) -> HttpResponse:
    """Start the next game of a table; the rules and stake of its last game are preselected."""
    table = authorization.get_table(request.user, table_code, for_recording=True)[0]
    if request.method != "POST":
        return _render(request, table, new_game_form.initial(table))
    return _handle_post(request, table)


def _handle_post(request: HttpRequest, table: Table | None) -> HttpResponse:
    values = new_game_form.from_post(request.POST, table)
    if "choose" in request.POST:
        return _render(request, table, values)
    chosen = _toggle_preset(values, request.POST.get("preset", "")) or _apply_remedy(
        values, "remedy" in request.POST
    )
    if chosen is not None:
        return _render(request, table, chosen)
    try:
        if "draw" in request.POST:
            return _render(request, table, new_game_form.draw_dealer(values))
        game = _start_game(request, table, values)
    except SeatError as wrong:
        return _render_errors(request, table, {wrong.field: wrong.sentence}, fits=wrong.fits)
    except ScoringError as refusal:
        errors = {refusal.field: texts.translate(refusal.text, amounts.money_formatter(values.table))}
        return _render_errors(request, table, errors)
    except DuplicateGame as begun:
        return _render(request, table, values, request_handling.UNPROCESSABLE, duplicate=begun.game)
    except (StaleGame, IdempotencyKeyReused):
        sentence = _("This form already recorded another entry. Check the sheet.")
        return _render_errors(request, table, {"": sentence}, request_handling.CONFLICT)
    request_handling.remember_table(request, game.table)
    return redirect("sheet", game.code)


def _start_game(request: HttpRequest, table: Table | None, values: NewGameValues) -> Game:
    """Start the game that the form describes, and return it.

    Raise ScoringError for refused rules or names, SeatError for refused players, and DuplicateGame if the
    user should be asked whether these people want another game.
    """
    variant_key = request.POST.get("variant", "")
    if variant_list.find_by_key(variant_key) is None:
        raise RuleError(unknown_game_sentence(variant_key), field="variant")
    house = values.variant.house(values.chosen_options)
    new_game_form.check_seats(values, house)
    sitting = NewGameSeating(values.variant, house, _parse_players(values), values.direction)
    table_fields = _clean_table_fields(values) if table is None else {}
    # Outside the transaction, because a rollback must not delete the session of a new guest.
    user = authorization.get_or_create_guest(request, key=request_handling.form_key(request))
    is_asking = "sure" not in request.POST
    try:
        with transaction.atomic():
            return _get_or_start_game(
                user,
                table,
                table_fields,
                sitting,
                key=request_handling.form_key(request),
                is_asking=is_asking,
            )
    except RuleError as refusal:
        seat_players = zip(values.taken_seats, sitting.players, strict=True)
        seats = (
            seat.number for seat, player in seat_players if player.name and player.name == refusal.player
        )
        refusal.field = next((f"new-{number}" for number in seats), refusal.field)
        raise


def _parse_players(values: NewGameValues) -> list[NewPlayer]:
    """Return the players seated in the form. Raise RuleError, at the seat, for an invalid name."""
    people = []
    for seat in values.taken_seats:
        try:
            people.append(NewPlayer.named(seat.new) if seat.new else NewPlayer(seat.slug))
        except RuleError as refusal:
            refusal.field = f"new-{seat.number}"
            raise
    return people


def _clean_table_fields(values: NewGameValues) -> dict[str, Any]:
    """Return the fields of the table that the form opens. Raise RuleError, at its field, for a wrong one."""
    try:
        return setup.clean_fields(
            values.new_table_name,
            unit=values.table.unit,
            decimals=values.table.decimals,
            language=get_language() or settings.LANGUAGE_CODE,
            timezone=setup.zone_or_default(values.timezone),
            region=regions.active_region().name,
        )
    except ScoringError as refusal:
        refusal.field = "table-name" if refusal.field == "name" else refusal.field
        raise


def _toggle_preset(values: NewGameValues, key: str) -> NewGameValues | None:
    """Return the form after a tap on a preset: with its rules, or if they are in force, the usual ones.

    A preset that another one combines with it stays as it is. Return None if the variant has no such preset.
    """
    variant, presets = values.variant, {preset.key: preset for preset in values.variant.presets}
    preset = presets.get(key)
    if preset is None:
        return None

    def is_on(preset: Preset) -> bool:
        return variant_list.is_in_force(preset, variant, values.house, values.table)

    usual = dict(variant.house().options)
    rules = {option: usual[option] for option in preset.chosen} if is_on(preset) else preset.chosen
    for whole in presets.values():
        others = [presets[part] for part in whole.parts if part != key]
        if key in whole.parts and all(map(is_on, others)):
            rules = others[0].chosen if is_on(preset) else whole.chosen
    return _with_rules(values, rules)


def _apply_remedy(values: NewGameValues, is_asked: bool) -> NewGameValues | None:
    """Return the form with the rules of the variant's hint, such as more packs; None if not asked."""
    remedies = [hint.unless for hint in values.variant.hints if hint.remedy is not None]
    return _with_rules(values, remedies[0]) if is_asked and remedies else None


def _with_rules(values: NewGameValues, rules: Mapping[str, Value]) -> NewGameValues:
    return replace(
        values, house={**values.house, **house_rules.input_values(values.variant, rules, values.table)}
    )


def _render_errors(
    request: HttpRequest,
    table: Table | None,
    errors: Mapping[str, str],
    status: int = request_handling.UNPROCESSABLE,
    *,
    fits: tuple[int, int] | None = None,
) -> HttpResponse:
    return _render(request, table, new_game_form.from_post(request.POST, table, errors), status, fits=fits)


def _get_or_start_game(
    user: User,
    table: Table | None,
    table_fields: dict[str, Any],
    sitting: NewGameSeating,
    *,
    key: str,
    is_asking: bool,
) -> Game:
    """Start the game, at a new table with these fields if `table` is None; a repeated key starts no other.

    Lock the user's row. Call this inside a transaction.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # so that a second tap waits for the first
    known = _find_game(user, table, key)
    if known is not None:
        table = known.table
    elif table is None:
        table = setup.create_table(user, table_fields)
    return seating.start_with_newcomers(table, sitting, key=key, by=user, is_asking=is_asking)


def _find_game(user: User, table: Table | None, key: str) -> Game | None:
    accesses = user.accesses.valid().select_related("table")
    tables = [table] if table is not None else [access.table for access in accesses]
    return Game.objects.select_related("table").filter(table__in=tables, key=key).first()


def _render(
    request: HttpRequest,
    table: Table | None,
    values: NewGameValues,
    status: int = 200,
    *,
    fits: tuple[int, int] | None = None,
    duplicate: Game | None = None,
) -> HttpResponse:
    context = {
        "table": table,
        "wanted": values,
        **_choices_context(table, values),
        **_house_context(values, request.POST),
        "key": guests.issue_form_key(request),
        **_errors_context(values),
        "fits": fits,
        "begun": duplicate,
        "asked": duplicate and new_game_form.duplicate_question(duplicate, duplicate.table),
    }
    return render(request, "play/new_game.html", context, status=status)


def _choices_context(table: Table | None, values: NewGameValues) -> dict[str, object]:
    regional_items, others = variant_list.items_by_region(
        variant_list.key_for_rules(values.variant, values.house, values.table), values.table
    )
    members = [] if table is None else [roster.to_person(member) for member in table.members.active()]
    return {
        "here": regional_items,
        "others": others,
        "chosen": next(game for game in (*regional_items, *others) if game.is_chosen),
        "presets": [
            _preset_context(preset, values)
            for preset in values.variant.presets
            if not preset.is_game and not preset.parts
        ],
        "members": members,
        "hints": list(_hint_contexts(values)),
        "colours": COLOURS,
        "drawn_seats": new_game_form.DRAWN_SEATS,
        "units": amounts.offered_units(values.table.unit),
    }


def _preset_context(preset: Preset, values: NewGameValues) -> dict[str, object]:
    return {
        "key": preset.key,
        "name": texts.translate(preset.name),
        "differs": variant_list.differences(preset, values.variant, values.table),
        "is_chosen": variant_list.is_in_force(preset, values.variant, values.house, values.table),
    }


def _house_context(values: NewGameValues, post: QueryDict) -> dict[str, object]:
    fields = house_rules.option_fields(values.variant, values.house, values.errors, values.table)
    first, amount_fields, collapsed_fields, unseen = house_rules.fields_by_section(
        values.variant, fields, values.table
    )
    direction = house_rules.direction_field(values.direction, values.errors.get(house_rules.DIRECTION, ""))
    return {
        "first": first,
        "stake": next((amount for amount in amount_fields if amount["is_stake"]), None),
        "amounts": [amount for amount in amount_fields if not amount["is_stake"]],
        "folded": [*collapsed_fields, direction],
        "unseen": unseen,
        "house_open": any(field.error for field in (*collapsed_fields, direction)),
        "is_choosing": bool(
            {"choose", "preset"} & post.keys() or _sheet_error_names(values) & values.errors.keys()
        ),
        **_summary_context(values),
    }


def _summary_context(values: NewGameValues) -> dict[str, str]:
    """Return the game's name, its house rules and its stakes, each in one line; {} if a text is invalid."""
    variant, table = values.variant, values.table
    try:
        chosen = values.chosen_options
        return {
            "called": texts.translate(variant.with_name_from(variant.house(chosen)).name),
            "house_in_short": house_rules.house_summary(
                variant, chosen, values.direction, table, but=house_rules.primary_option_keys(variant)
            ),
            "played_for": house_rules.stakes_label(variant, chosen, table),
        }
    except RuleError:
        return {}


def _sheet_error_names(values: NewGameValues) -> set[str]:
    """Return the names of the errors that the sheet of the game and its rules shows."""
    options = [
        option.key for option in values.variant.options if not (option.money and option.money.is_stake)
    ]
    return {"unit", "decimals", house_rules.DIRECTION, *options}


def _errors_context(values: NewGameValues) -> dict[str, object]:
    return {
        "general": [text for name, text in values.errors.items() if name not in _field_error_names(values)],
        "players_error": values.errors.get("players", "")
        or " ".join(f"{naming.isolate(seat.new)}: {seat.error}" for seat in values.seats if seat.error),
        "unit_error": values.errors.get("unit", ""),
        "decimals_error": values.errors.get("decimals", ""),
        "no_cents": texts.translate(parsing.NO_CENTS_YET),
        "table_error": values.errors.get("table-name", ""),
    }


def _hint_contexts(values: NewGameValues) -> Iterator[dict[str, object]]:
    """Yield the variant's hints, except those that the chosen house rules follow already.

    A hint is for more than `most` players. Its button has the label `remedy` and chooses `packs` packs.
    """
    for hint in values.variant.hints:
        if all(values.house[key] != str(value) for key, value in hint.unless.items()):
            yield {
                "most": hint.most,
                "text": texts.translate(hint.text),
                "remedy": "" if hint.remedy is None else texts.translate(hint.remedy),
                "packs": hint.unless.get("packs", ""),
            }


def _field_error_names(values: NewGameValues) -> set[str]:
    """Return the names of the form fields that show their own error."""
    return {
        "players",
        "table-name",
        *(f"new-{seat.number}" for seat in values.seats),
        *_sheet_error_names(values),
        *(option.key for option in values.variant.options),  # the stake has its error on the page itself
    }
