"""The forms of the list of who pays whom: tick a debt, another payment, and *paid on the spot*."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.common.keys import KeyReused
from games.common.refused import CONFLICT, UNPROCESSABLE, Refused
from games.common.sent import LONGEST, sent_key, user_of, whole_number
from games.models import Payment, Role, Table
from games.money import payments
from games.money.balances import StaleAccounts
from games.money.booking import PaymentTyped
from games.money.pages.accounts import show_accounts
from games.money.pages.forms import payment_sheet
from games.money.pages.paying import is_about, read_payment, refused_at
from games.money.pages.questions import question_in_words
from games.money.pages.ticked import back_to, refuse
from games.money.payments import MoreThanOwed
from games.scoring.errors import RuleError
from games.tables.access import accounts_for
from games.tables.people import People


@require_POST
def tick(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record that a debt of the list was paid whole, in cash."""
    table, role = accounts_for(request.user, table_code)
    try:
        payment = _tick(request, table, role)
    except StaleAccounts:
        news = _("Not recorded: that is no longer owed. This is owed now.")
        return refuse(request, table, Refused(CONFLICT, news=news))
    except MoreThanOwed as question:
        return redirect("payment", table.code, question.payment)
    except RuleError as refusal:
        return refuse(request, table, refused_at(refusal, table))
    return back_to(request, payment)


def _tick(request: HttpRequest, table: Table, role: Role) -> Payment:
    by_slug = People.of(table).by_slug
    payer, payee = (by_slug.get(request.POST.get(field, "")) for field in ("payer", "payee"))
    version, claims = (
        whole_number(request.POST.get(field, ""), most_digits=LONGEST) for field in ("version", "claims")
    )
    if payer is None or payee is None:
        raise StaleAccounts
    return payments.tick(
        table, payer, payee, version=version, claims=claims, by=user_of(request), role=role, is_asking=True
    )


@require_POST
def pay(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a payment. A witness (a read-only user) records only payments that they made or received."""
    table, role = accounts_for(request.user, table_code)
    people = People.of(table)
    sure, read = "", read_payment(request.POST, table, people)
    try:
        if not isinstance(read, Refused):
            payment = _pay(request, table, role, read)
            return redirect(f"{reverse('accounts', args=[table_code])}?done={payment.pk}#debts")
        refused = read
    except MoreThanOwed as excess:
        refused = Refused(UNPROCESSABLE, {"sure": question_in_words(excess, table)})
        sure = is_about(excess)
    except (RuleError, KeyReused) as refusal:
        refused = refused_at(refusal, table)
    sheet = payment_sheet(request, table, people, refused, sure=sure)
    return show_accounts(request, table_code, pay=sheet)


def _pay(request: HttpRequest, table: Table, role: Role, typed: PaymentTyped) -> Payment:
    return payments.pay(
        table,
        typed.payer,
        typed.payee,
        typed.amount,
        method=typed.method,
        note=typed.note,
        day=typed.day,
        key=sent_key(request),
        by=user_of(request),
        role=role,
        is_asking=request.POST.get("sure") != is_about(typed),
    )
