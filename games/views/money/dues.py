"""The dues of a game (the payments still owed for it).

Users record one payment or all of them as made in cash, and can take a payment back.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.keys import KeyReused, new_key
from games.locks import StaleGame
from games.money.booking import StaleDues
from games.money.payments import take_back
from games.money.ticks import pay_on_the_spot, tick
from games.people.access import accounts_open_to
from games.scoring.errors import RuleError
from games.scoring.ledger import Transfer
from games.shown.common.typed import read_typed
from games.views.common.numbers import row_id
from games.views.common.opened import OpenGame, open_game, user_of
from games.views.common.owed import dues_seen_by, just_done, payment_beside
from games.views.common.recording import CONFLICT, Refused, refused_by, sent_after, sent_key
from games.views.money.settlement import show_settlement


@require_GET
def dues(request: HttpRequest, code: str) -> HttpResponse:
    """Show the payments still owed for this game."""
    return _show_dues(request, _open(request, code))


@require_POST
def pay_dues(request: HttpRequest, code: str) -> HttpResponse:
    """Record the posted payment as made in cash; if no payer is posted, record all payments still owed."""
    game_page = _open(request, code)
    payer, payee = request.POST.get("payer", ""), request.POST.get("payee", "")
    after, key, by = sent_after(request), sent_key(request), user_of(request)
    done = None
    try:
        if payer or payee:
            amount = read_typed(request.POST, game_page.table) or 0
            done = tick(game_page.game, Transfer(payer, payee, amount), after=after, key=key, by=by).pk
        else:
            pay_on_the_spot(game_page.game, after=after, key=key, by=by)
    except StaleDues:
        return _refuse(
            request,
            code,
            Refused(CONFLICT, news=_("Not recorded: that is no longer owed. This is owed now.")),
        )
    except (RuleError, KeyReused, StaleGame) as refusal:
        return _refuse(request, code, refused_by(refusal, game_page))
    return redirect(_page(request, code, done=done))


@require_POST
def unpay_dues(request: HttpRequest, code: str) -> HttpResponse:
    """Take back a payment that was made for this game; it stays visible in the accounts."""
    game_page = _open(request, code)
    payment = payment_beside(game_page, row_id(request.POST.get("payment", "")))
    if payment is None:
        raise Http404
    try:
        take_back(payment, by=user_of(request), role=game_page.role)
    except RuleError as refusal:
        return _refuse(request, code, refused_by(refusal, game_page))
    return redirect(_page(request, code, done=payment.pk))


def _open(request: HttpRequest, code: str) -> OpenGame:
    game_page = open_game(request, code, for_writing=True)
    accounts_open_to(request, game_page.table.code, for_writing=True)
    return game_page


def _is_from_result(request: HttpRequest) -> bool:
    """Return whether the HTML form was sent from the result page. The form's field `page` names its page."""
    return request.POST.get("page") == "settlement"


def _page(request: HttpRequest, code: str, *, done: int | None) -> str:
    """Return the address of the page that sent the HTML form.

    `done` is the primary key of the payment just recorded or taken back, which the page then mentions; None
    for no such payment.
    """
    page = reverse("settlement" if _is_from_result(request) else "dues", args=[code])
    return f"{page}?done={done}#owed" if done else page


def _refuse(request: HttpRequest, code: str, refused: Refused) -> HttpResponse:
    """Show the page that sent the HTML form again, with the refusal and the present dues."""
    game_page = open_game(request, code)
    return (show_settlement if _is_from_result(request) else _show_dues)(request, game_page, refused)


def _show_dues(request: HttpRequest, game_page: OpenGame, refused: Refused | None = None) -> HttpResponse:
    if not game_page.state.is_over:
        return redirect("sheet", game_page.game.code)
    shown_dues = dues_seen_by(request, game_page)
    context = {
        **game_page.context,
        "dues": shown_dues,
        "done": just_done(request, game_page, shown_dues),
        "page": "dues",
        "key": new_key(),
        "refused": refused,
    }
    return render(request, "games/money/dues.html", context, status=refused.status if refused else 200)
