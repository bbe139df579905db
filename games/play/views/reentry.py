"""The re-entry page (reenganche): it asks each bust player, one after the other, whether they re-enter.

A player is bust with too many points, and may go on for a price.
"""

from __future__ import annotations

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.common import amounts, locks, naming, request_handling
from games.common.locks import StaleGame
from games.common.poll_tickets import PageVersion
from games.common.request_handling import PageRefusal
from games.play.presenters import announcement, open_game, round_form, scoresheet, scoresheet_columns
from games.play.presenters.open_game import OpenGame
from games.play.views.sheet import next_url, show_sheet
from games.scoring.columns import players_by_column
from games.scoring.events import PlayerStayedOut, PointsAdjusted, RoundPlayed
from games.scoring.money import pot_amount, reentry_fee
from games.scoring.reentry_terms import reentry_price
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState, PlayerState, Step
from games.tables.views.lobby import no_news, poll_context


@request_handling.require_form
def reentry(request: HttpRequest, code: str) -> HttpResponse:
    """Ask the next bust player to re-enter, and record the answer."""
    game_page = open_game.get_or_404(request, code, for_recording=True)
    if request.method == "POST":
        return _record_answer(request, game_page)
    if not _is_asking(game_page):
        return redirect("sheet", code)
    return _render(request, game_page)


@require_safe
def live_reentry(request: HttpRequest, code: str, after: int, version: PageVersion) -> HttpResponse:
    """Answer a poll of the re-entry page with the current page; 204 if the page is up to date.

    `after` is the number of the last event that the page shows, `version` the version of the page.
    """
    game_page = open_game.get_or_404(request, code, for_recording=True)
    if version == game_page.version:
        return no_news(request, game_page.reader_access)
    since = game_page.log[after:]
    news = open_game.refusal_for(StaleGame(after=after, since=since), game_page) if since else None
    return _show_current_page(request, game_page, news and replace(news, status=200))


def _is_asking(game_page: OpenGame) -> bool:
    return bool(game_page.state.pending) and game_page.game.discarded_at is None


def _record_answer(request: HttpRequest, game_page: OpenGame) -> HttpResponse:
    pending = game_page.state.pending
    if request.POST.get("answer") not in round_form.REENTRY_EVENTS and pending:
        result: GameState | PageRefusal = open_game.reentry_refusal(game_page, pending[0].id)
    else:
        answer = round_form.REENTRY_EVENTS.get(request.POST.get("answer", ""), PlayerStayedOut)
        result = open_game.try_to_record(request, game_page, answer(request.POST.get("player", "")))
    if isinstance(result, PageRefusal):
        return _show_current_page(request, open_game.get_or_404(request, game_page.game.code), result)
    return redirect(next_url(game_page, result))


def _show_current_page(
    request: HttpRequest, game_page: OpenGame, refusal: PageRefusal | None
) -> HttpResponse:
    """Show the question to the next bust player, or the sheet if there is none; and the refusal, if any."""
    return (_render if _is_asking(game_page) else show_sheet)(request, game_page, refusal)


def _render(request: HttpRequest, game_page: OpenGame, refusal: PageRefusal | None = None) -> HttpResponse:
    live = poll_context(
        request,
        game_page.reader_access,
        "live-reentry",
        game_page.game.code,
        len(game_page.log),
        game_page.version,
    )
    spoken = announcement.build(game_page, has_question=False)
    asked = game_page.state.pending[0].id
    return show_question(request, game_page, asked, refusal, announcement=spoken, **live)


def show_question(
    request: HttpRequest, game_page: OpenGame, asked: PlayerId, refusal: PageRefusal | None, **more: object
) -> HttpResponse:
    """Show the question whether the player `asked` comes back. `more` are further template variables."""
    others = [player for player in game_page.state.pending if player.id != asked]
    context = {
        **game_page.context,
        "desk": _question_context(game_page, game_page.state.player(asked), others),
        "sheet": scoresheet.build(game_page.game, game_page.log, game_page.state, game_page.people),
        "key": locks.new_form_key(),
        **more,
    }
    return request_handling.render_page(request, "play/reentry.html", context, refusal)


