"""The page of one payment: its fields, what was done to it, and the answers of its payee."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.models import NOTE_LENGTH, Payment, Role, Table
from games.money import payments as services
from games.money.balances import People
from games.money.dues import dues_of
from games.names import isolated
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.amounts import money
from games.shown.common.days import late_arrival, moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.common.played import game_in_words, game_page
from games.shown.money import accounts as shown
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import Refused


@require_GET
def payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Show a payment: payer, payee, amount, the user who recorded it, and what was done to it since."""
    table, role = accounts_open_to(request, table_code)
    return _show_payment(request, role, _payment_or_404(table, number))


@require_POST
def take_back_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Take back a wrong payment."""
    table, role = accounts_open_to(request, table_code)
    reason = request.POST.get("reason", "")
    return _act(request, role, _payment_or_404(table, number), services.take_back, role=role, reason=reason)


@require_POST
def confirm_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Confirm a claimed or disputed payment, as its payee or as a user who may record."""
    table, role = accounts_open_to(request, table_code)
    return _act(request, role, _payment_or_404(table, number), services.confirm, role=role)


@require_POST
def dispute_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Say as the payee that the money did not arrive."""
    table, role = accounts_open_to(request, table_code)
    objection = request.POST.get("objection", "")
    return _act(request, role, _payment_or_404(table, number), services.dispute, objection=objection)


def _act(
    request: HttpRequest, role: Role, payment: Payment, act: Callable[..., Payment], /, **fields: str
) -> HttpResponse:
    try:
        act(payment, by=user_of(request), **fields)
    except RuleError as refusal:
        payment.refresh_from_db()
        return _show_payment(request, role, payment, refused_at(refusal, payment.table))
    return redirect("payment", payment.table.code, payment.pk)


def _payment_or_404(table: Table, number: int) -> Payment:
    payments = table.payments.select_related(
        "table", "game", "recorded_by", "confirmed_by", "disputed_by", "ended_by"
    )
    return get_object_or_404(payments, pk=number)


def _show_payment(
    request: HttpRequest, role: Role, payment: Payment, refused: Refused | None = None
) -> HttpResponse:
    people = People.of(payment.table)
    context = {
        "table": payment.table,
        "payment": payment,
        **_fields_of(payment, people),
        **_offered(request, role, payment, people),
        "longest": NOTE_LENGTH,
        "typed": request.POST,
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("objection", "reason"),
    }
    return render(request, "games/money/payment.html", context, status=refused.status if refused else 200)


def _offered(request: HttpRequest, role: Role, payment: Payment, people: People) -> dict[str, object]:
    """Return the template variables that say what the user may do with the payment."""
    user = user_of(request)
    acts = services.acts_of(payment, people, by=user, role=role)
    is_over = payment.ended_at is not None
    return {
        "acts": acts,
        "is_payee": people.by_pk[payment.payee_id].is_of(user),
        "may_dispute": acts.may_dispute and not services.is_free(payment, user),
        "again": _again(payment, people) if is_over and role in WRITERS else "",
    }


def _fields_of(payment: Payment, people: People) -> dict[str, object]:
    """Return the template variables of the payment: amount, method, dates, names, game and state."""
    state, tone = shown.state_in_words(payment, people)
    table = payment.table
    return {
        "payer": person_of(people.by_pk[payment.payer_id]),
        "payee": person_of(people.by_pk[payment.payee_id]),
        "amount": money(payment.amount, table),
        "kind": shown.payment_kind(payment),
        "method": shown.method_in_words(payment.method),
        "made": shown.paid_in_words(payment, table),
        "recorded": _recorded_in_words(payment),
        "by": known_as(payment.recorded_by, people),
        "game": payment.game and game_in_words(payment.game),
        "game_href": payment.game and game_page(payment.game),
        "happened": list(_happened(payment, people)),
        "state": state,
        "tone": tone,
        "is_void": shown.is_void(payment),
    }


def _happened(payment: Payment, people: People) -> Iterator[tuple[str, str, str]]:
    """Yield what was done to the payment: the act, its moment and user in words, and what the user wrote."""
    for act, done_at, user, text in (
        (_("Didn't arrive"), payment.disputed_at, payment.disputed_by, payment.objection),
        (_("Confirmed"), payment.confirmed_at, payment.confirmed_by, ""),
        (_("Taken back"), payment.ended_at, payment.ended_by, payment.reason),
    ):
        if done_at is not None and user is not None:
            name = isolated(known_as(user, people))
            yield act, ", ".join(filter(None, (moment_in_words(done_at, payment.table), name))), text


def _recorded_in_words(payment: Payment) -> str:
    """Return when the payment was recorded, or reached the site from a phone that was offline.

    Return "" for a payment that was neither dated back nor late: it was recorded when it was made, and the
    page shows that moment already.
    """
    recorded_at = late_arrival(payment) or (payment.recorded_at if payment.paid_on else None)
    return moment_in_words(recorded_at, payment.table) if recorded_at else ""


def _again(payment: Payment, people: People) -> str:
    """Return the address of the page on which an ended payment can be recorded again.

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
