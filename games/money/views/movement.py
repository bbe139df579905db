"""The page of a payment: its history, and the actions of the user. The page of an expense has the same parts."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.common import days, naming, request_handling, roles
from games.models import Method, Payment, Role, Table
from games.money.forms import MovementActionForm
from games.money.presenters import account_display, payment_questions
from games.money.services import payments
from games.money.views.debt_pages import ask, redirect_back, refusal_for, show_refusal, undo_act
from games.scoring.errors import RuleError
from games.tables.services import authorization, roster, users
from games.tables.services.roster import People


@request_handling.require_form
def payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Show a payment. On POST, take the action `act`: confirm, dispute, void, change the method, and so on.

    Confirming an overpayment asks first. A list that undoes a payment sends its `page`, and the response
    returns there.
    """
    table, role = authorization.get_accounts(request.user, table_code)
    rows = table.payments.select_related("table", "recorded_by", "confirmed_by", "disputed_by", "ended_by")
    payment = get_object_or_404(rows, pk=number)
    if request.method != "POST":
        return _show_payment(request, role, payment, MovementActionForm(initial={"note": payment.note}))
    form = MovementActionForm({"note": payment.note, **request.POST.dict()})
    is_of_list, act = "page" in request.POST, request.POST.get("act")
    try:
        _apply_action(request, role, payment)
    except payments.MoreThanOwed as excess:
        if is_of_list:
            return ask(request, excess, table, request.path, "act")
        form.question = payment_questions.question_sentence(excess, table)
    except RuleError as refusal:
        if is_of_list:
            return show_refusal(request, table, refusal_for(refusal, table))
        form.refuse(refusal)
        payment.refresh_from_db()
    else:
        if is_of_list:
            return redirect_back(request, payment, is_news=act != "see")
        return redirect("payment", table_code, number)
    return _show_payment(request, role, payment, form)


def _apply_action(request: HttpRequest, role: Role, payment: Payment) -> None:
    data, user = request.POST, request_handling.current_user(request)
    match data.get("act"):
        case "confirm":
            payments.confirm(payment, by=user, role=role, is_asking=not data.get("sure"))
        case "unconfirm":
            payments.undo_confirmation(payment, by=user)
        case "undo-denial":
            payments.undo_denial(payment, by=user)
        case "dispute":
            payments.dispute(payment, by=user, objection=data.get("objection", ""))
        case "take-back":
            payments.void(payment, by=user, role=role, reason=data.get("reason", ""))
        case "see":
            payments.mark_seen(payment, by=user)
        case "change" if data.get("method") in set(Method):
            payments.change_method(payment, Method(data["method"]), data.get("note"), by=user)


def _show_payment(
    request: HttpRequest, role: Role, payment: Payment, form: MovementActionForm
) -> HttpResponse:
    table, people, user = payment.table, People.of(payment.table), request_handling.current_user(request)
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    acts = payments.permissions_for(payment, people, by=user, role=role)
    is_over, is_payee = payment.ended_at is not None, payee.belongs_to(user)
    context = {
        "title": account_display.payment_title(payment),
        "payer": roster.to_person(payer),
        "payee": roster.to_person(payee),
        "row": account_display.payment_item(payment, people, table),
        "is_over": is_over,
        "facts": list(_facts(payment, people)),
        "acts": acts,
        "is_payee": is_payee,
        "is_claimed": payment.is_claim and not payment.counts,
        "waits": not is_over and not payment.counts and not is_payee,
        "may_dispute": acts.can_dispute and not payments.can_undo_freely(payment, user),
        "again": _repeat_url(payment, people) if is_over and role in roles.WRITERS else "",
        "undo": undo_act(payment, people, user),
        "method": payment.method,
        "methods": account_display.allowed_methods(payment, user),
    }
    return show(request, table, context, form)


def show(
    request: HttpRequest, table: Table, context: dict[str, object], form: MovementActionForm
) -> HttpResponse:
    context |= {"table": table, "action": request.path, "form": form}
    return render(request, "money/movement.html", context, status=form.status)


def _facts(payment: Payment, people: People) -> Iterator[tuple[str, str]]:
    table = payment.table
    yield _("How"), account_display.method_label(payment.method)
    yield _("When"), capfirst(account_display.paid_on_label(payment, table))
    # The recording time is shown only if it differs from the payment's time.
    recorded_at = days.late_arrival(payment) or (payment.recorded_at if payment.paid_on else None)
    if recorded := action_label(recorded_at, payment.recorded_by, people, table):
        yield (_("Recorded") if recorded_at else _("Recorded by")), recorded
    if payment.note:
        yield _("Note"), payment.note
    for act, done_at, user, text in (
        (_("Didn't arrive"), payment.disputed_at, payment.disputed_by, payment.objection),
        (_("Confirmed"), payment.confirmed_at, payment.confirmed_by, ""),
        (_("Voided"), payment.ended_at, payment.ended_by, payment.reason),
    ):
        if done_at is not None:
            yield act, action_label(done_at, user, people, table, text)


def action_label(at: datetime | None, by: User | None, people: People, table: Table, text: str = "") -> str:
    name = naming.isolate(users.name_at_table(by, people)) if by else ""
    done = ", ".join(filter(None, (days.format_datetime(at, table) if at else "", name)))
    return capfirst(": ".join(filter(None, (done, text))))


def _repeat_url(payment: Payment, people: People) -> str:
    """Return the URL of the form prefilled with this ended payment, "" if the two were merged since."""
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    if payer == payee:
        return ""
    more = {"day": payment.paid_on.isoformat()} if payment.paid_on else {}
    return account_display.pay_url(
        payment.table, payer, payee, payment.amount, method=payment.method, note=payment.note, **more
    )
