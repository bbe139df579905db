"""The page of one payment: its fields and its history.

A claimed payment was entered by a payer with read-only access. It counts once somebody confirms it.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.models import NOTE_LENGTH, Payment, Role, Table
from games.money import payments as services
from games.money.amendments import amendments_of
from games.money.balances import People
from games.money.dues import dues_of
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.amounts import money
from games.shown.common.days import late_arrival, moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.common.played import game_in_words, game_page
from games.shown.money import accounts as shown
from games.shown.money.steps import steps_shown, words_typed
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import Refused


@require_GET
def payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Show a payment: payer, payee, amount, the user who recorded it, and its history, such as amendments."""
    table, role = accounts_open_to(request, table_code)
    return show_payment(request, role, payment_or_404(table, number))


@require_POST
def cancel_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Cancel a wrong payment. A payer who may not record can withdraw their own claimed payment."""
    table, role = accounts_open_to(request, table_code)
    payment = payment_or_404(table, number)
    if role in WRITERS:
        return _act(request, role, payment, services.cancel, text=request.POST.get("text", ""))
    if not services.is_own_claim(payment, user_of(request)):
        accounts_open_to(request, table_code, for_writing=True)
    return _act(request, role, payment, services.withdraw)


@require_POST
def confirm_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Confirm a payment as its payee, or accept a claimed payment as a user who may record."""
    table, role = accounts_open_to(request, table_code)
    payment = payment_or_404(table, number)
    is_keeper = role in WRITERS and payment.is_claimed and not _is_payee(request, payment)
    return _act(request, role, payment, services.accept if is_keeper else services.confirm)


@require_POST
def dispute_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Dispute a payment as its payee."""
    table, role = accounts_open_to(request, table_code)
    objection = request.POST.get("objection", "")
    return _act(request, role, payment_or_404(table, number), services.dispute, objection=objection)


@require_POST
def uphold_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Uphold a disputed payment, with an answer to the payee."""
    table, role = accounts_open_to(request, table_code, for_writing=True)
    text = request.POST.get("text", "")
    return _act(request, role, payment_or_404(table, number), services.uphold, text=text)


def _act(
    request: HttpRequest, role: Role, payment: Payment, act: Callable[..., Payment], **fields: str
) -> HttpResponse:
    try:
        act(payment, by=user_of(request), **fields)
    except RuleError as refusal:
        payment.refresh_from_db()
        return show_payment(request, role, payment, refused_at(refusal, payment.table))
    return redirect("payment", payment.table.code, payment.pk)


def payment_or_404(table: Table, number: int) -> Payment:
    """Return the payment with this primary key; raise Http404 if the table has none."""
    payments = table.payments.select_related("table", "game", "recorded_by", "cancelled_by")
    return get_object_or_404(payments, pk=number)


def _is_payee(request: HttpRequest, payment: Payment) -> bool:
    return People.of(payment.table).by_pk[payment.payee_id].is_of(user_of(request))


def show_payment(
    request: HttpRequest, role: Role, payment: Payment, refused: Refused | None = None
) -> HttpResponse:
    """Show the payment and the actions that the user may take."""
    table, people = payment.table, People.of(payment.table)
    context = {
        "table": table,
        "payment": payment,
        "payer": person_of(people.by_pk[payment.payer_id]),
        "payee": person_of(people.by_pk[payment.payee_id]),
        **_fields_of(payment, people),
        **_offered(request, role, payment, people),
        "undo": _undo(request, payment),
        "longest": NOTE_LENGTH,
        "objection": request.POST.get("objection", ""),
        "text": request.POST.get("text", ""),
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("objection", "text"),
    }
    return render(request, "games/money/payment.html", context, status=refused.status if refused else 200)


def _offered(request: HttpRequest, role: Role, payment: Payment, people: People) -> dict[str, object]:
    """Return the template variables that say what the user may do with the payment, e.g. `may_cancel`."""
    user, is_keeper = user_of(request), role in WRITERS
    stands, is_confirmed = payment.cancelled_at is None, payment.confirmed_at is not None
    is_payees = people.by_pk[payment.payee_id].is_of(user) and stands
    is_own_claim = services.is_own_claim(payment, user)
    may_change = (is_keeper or is_own_claim) and stands and not is_confirmed
    return {
        "may_cancel": may_change,
        "is_own_claim": is_own_claim and not is_keeper,
        "may_amend": may_change,
        "may_answer": is_keeper and payment.is_disputed,
        "may_accept": is_keeper and payment.stands and payment.is_claimed and not is_payees,
        "again": _again(payment, people) if is_keeper and not stands else "",
        "may_confirm": is_payees and not is_confirmed,
        "may_dispute": is_payees and payment.disputed_at is None,
    }


def _undo(request: HttpRequest, payment: Payment) -> dict[str, object] | None:
    """Return the template variables of the form that undoes an amendment.

    Return None unless the payment was just amended, and neither cancelled nor confirmed since.
    """
    steps = amendments_of(payment) if request.GET.get("done") == "amended" else ()
    if not steps or payment.cancelled_at is not None or payment.confirmed_at is not None:
        return None
    return {
        "said": _("Amended. The earlier version stays visible."),
        "action": reverse("amend-payment", args=[payment.table.code, payment.pk]),
        "fields": {**words_typed(steps[-1], payment.table), "after": len(steps)},
    }


def _fields_of(payment: Payment, people: People) -> dict[str, object]:
    """Return the template variables of the payment: amount, method, dates, names, game, state and steps."""
    state, tone = shown.state_in_words(payment, people)
    table = payment.table
    return {
        "amount": money(payment.amount, table),
        "kind": shown.payment_kind(payment),
        "method": shown.method_in_words(payment.method),
        "made": shown.paid_in_words(payment, table),
        "recorded": _recorded_in_words(payment),
        "by": known_as(payment.recorded_by, people),
        "cancelled": payment.cancelled_at and moment_in_words(payment.cancelled_at, table),
        "cancelled_by": payment.cancelled_by and known_as(payment.cancelled_by, people),
        "game": payment.game and game_in_words(payment.game),
        "game_href": payment.game and game_page(payment.game),
        "waits": payment.stands and payment.is_claimed,
        "steps": steps_shown(payment, people),
        "state": state,
        "tone": tone,
    }


def _recorded_in_words(payment: Payment) -> str:
    """Return when the payment was recorded, or reached the site from a phone that was offline.

    Return "" for a payment that was neither dated back nor late: it was recorded when it was made, and the
    page shows that moment already.
    """
    recorded_at = late_arrival(payment) or (payment.recorded_at if payment.paid_on else None)
    return moment_in_words(recorded_at, payment.table) if recorded_at else ""


def _again(payment: Payment, people: People) -> str:
    """Return the address of the page on which a cancelled payment can be recorded again.

    It is the page of the payment's game if the payer still owes the payee something there, else the form for
    a new payment. Return "" if payer and payee have been merged.
    """
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    if payer == payee:
        return ""
    due = dues_of(payment.game, payment.game.state()).to_tick if payment.game else ()
    if payment.game and any((line.payer, line.payee) == (payer, payee) for line in due):
        return game_page(payment.game)
    more = {"day": payment.paid_on.isoformat()} if payment.paid_on else {}
    return shown.pay_page(
        payment.table,
        payer,
        payee,
        payment.amount,
        method=payment.method,
        note=payment.note,
        **more,
    )
