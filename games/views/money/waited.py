"""Payments that waited on a phone without a network, recorded as facts whatever happened since."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from games.keys import KeyReused
from games.models import Method, Table
from games.money.balances import People
from games.money.booking import TakenBack
from games.money.payments import note_payment
from games.money.ticks import note_tick
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.views.common.opened import open_game, user_of
from games.views.common.paying import refused_at
from games.views.common.queueing import own_only, told_in_words
from games.views.common.recording import Refused, sent_after, sent_key
from games.views.money.payments import read_payment, ticked_for


@require_POST
@told_in_words
def queued_payment(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a waiting payment, without asking back. Answer 200 with its key, or the refusal."""
    table, role = accounts_open_to(request, table_code)
    own_only(request)
    sent = read_payment(request.POST, table, People.of(table))
    if isinstance(sent, Refused):
        return _tell(sent)
    key, by, game = sent_key(request), user_of(request), ticked_for(request, table)
    is_claimed = role not in WRITERS
    try:
        note_payment(table, *sent.what, **sent.how, key=key, by=by, on_result_of=game, is_claimed=is_claimed)
    except (RuleError, KeyReused) as refusal:
        return _refuse(refusal, table)
    return _known(request)


@require_POST
@told_in_words
def queued_dues(request: HttpRequest, code: str) -> HttpResponse:
    """Record a waiting tick of the pair and amount it names. Answer 200 with its key, or the refusal."""
    game_page = open_game(request, code, for_writing=True)
    accounts_open_to(request, game_page.table.code, for_writing=True)
    own_only(request)
    typed = {**request.POST.dict(), "method": Method.CASH.value}
    sent = read_payment(typed, game_page.table, People.of(game_page.table))
    if isinstance(sent, Refused):
        return _tell(sent)
    after, key, by = sent_after(request), sent_key(request), user_of(request)
    try:
        note_tick(game_page.game, *sent.what, after=after, key=key, by=by)
    except (RuleError, KeyReused) as refusal:
        return _refuse(refusal, game_page.table)
    return _known(request)


def _known(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"key": sent_key(request)})


def _refuse(refusal: RuleError | KeyReused, table: Table) -> HttpResponse:
    """Answer why it was refused. With `spent` the phone sends the entry again under a new key."""
    return _tell(refused_at(refusal, table), **({"spent": True} if isinstance(refusal, TakenBack) else {}))


def _tell(refused: Refused, **more: bool) -> HttpResponse:
    sentences = [*refused.errors.values(), *refused.notice]
    return JsonResponse({"sentences": sentences, **more}, status=refused.status)
