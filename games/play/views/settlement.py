"""The result of a game, its money, its rules, the rematch, and the game as text; and an example game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import get_language, override, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.common import amounts, days, locks, naming, regions, request_handling, texts
from games.common.locks import IdempotencyKeyReused, StaleGame
from games.common.naming import Person
from games.common.request_handling import PageRefusal
from games.models import Game, Table
from games.money.presenters import debt_list, game_results, sharing
from games.money.presenters.debt_list import DebtList, PageReader
from games.money.presenters.game_results import GameResult
from games.money.services import accounting, cash_settlement, night_summary
from games.money.views.debt_pages import action_notice, refusal_for, register_page, show_refusal
from games.play.presenters import lessons, new_game_form, open_game, scoresheet, scoresheet_columns
from games.play.presenters.open_game import OpenGame
from games.play.services import recording
from games.play.services.duplicates import DuplicateGame
from games.play.services.recording import GameNotOver
from games.play.views.game_actions import is_offered
from games.play.views.live_result import follow_context
from games.scoring.errors import RuleError, ScoringError
from games.scoring.ledger import Transfer, payments
from games.scoring.text.describe import describe, option_differences
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.notation_writer import write_game
from games.tables.presenters import lone_owner, site_info
from games.tables.services import authorization, users


@require_POST
def spot(request: HttpRequest, code: str) -> HttpResponse:
    """Mark a game's money as paid in cash on the table, or take the mark back (`paid` is yes or no)."""
    game_page = open_game.get_or_404(request, code, for_writing=True)
    act = cash_settlement.mark_paid if request.POST.get("paid") == "yes" else cash_settlement.unmark_paid
    try:
        act(game_page.game, by=request_handling.current_user(request))
    except RuleError as refusal:
        return show_refusal(request, game_page.table, refusal_for(refusal, game_page.table))
    return redirect(f"{reverse('settlement', args=[code])}#debts")


@require_safe
def settlement(request: HttpRequest, code: str) -> HttpResponse:
    """Show the result: places, money with its causes, who pays whom, and a text and a picture to send."""
    return show_settlement(request, open_game.get_or_404(request, code, or_old_night=True))


@register_page("settlement")
def show_with_refusal(request: HttpRequest, code: str, refusal: PageRefusal) -> HttpResponse:
    return show_settlement(request, open_game.get_or_404(request, code), refusal)


def show_settlement(
    request: HttpRequest, game_page: OpenGame, refusal: PageRefusal | None = None
) -> HttpResponse:
    """Show the result, with the refusal of a form on this page.

    If the game is not over, redirect to the sheet; for a night of an old notebook, to its own page.
    """
    game, state, table = game_page.game, game_page.state, game_page.table
    if not state.is_over:
        return redirect("sheet", game.code)
    if state.imported_night is not None:
        return redirect("old-night", game.code)
    result = game_results.build(state, game_page.people, table)
    sees_accounts = authorization.can_view_accounts(table.reader_access)
    load_debts = _debts_loader(request, game_page, sees_accounts=sees_accounts, has_money=result.has_money)
    debts, spot = load_debts() if load_debts else None, _spot_sentence(game_page)
    context = {
        **game_page.context,
        "result": result,
        "debts": debts,
        "spot": spot,
        "night": date.fromordinal(game.night_number).isoformat() if sees_accounts else "",
        "adds_points": game_page.can_record and is_offered("adjust", game_page),
        "goes_on_in_accounts": sees_accounts and result.has_money and debts is None,
        "done": action_notice(request, table, game_page.members, game_page.role) if sees_accounts else None,
        **_share_context(game_page, result, debts, spot, load_debts),
        **follow_context(request, game_page),
        **(_warning_context(request, game_page) if refusal is None else lone_owner.NO_WARNING),
        "key": locks.new_form_key(),
    }
    return request_handling.render_page(request, "money/settlement.html", context, refusal)


WARNED_ON = "warned_on"  # session variable: table, night and game of the last result that warned


def _warning_context(request: HttpRequest, game_page: OpenGame) -> dict[str, object]:
    """Return the warning about a table on one phone only, on one result of each night."""
    game, table = game_page.game, game_page.table
    *known, code = request.session.get(WARNED_ON, ("", 0, ""))
    is_shown = known == [table.code, game.night_number] and code != game.code
    if is_shown or game.night_number != days.night_for(now(), table).toordinal():
        return lone_owner.NO_WARNING
    warning = lone_owner.warning_context(table, request.user)
    if warning["only_here"]:
        request.session[WARNED_ON] = [table.code, game.night_number, game.code]
    return warning


def _debts_loader(
    request: HttpRequest, game_page: OpenGame, *, sees_accounts: bool, has_money: bool
) -> Callable[[], DebtList] | None:
    """Return a function that lists who pays whom in the active language; None if there is no list.

    Only the result of a game of tonight has one. Users who may not see the accounts get the game's own
    payments.
    """
    game, table, people = game_page.game, game_page.table, game_page.members
    night = date.fromordinal(game.night_number)
    if game.discarded_at is not None or night != days.night_for(now(), table):
        return None
    if not sees_accounts:
        transfers = () if game.spot_nets is not None else payments(game_page.state)
        return partial(_game_debts, transfers, game_page.people, table) if has_money else None
    accounts, evening = accounting.load_accounts(table, people), night_summary.summarize(night, table, people)
    if not has_money and not debt_list.between_members(accounts.debts, evening.people):
        return None
    reader = PageReader.of(request_handling.current_user(request), game_page.role, people)
    paid = night_summary.list_payments(night, table)
    return partial(debt_list.build_for_night, night, evening, accounts, table, reader, paid=paid, under=game)


