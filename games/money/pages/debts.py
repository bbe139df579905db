"""The forms of the accounts: tick a debt, another payment, an expense for several."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.common.locks import KeyReused
from games.common.sent import CONFLICT, LONGEST, UNPROCESSABLE, Refused, sent_key, user_of, whole_number
from games.common.typed import read_day, read_typed
from games.models import Method, Payment, Role, Table
from games.money import costs, payments
from games.money.balances import StaleAccounts
from games.money.costs import CostWords
from games.money.pages import paying
from games.money.pages.accounts import show_accounts
from games.money.pages.rows import question_in_words
from games.money.pages.sharing import read_borne
from games.money.pages.ticked import back_to, refuse
from games.money.payments import MoreThanOwed
from games.scoring.errors import RuleError
from games.tables.access import accounts_for
from games.tables.people import People


@require_POST
def tick(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record that a debt of the list was paid whole."""
    table, role = accounts_for(request.user, table_code)
    try:
        payment = _tick(request, table, role)
    except StaleAccounts:
        news = _("Not recorded: that is no longer owed. This is owed now.")
        return refuse(request, table, Refused(CONFLICT, news=news))
    except MoreThanOwed as question:
        return redirect("payment", table.code, question.payment)
    except RuleError as refusal:
        return refuse(request, table, paying.refused_at(refusal, table))
    return back_to(request, payment)


def _tick(request: HttpRequest, table: Table, role: Role) -> Payment:
    by_slug = People.of(table).by_slug
    payer, payee = (by_slug.get(request.POST.get(field, "")) for field in ("payer", "payee"))
    version, claims = (
        whole_number(request.POST.get(field, ""), most_digits=LONGEST) for field in ("version", "claims")
    )
    if payer is None or payee is None:
        raise StaleAccounts
    sent = request.POST.get("method")
    return payments.tick(
        table,
        payer,
        payee,
        version=version,
        claims=claims,
        by=user_of(request),
        role=role,
        method=Method(sent) if sent in (Method.CASH, Method.TRANSFER) else None,
        is_asking=True,
    )


@require_POST
def pay(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a payment. A witness (a read-only user) records only payments that they made or received."""
    table, role = accounts_for(request.user, table_code)
    people = People.of(table)
    sure, read = "", paying.read_payment(request.POST, table, people)
    try:
        if not isinstance(read, Refused):
            payment = payments.pay(table, **read, key=sent_key(request), by=user_of(request), role=role)
            return redirect(f"{reverse('accounts', args=[table_code])}?done={payment.pk}#debts")
        refused = read
    except MoreThanOwed as excess:
        refused = Refused(UNPROCESSABLE, {"sure": question_in_words(excess, table)})
        sure = paying.is_about(excess.payer, excess.payee, excess.amount)
    except (RuleError, KeyReused) as refusal:
        refused = paying.refused_at(refusal, table)
    sheet = paying.payment_sheet(request, table, people, refused, sure=sure)
    return show_accounts(request, table_code, pay=sheet)


# --- recording a shared cost ------------------------------------------------------------------------------------------


@require_POST
def share_cost(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a shared cost of a night, or an amount of a debt that several forgive."""
    table, _role = accounts_for(request.user, table_code, for_writing=True)
    people = People.of(table)
    try:
        read = _read_cost(request.POST, table, people)
        if not isinstance(read, Refused):
            cost = costs.share_cost(table, *read, key=sent_key(request), by=user_of(request))
            return redirect(f"{reverse('accounts', args=[table_code])}?shared={cost.pk}#debts")
        refused = read
    except (RuleError, KeyReused) as refusal:
        refused = paying.refused_at(refusal, table)
    sheet = paying.expense_sheet(request, table, people, refused)
    return show_accounts(request, table_code, expense=sheet)


def _read_cost(sent: Mapping[str, str], table: Table, people: People) -> tuple[date, CostWords] | Refused:
    """Return the night and the shared cost in the form data, or the errors by field.

    Raise RuleError if what each bears is wrong.
    """
    payer, amount = people.by_slug.get(sent.get("payer", "")), read_typed(sent, table)
    night, errors = read_day(sent.get("night", "")), {}
    if payer is None:
        errors["payer"] = _("Choose who paid.")
    if not amount:
        errors["amount"] = paying.wrong_paid(sent, table)
    if night is None:
        errors["night"] = paying.wrong_day()
    if errors or payer is None or not amount or night is None:
        return Refused(UNPROCESSABLE, errors)
    borne = read_borne(sent, payer, amount, table, people)
    return night, CostWords(payer, amount, borne, sent.get("note", ""), is_forgiven="forgiven" in sent)
