"""The accounts of a table (Cuentas): what waits for an answer, who pays whom, the balances, and all movements."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_POST, require_safe

from games.common import days, request_handling, roles
from games.common.locks import IdempotencyKeyReused
from games.common.request_handling import PageRefusal
from games.models import Member, Payment, Role, Table
from games.money import costs, payments, simplifying
from games.money import words as shown
from games.money.balances import Accounts, StaleAccounts, read_accounts, waiting_for
from games.money.booking import newest_of
from games.money.debt_rows import Reader, debts_shown
from games.money.evening import payments_of
from games.money.forms import ExpenseForm, PaymentForm, tick_method
from games.money.news import news_shown
from games.money.payments import MoreThanOwed
from games.money.statement import effects_of
from games.money.views.account import message_of
from games.money.views.nights import move_rows
from games.money.views.ticks import PAGE, asked_page, back_to, has_ticks, just_done, refuse, refused_at
from games.money.why import Why, why_of
from games.money.words import debts_in_words
from games.scoring.errors import RuleError
from games.tables.services import authorization
from games.tables.services.roster import People

ROWS_SHOWN = 5


@require_safe
def accounts(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the accounts; with a page in the query string, that page of the movements alone."""
    if "page" not in request.GET:
        return show_accounts(request, table_code)
    table, _role = authorization.get_accounts(request.user, table_code)
    page = asked_page(request)
    context = {
        "table": table,
        **_moves(People.of(table), table, start=(page - 1) * PAGE, count=PAGE),
        "page": page,
        "newer": page - 1 if page > 1 else None,
    }
    context["older"] = page + 1 if context["has_older"] else None
    return render(request, "money/accounts.html", context)


@has_ticks("accounts")
def show_accounts(
    request: HttpRequest,
    table_code: str,
    refusal: PageRefusal | None = None,
    *,
    pay: PaymentForm | None = None,
    expense: ExpenseForm | None = None,
) -> HttpResponse:
    """Show the accounts, with the refusal of a tick, or with a form as it was sent."""
    table, role = authorization.get_accounts(request.user, table_code)
    request.path = reverse("accounts", args=[table_code])  # the page's own forms name it
    user, books = request_handling.current_user(request), read_accounts(table, People.of(table))
    people, reader = books.people, Reader.of(user, role, books.people)
    if not pay and (reader.is_scorer or reader.member):
        filled = request.GET.dict() if "payee" in request.GET else None
        pay = PaymentForm(table, people, payer=reader.member, initial=filled)
    if not expense and reader.is_scorer:
        filled = request.GET.dict() if "night" in request.GET else None
        expense = ExpenseForm(table, people, initial=filled)
    done = just_done(request, table, people, role)
    context = {
        "table": table,
        "my_role": role,
        "all_people": people,
        "pay": pay,
        "expense": expense,
        **_standing(books, table, reader, user, done.debtor if done else request.GET.get("debtor", "")),
        **_simpler(books, table, role),
        **_moves(people, table, start=0, count=ROWS_SHOWN),
        "done": done,
        "refused": refusal,
    }
    status = max(answer.status if answer else 200 for answer in (refusal, pay, expense))
    return render(request, "money/accounts.html", context, status=status)


def _standing(
    accounts: Accounts, table: Table, reader: Reader, user: User, unfolded: str
) -> dict[str, object]:
    """Return the template variables of what waits for the reader, of all debts and balances, and of the text to send.

    In a long list the debts of the member with the id `unfolded` are unfolded.
    """
    at, people = now(), accounts.people
    paid = list(payments_of(days.night_for(at, table), table))
    pending = [*waiting_for(user, table, people, is_scorer=reader.is_scorer)]
    news = news_shown(reader.member, people, table) if reader.member else []
    balances, retired = shown.balance_rows(accounts, table)
    return {
        "own": reader.member and shown.own_balance(reader.member, accounts, table),
        "why": reader.member and _why(reader.member, accounts, table),
        "news": news,
        "waits": len(pending) + len(news),
        "waiting": [shown.asked_row(payment, people, table, user) for payment in pending],
        "debts": debts_shown(accounts, table, reader, paid=paid, unfolded=unfolded),
        "balances": balances,
        "retired": retired,
        "message": message_of(accounts, table, paid=paid, at=at),
    }


