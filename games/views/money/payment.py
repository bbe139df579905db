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
from games.names import isolated
from games.people.access import accounts_open_to
from games.people.roles import WRITERS
from games.scoring.errors import RuleError
from games.shown.common.amounts import money
from games.shown.common.days import late_arrival, moment_in_words
from games.shown.common.members import known_as, person_of
from games.shown.money import accounts as shown
from games.shown.money.questions import question_in_words
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import UNPROCESSABLE, Refused


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
    """Confirm a claimed or disputed payment, as its payee or as a user who may record.

    If it is of more than is owed, ask first.
    """
    table, role = accounts_open_to(request, table_code)
    payment, is_sure = _payment_or_404(table, number), request.POST.get("sure") == "yes"
    try:
        return _act(request, role, payment, services.confirm, role=role, is_asking=not is_sure)
    except services.MoreThanOwed as asked:
        refused = Refused(UNPROCESSABLE, {"sure": question_in_words(asked, table)})
        return _show_payment(request, role, payment, refused)


@require_POST
def dispute_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Say as the payee that the money did not arrive."""
    table, role = accounts_open_to(request, table_code)
    objection = request.POST.get("objection", "")
    return _act(request, role, _payment_or_404(table, number), services.dispute, objection=objection)


def _act(
    request: HttpRequest, role: Role, payment: Payment, act: Callable[..., Payment], /, **fields: object
) -> HttpResponse:
    try:
        act(payment, by=user_of(request), **fields)
    except RuleError as refusal:
        payment.refresh_from_db()
        return _show_payment(request, role, payment, refused_at(refusal, payment.table))
    return redirect("payment", payment.table.code, payment.pk)


def _payment_or_404(table: Table, number: int) -> Payment:
    payments = table.payments.select_related(
        "table", "recorded_by", "confirmed_by", "disputed_by", "ended_by"
    )
    return get_object_or_404(payments, pk=number)


def _show_payment(
    request: HttpRequest, role: Role, payment: Payment, refused: Refused | None = None
) -> HttpResponse:
    table, people = payment.table, People.of(payment.table)
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    user = user_of(request)
    acts = services.acts_of(payment, people, by=user, role=role)
    is_over = payment.ended_at is not None
    context = {
        "table": table,
        "payment": payment,
        "payer": person_of(payer),
        "payee": person_of(payee),
        **_fields_of(payment, people),
        "acts": acts,
        "is_payee": payee.is_of(user),
        "may_dispute": acts.may_dispute and not services.is_free(payment, user),
        "again": _again(payment, people) if is_over and role in WRITERS else "",
        "asked": refused and refused.errors.get("sure"),
        "longest": NOTE_LENGTH,
        "typed": request.POST,
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("objection", "reason", "sure"),
    }
    return render(request, "games/money/payment.html", context, status=refused.status if refused else 200)


def _fields_of(payment: Payment, people: People) -> dict[str, object]:
    """Return the template variables of the payment: amount, method, dates, names and state."""
    state, tone = shown.state_in_words(payment, people)
    table = payment.table
    return {
        "amount": money(payment.amount, table),
        "kind": shown.payment_kind(payment),
        "method": shown.method_in_words(payment.method),
        "made": shown.paid_in_words(payment, table),
        "recorded": _recorded_in_words(payment),
        "by": known_as(payment.recorded_by, people),
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
    """Return the address of the form filled in like this ended payment; "" if its two people are one since."""
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    if payer == payee:
        return ""
    more = {"day": payment.paid_on.isoformat()} if payment.paid_on else {}
    return shown.pay_page(
        payment.table, payer, payee, payment.amount, method=payment.method, note=payment.note, **more
    )
