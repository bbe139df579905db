"""The payments of a table: the HTML form for a new payment, and the list.

`payment.py` has the page of each payment.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_http_methods

from games.keys import KeyReused, new_key
from games.models import NOTE_LENGTH, Game, Method, Payment, Role, Table
from games.money import payments as services
from games.money.balances import People
from games.money.booking import PaymentFact
from games.money.dating import first_night
from games.nights import night_of
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.members import person_of
from games.shown.money import accounts as shown
from games.views.common.opened import user_of
from games.views.common.paying import PAGE, asked_page, refused_at
from games.views.common.payment_form import is_about, read_payment
from games.views.common.recording import UNPROCESSABLE, Refused, sent_key

FIELDS = ("payer", "payee", "amount", "method", "note", "day")


@require_http_methods(["GET", "HEAD", "POST"])
def pay(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a payment; the query string can fill in the HTML form.

    A witness (a read-only user) records only payments that they made or received.
    """
    table, role = accounts_open_to(request, table_code)
    sent = read_payment(request.POST, table, People.of(table)) if request.method == "POST" else None
    if sent is None or isinstance(sent, Refused):
        return _show_form(request, table, sent)
    try:
        payment = _record(request, table, role, sent)
    except services.Unusual as unusual:
        question = shown.question_in_words(unusual, sent.payer, sent.amount, table)
        return _show_form(request, table, question=question, sure=is_about(sent))
    except (RuleError, KeyReused) as refusal:
        return _show_form(request, table, refused_at(refusal, table))
    game = ticked_for(request, table)
    if game is not None:
        return redirect(f"{reverse('settlement', args=[game.code])}?done={payment.pk}#owed")
    return redirect(f"{reverse('accounts', args=[table_code])}?done={payment.pk}")


def _record(request: HttpRequest, table: Table, role: Role, fact: PaymentFact) -> Payment:
    return services.pay(
        table,
        fact.payer,
        fact.payee,
        fact.amount,
        method=fact.method,
        note=fact.note,
        day=fact.paid_on,
        key=sent_key(request),
        by=user_of(request),
        role=role,
        is_asking=request.POST.get("sure") != is_about(fact),
    )


def ticked_for(request: HttpRequest, table: Table) -> Game | None:
    """Return the game whose result page sent the payment; None if another page did."""
    return table.games.filter(code=request.POST.get("game", "")).first()


def _show_form(
    request: HttpRequest,
    table: Table,
    refused: Refused | None = None,
    *,
    question: str = "",
    sure: str = "",
) -> HttpResponse:
    """Show the HTML form, with its errors or with a question about an unusual payment.

    `sure` is the value with which the form answers yes to the question.
    """
    people = People.of(table)
    context = {
        "table": table,
        "people": [person_of(member) for member in people.own],
        "sent": _filled_in(request, people),
        **_limits(table),
        "key": new_key(),
        "game": ticked_for(request, table),
        "asked": question,
        "sure": sure,
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside(*FIELDS),
    }
    status = refused.status if refused else UNPROCESSABLE if question else 200
    return render(request, "games/money/pay.html", context, status=status)


def _limits(table: Table) -> dict[str, object]:
    """Return the methods to choose from, the first and last day of a payment, and the length of a note."""
    return {
        "methods": [(method, shown.method_in_words(method)) for method in Method if method.is_by_hand],
        "first_day": first_night(table).isoformat(),
        "last_day": night_of(now(), table).isoformat(),
        "longest": NOTE_LENGTH,
    }


def _filled_in(request: HttpRequest, people: People) -> dict[str, str]:
    """Return the values of the form. A new one has the user as the payer, if they are a member, and cash."""
    sent = request.POST if request.method == "POST" else request.GET
    own = [member.slug for member in people.own if member.is_of(user_of(request))]
    return {
        "method": Method.CASH,
        **({"payer": own[0]} if own and request.method != "POST" else {}),
        **{field: sent[field] for field in FIELDS if field in sent},
    }


@require_GET
def payments(request: HttpRequest, table_code: str) -> HttpResponse:
    """List the payments, newest first, including those taken back."""
    table, role = accounts_open_to(request, table_code)
    people, page = People.of(table), asked_page(request)
    start = (page - 1) * PAGE
    rows = list(table.payments.all()[start : start + PAGE + 1])
    context = {
        "table": table,
        "may_write": role in WRITERS,
        "payments": [shown.payment_row(payment, people, table) for payment in rows[:PAGE]],
        "older": page + 1 if len(rows) > PAGE else None,
        "newer": page - 1 if page > 1 else None,
    }
    return render(request, "games/money/payments.html", context)
