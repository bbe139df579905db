"""What is still to be paid for one game: ticked off line by line, or all of it as cash on the table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from games.access import accounts_open_to
from games.dues import dues_of
from games.payments import pay_on_the_spot
from games.scoring.errors import RuleError
from games.services import KeyReused, StaleGame
from games.shown.dues import dues_shown
from games.views.opened import OpenGame, open_game, user_of
from games.views.recording import Refused, new_key, refused_by, sent_after, sent_key


@require_GET
def dues(request: HttpRequest, code: str) -> HttpResponse:
    """Who still pays whom for this game alone."""
    return _show(request, _open(request, code))


@require_POST
def pay_dues(request: HttpRequest, code: str) -> HttpResponse:
    """Notes as paid, in cash, the line of a payer and a payee, or without them everything."""
    opened = _open(request, code)
    payer, payee = request.POST.get("payer", ""), request.POST.get("payee", "")
    try:
        pay_on_the_spot(
            opened.game,
            after=sent_after(request),
            key=sent_key(request),
            by=user_of(request),
            only=(payer, payee) if payer or payee else None,
        )
    except (RuleError, KeyReused, StaleGame) as refusal:
        return _show(request, _open(request, code), refused_by(refusal, opened))
    return redirect("dues", code)


def _open(request: HttpRequest, code: str) -> OpenGame:
    opened = open_game(request, code, for_writing=True)
    accounts_open_to(request, opened.table.code, for_writing=True)
    return opened


def _show(request: HttpRequest, opened: OpenGame, refused: Refused | None = None) -> HttpResponse:
    if not opened.state.is_over:
        return redirect("sheet", opened.game.code)
    context = {
        **opened.context,
        "dues": dues_shown(dues_of(opened.game, opened.state), opened.table),
        "key": new_key(),
        "refused": refused,
    }
    return render(request, "games/dues.html", context, status=refused.status if refused else 200)