def _question_context(
    game_page: OpenGame, player: PlayerState, others: list[PlayerState]
) -> dict[str, object]:
    """Return the question to a bust player, with the price and the pot before and after it.

    `sum` tells how the total came about. `like` names the players who have the total of this re-entry.
    `which` is the number of the re-entry and the price of the next one, and `later` names the players asked
    next. `round_number` is 0 if a penalty made the player bust, and not a round.
    """
    state, table = game_page.state, game_page.table
    assert player.reentry_total is not None
    fee, pot, cause = reentry_fee(state, player.id), pot_amount(state), state.steps[player.bust_at - 1]
    equals = [equal for equal in state.playing if equal.total == player.reentry_total]
    return {
        "person": game_page.people[player.id],
        "total": amounts.points(state.rules.displayed_total(player.total)),
        "sum": _total_label(state, player, cause),
        "back_with": amounts.points(state.rules.displayed_total(player.reentry_total)),
        "like": naming.join_names([game_page.people[equal.id].name for equal in equals]),
        "margin": scoresheet_columns.margin_label(state, player.reentry_total, game_page.people),
        "is_close": state.rules.out_at is not None and player.reentry_total >= state.rules.out_at - 1,
        "price": amounts.money(fee, table) if state.rules.pot else "",
        "pot_before": amounts.money(pot, table),
        "pot_after": amounts.money(pot + fee, table),
        "which": _reentry_label(state, player, game_page),
        "later": [_later_label(game_page, other) for other in others],
        "round_number": len(state.rounds) if isinstance(cause.event, RoundPlayed) else 0,
        "cause_url": reverse("correct", args=[game_page.game.code, cause.number]),
    }


def _total_label(state: GameState, player: PlayerState, cause: Step) -> str:
    """Return how the total came about, such as “89 + 27 from the round”; "" if the table agreed on it."""
    match cause.event:
        case RoundPlayed():
            column = [seat.id for seat in state.players].index(player.id)
            then = players_by_column(state)[player.bust_at - 1][column]  # before a seat was handed over
            added_points = state.rounds[-1].points[then]
            text = _("%(before)s %(sign)s %(points)s from the round")
        case PointsAdjusted(_player, added_points):
            text = _("%(before)s %(sign)s %(points)s from the penalty")
        case _:
            return ""
    before = amounts.points(state.rules.displayed_total(player.total - added_points))
    sign = "−" if state.rules.counts_down else "+"
    return text % {"before": before, "sign": sign, "points": amounts.points(added_points)}


def _reentry_label(state: GameState, player: PlayerState, game_page: OpenGame) -> str:
    """Return the number of the re-entry, and the price of the next one if it differs."""
    reentry, number = state.rules.reentry, player.reentries + 1
    assert reentry is not None
    params: dict[str, object] = {"ordinal": amounts.ordinal(number)}
    if reentry.cap == number:
        return _("%(ordinal)s re-entry, the last") % params
    next_price = reentry_price(reentry.price, number + 1)
    if next_price == reentry_price(reentry.price, number):
        return _("%(ordinal)s re-entry") % params
    params |= {"price": amounts.money(next_price, game_page.table)}
    return _("%(ordinal)s re-entry; the next costs %(price)s") % params


def _later_label(game_page: OpenGame, player: PlayerState) -> str:
    figures = {
        "name": naming.isolate(game_page.people[player.id].name),
        "total": amounts.points(game_page.state.rules.displayed_total(player.total)),
        "fee": amounts.money(reentry_fee(game_page.state, player.id), game_page.table),
    }
    if not game_page.state.rules.pot:
        return _("%(name)s (%(total)s)") % figures
    return _("%(name)s (%(total)s), %(fee)s") % figures