def _game_debts(transfers: Iterable[Transfer], people: Mapping[str, Person], table: Table) -> DebtList:
    return replace(
        debt_list.build_for_game(transfers, people, table),
        note=_("This game only, not counting payments since"),
    )


def _spot_sentence(game_page: OpenGame) -> str:
    game, table = game_page.game, game_page.table
    if game.spot_at is None:
        return ""
    text = (
        pgettext("payment", "Paid on the spot")
        if game.spot_by
        else _("Paid on the spot, as always at this table")
    )
    name = naming.isolate(users.name_at_table(game.spot_by, game_page.members)) if game.spot_by else ""
    return " · ".join(filter(None, (text, name, days.format_datetime(game.spot_at, table))))


def _share_context(
    game_page: OpenGame,
    result: GameResult,
    debts: DebtList | None,
    spot: str,
    load_debts: Callable[[], DebtList] | None,
) -> dict[str, str]:
    """Return the text and the picture of the result for the group, in the language of the table."""
    game, state, language = game_page.game, game_page.state, game_page.table.language
    is_other_language = language != get_language()
    with override(language):
        if is_other_language:
            result = game_results.build(state, game_page.people, game_page.table)
            debts, spot = load_debts() if load_debts else None, _spot_sentence(game_page)
        message_parts = (result, debts, spot, now())
        return {
            "message": sharing.game_message(game, state, *message_parts),
            "drawn": json.dumps(sharing.game_picture(game, state, game_page.people, *message_parts)),
            "file_name": sharing.picture_file_name(game),
        }


@require_POST
def rematch(request: HttpRequest, code: str) -> HttpResponse:
    """Start a rematch (revancha): a game with the same players, rules and stakes.

    Ask first if a game of the same people has no round yet.
    """
    game_page = open_game.get_or_404(request, code, for_recording=True, of_any_night=True)
    try:
        start_event = recording.build_rematch(game_page.game)
        is_asking = "sure" not in request.POST
        key, user = request_handling.form_key(request), request_handling.current_user(request)
        game = recording.start_game(game_page.table, start_event, key=key, by=user, is_asking=is_asking)
    except DuplicateGame as before:
        question = new_game_form.duplicate_question(before.game, game_page.table)
        context = {**game_page.context, "begun": before.game, "asked": question, "key": locks.new_form_key()}
        return render(request, "play/duplicate_game.html", context, status=request_handling.UNPROCESSABLE)
    except (ScoringError, StaleGame, IdempotencyKeyReused, GameNotOver) as refusal:
        page_refusal = open_game.refusal_for(refusal, game_page)
        return request_handling.render_page(request, "parts/refused.html", game_page.context, page_refusal)
    return redirect("sheet", game.code)


@require_safe
def rules(request: HttpRequest, code: str) -> HttpResponse:
    """Show the rules of this game: a lesson for newcomers, the house rules, and every rule as a sentence."""
    game_page = open_game.get_or_404(request, code)
    state, format_money = game_page.state, amounts.money_formatter(game_page.table)
    lesson, hands = lessons.build_lesson(state.variant, state.house, format_money)
    context = {
        **game_page.context,
        "lesson": lesson,
        "hands": hands,
        "changed": [
            texts.translate(text, format_money)
            for text in option_differences(state.variant, state.house, excluded=())
        ],
        "sentences": [
            texts.translate(text, format_money)
            for text in describe(
                state.variant, state.house, state.direction, code=scoresheet_columns.contract_code
            )
        ],
    }
    return render(request, "play/rules.html", context)


@require_safe
def export(request: HttpRequest, code: str) -> HttpResponse:
    """Return the game as text, for the command line or as a backup."""
    game_page = open_game.get_or_404(request, code, or_old_night=True)
    response = HttpResponse(write_game(game_page.log), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{code}.game"'
    return response


EXAMPLE = """
game loba_menos stake=2000 reentry_price=linear reentries=2
players ana beto caro dani
round caro out ana=23 beto=47 dani=12
round ana in_one_go beto=33 caro=21 dani=40
round dani out ana=8 beto=29 caro=16
reenter beto
round beto out ana=17 caro=38 dani=25
round ana out beto=10 caro=31 dani=44
stay_out caro
stay_out dani
round ana out beto=72
"""


@require_safe
def example(request: HttpRequest) -> HttpResponse:
    """Show the result and the sheet of an example game."""
    played = play_game_file(parse_game_file(EXAMPLE))
    state = played.state
    assert state is not None, played.problems
    unit = amounts.offered_units()[0]
    table = Table(unit=unit, decimals=amounts.default_decimals(unit), region=regions.active_region().name)
    people = {
        player.id: Person(player.id, player.id.title(), colour)
        for colour, player in enumerate(state.players, start=1)
    }
    result = game_results.build(state, people, table)
    context = {
        "state": state,
        "variant_name": texts.translate(state.variant.name),
        "result": result,
        "debts": debt_list.build_for_game(payments(state), people, table),
        "sheet": scoresheet.build(Game(table=table), played.log, state, people, is_example=True),
    }
    return render(request, "play/example.html", {**context, "closed": site_info.closed_message(request.user)})
