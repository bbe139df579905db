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
from games.models import NOTE_LENGTH, Method, Table
from games.money import payments as services
from games.money.balances import People
from games.money.booking import newest_of
from games.money.dating import first_night
from games.nights import night_of
from games.people.access import accounts_open_to
from games.people.roles import WRITERS
from games.scoring.errors import RuleError
from games.shown.common.members import person_of
from games.shown.money import accounts as shown
from games.shown.money.questions import question_in_words
from games.views.common.opened import user_of
from games.views.common.paying import PAGE, asked_page, refused_at
from games.views.common.payment_form import is_about, read_payment
from games.views.common.recording import UNPROCESSABLE, Refused, sent_key
from games.views.money.accounts import row_of

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
        payment = services.pay(
            table,
            sent.payer,
            sent.payee,
            sent.amount,
            method=sent.method,
            note=sent.note,
            day=sent.day,
            key=sent_key(request),
            by=user_of(request),
            role=role,
            is_asking=request.POST.get("sure") != is_about(sent),
        )
    except services.MoreThanOwed as asked:
        return _show_form(request, table, question=question_in_words(asked, table), sure=is_about(asked))
    except (RuleError, KeyReused) as refusal:
        return _show_form(request, table, refused_at(refusal, table))
    return redirect(f"{reverse('accounts', args=[table_code])}?done={payment.pk}#debts")


def _show_form(
    request: HttpRequest,
    table: Table,
    refused: Refused | None = None,
    *,
    question: str = "",
    sure: str = "",
) -> HttpResponse:
    """Show the HTML form, with its errors or with the question about a payment of more than is owed.

    `sure` is the value with which the form answers yes to the question.
    """
    people = People.of(table)
    context = {
        "table": table,
        "people": [person_of(member) for member in people.own],
        "sent": _filled_in(request, people),
        "methods": [(method, shown.method_in_words(method)) for method in Method],
        "first_day": first_night(table).isoformat(),
        "last_day": night_of(now(), table).isoformat(),
        "longest": NOTE_LENGTH,
        "key": new_key(),
        "asked": question,
        "sure": sure,
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside(*FIELDS),
    }
    status = refused.status if refused else UNPROCESSABLE if question else 200
    return render(request, "games/money/pay.html", context, status=status)


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
    """List the payments and shared costs, newest first, including those taken back."""
    table, role = accounts_open_to(request, table_code)
    people, page = People.of(table), asked_page(request)
    rows, has_older = newest_of(table, start=(page - 1) * PAGE, count=PAGE)
    context = {
        "table": table,
        "may_write": role in WRITERS,
        "rows": [row_of(row, people, table) for row in rows],
        "older": page + 1 if has_older else None,
        "newer": page - 1 if page > 1 else None,
    }
    return render(request, "games/money/payments.html", context)
