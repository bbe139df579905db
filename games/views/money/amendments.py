"""The HTML form to amend a payment."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games.models import Payment, Role
from games.money.amendments import amend, amendments_of
from games.money.balances import People, StaleAccounts
from games.money.payments import is_own_claim
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.money.accounts import payment_in_words
from games.shown.money.steps import words_typed
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.payment_form import WORDS, read_words
from games.views.common.recording import Refused, sent_after
from games.views.money.payment import payment_or_404
from games.views.money.payments import fields_shown


@require_http_methods(["GET", "HEAD", "POST"])
def amend_payment(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Amend the amount, method, note or day of a payment; the earlier values stay visible."""
    table, role = accounts_open_to(request, table_code)
    payment = payment_or_404(table, number)
    if role not in WRITERS and not is_own_claim(payment, user_of(request)):
        accounts_open_to(request, table_code, for_writing=True)
        raise PermissionDenied
    if request.method != "POST":
        return _show_form(request, role, payment)
    words = read_words(request.POST, table)
    if isinstance(words, Refused):
        return _show_form(request, role, payment, words)
    by, after, text = user_of(request), sent_after(request), request.POST.get("text", "")
    try:
        amend(payment, words, after=after, by=by, is_keeper=role in WRITERS, text=text)
    except (RuleError, StaleAccounts) as refusal:
        payment.refresh_from_db()
        return _show_form(request, role, payment, refused_at(refusal, table))
    return redirect(f"{reverse('payment', args=[table_code, number])}?done=amended")


def _show_form(
    request: HttpRequest, role: Role, payment: Payment, refused: Refused | None = None
) -> HttpResponse:
    table = payment.table
    says = words_typed(payment, table)
    context = {
        "table": table,
        "payment": payment,
        "title": payment_in_words(payment, People.of(table)),
        "sent": {**says, **{field: request.POST[field] for field in WORDS if field in request.POST}},
        "text": request.POST.get("text", ""),
        "after": len(amendments_of(payment)),
        **fields_shown(table, role),
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside(*WORDS, "text"),
    }
    status = refused.status if refused else 200
    return render(request, "games/money/amend_payment.html", context, status=status)
