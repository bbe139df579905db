"""Payments that waited on a phone without a network: recorded as the facts they are, whatever happened since."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from games.keys import KeyReused
from games.models import Method, Table
from games.money import payments as services
from games.money.balances import People
from games.money.payments import TakenBack
from games.people.access import accounts_open_to
from games.scoring.errors import RuleError
from games.views.common.opened import open_game, user_of
from games.views.common.paying import refused_at
from games.views.common.queueing import own_only, told_in_words
from games.views.common.recording import Refused, sent_after, sent_key
from games.views.money.payments import read_payment, ticked_for


@require_POST
@told_in_words
def queued_payment(request: HttpRequest, table_code: str) -> HttpResponse:
    """Records a payment of the accounts; 200 with its key, or why it was refused. It is never asked about."""
    table, _role = accounts_open_to(request, table_code, for_writing=True)
    own_only(request)
    read = read_payment(request.POST, table, People.of(table))
    if isinstance(read, Refused):
        return _tell(read)
    payer, payee, amount, method = read
    note, key, by = request.POST.get("note", ""), sent_key(request), user_of(request)
    game = ticked_for(request, table)
    try:
        services.note_payment(
            table, payer, payee, amount, method=method, note=note, key=key, by=by, on_result_of=game
        )
    except (RuleError, KeyReused) as refusal:
        return _refuse(refusal, table)
    return _known(request)


@require_POST
@told_in_words
def queued_dues(request: HttpRequest, code: str) -> HttpResponse:
    """Records the tick at a line of a game, pair and amount as they stood on the phone; 200 with its key, or why not."""
    opened = open_game(request, code, for_writing=True)
    accounts_open_to(request, opened.table.code, for_writing=True)
    own_only(request)
    sent = {**request.POST.dict(), "method": Method.CASH.value}
    read = read_payment(sent, opened.table, People.of(opened.table))
    if isinstance(read, Refused):
        return _tell(read)
    payer, payee, amount, _method = read
    after, key, by = sent_after(request), sent_key(request), user_of(request)
    try:
        services.note_tick(opened.game, payer, payee, amount, after=after, key=key, by=by)
    except (RuleError, KeyReused) as refusal:
        return _refuse(refusal, opened.table)
    return _known(request)


def _known(request: HttpRequest) -> HttpResponse:
    return JsonResponse({"key": sent_key(request)})


def _refuse(refusal: RuleError | KeyReused, table: Table) -> HttpResponse:
    """Why it was refused; with `spent` where its key was, so that the phone sends it again under another."""
    return _tell(refused_at(refusal, table), **({"spent": True} if isinstance(refusal, TakenBack) else {}))


def _tell(refused: Refused, **more: bool) -> HttpResponse:
    sentences = [*refused.errors.values(), *refused.notice]
    return JsonResponse({"sentences": sentences, **more}, status=refused.status)