def _why(member: Member, accounts: Accounts, table: Table) -> Why:
    return why_of(member, effects_of(member, accounts.people), accounts, table, is_reader=True)


def _moves(people: People, table: Table, *, start: int, count: int) -> dict[str, object]:
    """Return the template variables of these movements, newest first."""
    moves, has_older = newest_of(table, start=start, count=count)
    return {"rows": move_rows(moves, people, table), "has_older": has_older}


def _simpler(accounts: Accounts, table: Table, role: Role) -> dict[str, object]:
    """Return the template variables of who would pay whom after simplifying; none if it saves no payment."""
    if role not in roles.WRITERS or len(accounts.debts) < 2:
        return {}
    preview = simplifying.simplified(table, accounts.people)
    if preview.saves < 1:
        return {}
    return {
        "saves": preview.saves,
        "seen": preview.seen,
        "before": debts_in_words(preview.before, accounts.people, table),
        "after": debts_in_words(preview.after, accounts.people, table),
    }


@require_POST
def simplify(request: HttpRequest, table_code: str) -> HttpResponse:
    """Settle the debts anew, by the fewest payments, or show the present ones if they have changed."""
    table, _role = authorization.get_accounts(request.user, table_code, for_writing=True)
    seen = request_handling.parse_int(request.POST.get("seen", ""), most_digits=8)
    try:
        simplifying.simplify(table, seen=seen, by=request_handling.current_user(request))
    except StaleAccounts as stale:
        return show_accounts(request, table_code, refused_at(stale, table))
    return redirect("accounts", table_code)


# --- recording what was paid ------------------------------------------------------------------------------------------


@require_POST
def tick(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record that a debt of the list was paid whole."""
    table, role = authorization.get_accounts(request.user, table_code)
    try:
        payment = _tick(request, table, role)
    except MoreThanOwed as question:
        return redirect("payment", table.code, question.payment)
    except (StaleAccounts, RuleError) as refusal:
        return refuse(request, table, refused_at(refusal, table))
    return back_to(request, payment)


def _tick(request: HttpRequest, table: Table, role: Role) -> Payment:
    by_slug = People.of(table).by_slug
    payer, payee = (by_slug.get(request.POST.get(field, "")) for field in ("payer", "payee"))
    version, claims = (
        request_handling.parse_int(request.POST.get(field, ""), most_digits=request_handling.LONGEST)
        for field in ("version", "claims")
    )
    if payer is None or payee is None:
        raise StaleAccounts
    return payments.tick(
        table,
        payer,
        payee,
        version=version,
        claims=claims,
        by=request_handling.current_user(request),
        role=role,
        method=tick_method(request.POST),
        is_asking=True,
    )


@require_POST
def pay(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a payment. A witness (a read-only user) records only payments that they made or received."""
    table, role = authorization.get_accounts(request.user, table_code)
    form = PaymentForm(table, People.of(table), request.POST)
    if form.is_valid():
        try:
            payment = payments.pay(
                table,
                **form.payment_data,
                key=request_handling.form_key(request),
                by=request_handling.current_user(request),
                role=role,
            )
            return redirect(f"{reverse('accounts', args=[table_code])}?done={payment.pk}#debts")
        except MoreThanOwed as excess:
            form.ask(excess)
        except (RuleError, IdempotencyKeyReused) as refusal:
            form.refuse(refusal)
    return show_accounts(request, table_code, pay=form)


# --- recording a shared cost ------------------------------------------------------------------------------------------


@require_POST
def share_cost(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a shared cost of a night, or an amount of a debt that several forgive."""
    table, _role = authorization.get_accounts(request.user, table_code, for_writing=True)
    form = ExpenseForm(table, People.of(table), request.POST)
    if form.is_valid():
        try:
            cost = costs.share_cost(
                table,
                *form.expense_data,
                key=request_handling.form_key(request),
                by=request_handling.current_user(request),
            )
            return redirect(f"{reverse('accounts', args=[table_code])}?shared={cost.pk}#debts")
        except (RuleError, IdempotencyKeyReused) as refusal:
            form.refuse(refusal)
    return show_accounts(request, table_code, expense=form)
