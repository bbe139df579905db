"""The accounts of a table (Cuentas): payments to confirm, debts, balances, and all movements."""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.common import days, lanes, request_handling
from games.common.locks import IdempotencyKeyReused
from games.common.request_handling import PageRefusal
from games.models import Access, Payment, Role, Table
from games.money.forms import ExpenseForm, PaymentForm, settle_debt
from games.money.presenters import (
    account_display,
    account_messages,
    debt_list,
    expense_questions,
    explanations,
    night_display,
    payment_news,
    payment_sentences,
)
from games.money.presenters.account_display import LongList
from games.money.presenters.debt_list import PageReader
from games.money.presenters.money_history import MoneyHistory
from games.money.services import accounting, expenses, fewest_payments, movements, night_summary, payments
from games.money.services.accounting import Accounts, StaleAccounts
from games.money.services.payments import MoreThanOwed, PaymentQuestion
from games.money.views.debt_pages import (
    PAGE_SIZE,
    action_notice,
    ask,
    live_context,
    redirect_back,
    refusal_for,
    register_page,
    requested_page,
    show_refusal,
)
from games.scoring.errors import RuleError
from games.tables.services import authorization
from games.tables.services.roster import People

LATEST_MOVEMENTS = 5


@require_safe
def accounts(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the accounts or, with `page` in the query string, that page of the movements alone.

    With `send`, the message for the group has the reasons and the picture.
    """
    if "page" not in request.GET:
        if "send" not in request.GET:
            return show_accounts(request, table_code)
        with lanes.WHOLE_TABLES.hold():
            return show_accounts(request, table_code, is_full=True)
    table, _role = authorization.get_accounts(request.user, table_code)
    page = requested_page(request)
    context = {
        "table": table,
        **_movements_context(People.of(table), table, start=(page - 1) * PAGE_SIZE, count=PAGE_SIZE),
        "page": page,
        "newer": page - 1 if page > 1 else None,
    }
    context["older"] = page + 1 if context["has_older"] else None
    return render(request, "money/accounts.html", context)


@register_page("accounts")
def show_accounts(
    request: HttpRequest,
    table_code: str,
    refusal: PageRefusal | None = None,
    *,
    pay: PaymentForm | None = None,
    expense: ExpenseForm | None = None,
    is_full: bool = False,
) -> HttpResponse:
    """Show the accounts, with the refusal of a settled debt or with a form as it was submitted.

    If `is_full`, the message for the group has the reasons and the picture.
    """
    access = authorization.get_accounts_access(request.user, table_code)
    table, role = access.table, Role(access.role)
    request.path = reverse("accounts", args=[table_code])  # the forms on the page send this as their page
    user, books = request_handling.current_user(request), accounting.load_accounts(table, People.of(table))
    people, reader = books.people, PageReader.of(user, role, books.people)
    pay, expense, form_pages = _forms(request, table, people, reader, pay, expense)
    if pay:
        pay.sentence = json.dumps(payment_sentences.script_data(reader, books, table))
    done = action_notice(request, table, people, role)
    paid = list(night_summary.list_payments(days.night_for(now(), table), table))
    context = {
        "table": table,
        "my_role": role,
        "all_people": people,
        "pay": pay,
        "form_pages": form_pages,
        "expense": expense,
        **_accounts_context(
            books,
            table,
            reader,
            paid,
            unfolded=done.debtor if done else request.GET.get("debtor", ""),
            more=request.GET.get("more", ""),
        ),
        **_share_context(books, table, paid, is_full=is_full),
        **_fewest_context(books, access),
        **_movements_context(people, table, start=0, count=LATEST_MOVEMENTS),
        "done": done,
        "refused": refusal,
        **live_context(request, access, "accounts", keeps=bool(refusal) or _has_open_form(pay, expense)),
    }
    status = max(answer.status if answer else 200 for answer in (refusal, pay, expense))
    return render(request, "money/accounts.html", context, status=status)


def _forms(
    request: HttpRequest,
    table: Table,
    people: People,
    reader: PageReader,
    pay: PaymentForm | None,
    expense: ExpenseForm | None,
) -> tuple[PaymentForm | None, ExpenseForm | None, Sequence[tuple[str, str]]]:
    """Return the forms of the page and, where the people are too many for both, links to the page with one.

    `pay` and `expense` are forms as they were submitted.
    """
    if not reader.is_scorer and not reader.member:
        return pay, expense, ()
    filled = {name: request.GET.dict() if name in request.GET else None for name in ("payee", "night")}
    is_crowd = len(people.current_members) > account_display.MOST_LISTED
    if not pay and (filled["payee"] or not is_crowd):
        pay = PaymentForm(table, people, payer=reader.member, initial=filled["payee"])
    if not expense and (filled["night"] or not is_crowd):
        expense = ExpenseForm(table, people, initial=filled["night"], reader=reader)
    tonight = days.night_for(now(), table).isoformat()
    pages = ((_("A payment"), "?payee="), (_("An expense"), f"?night={tonight}"))
    return pay, expense, pages if is_crowd else ()


def _has_open_form(*forms: PaymentForm | ExpenseForm | None) -> bool:
    return any(form is not None and form.is_open for form in forms)


def _accounts_context(
    accounts: Accounts,
    table: Table,
    reader: PageReader,
    paid: Sequence[Payment],
    *,
    unfolded: str,
    more: str,
) -> dict[str, object]:
    """Return the template variables for pending payments, debts, balances, and the message to send.

    In a long list, the debts of the member with the slug `unfolded` are unfolded. `more` is the name of the
    list whose end is unfolded: balances, retired or debtors.
    """
    people, user = accounts.people, reader.user
    assert user is not None
    pending = [*accounting.pending_payments(user, table, people, is_scorer=reader.is_scorer)]
    proposed = expense_questions.questions(table, people, reader.member, is_scorer=reader.is_scorer)
    news = payment_news.payment_notices(reader.member, people, table) if reader.member else []
    balances, retired = account_display.balance_items(accounts, table)
    debts = debt_list.build(accounts, table, reader, paid=paid, unfolded=unfolded)
    lists = {"balances": balances, "retired": retired, "debtors": debts.debtors}
    in_rest = unfolded in {debtor.person.id for debtor in debts.debtors[account_display.MOST_LISTED :]}
    history = reader.member and MoneyHistory.load(reader.member, accounts, table, with_payees=False)
    return {
        "own": reader.member and account_display.balance_headline(reader.member, accounts, table),
        "why": history and explanations.explain(history, accounts, table, reader=reader.member),
        "mine": debt_list.reader_debts(accounts, table, reader, history.payee_sentences(reader.member))
        if history
        else (),
        "news": news,
        "proposed": proposed,
        "waits": len(pending) + len(news) + len(proposed),
        "waiting": [
            account_display.pending_payment_item(payment, people, table, user) for payment in pending
        ],
        "debts": debts,
        **{
            name: LongList.of(
                rows,
                f"{reverse('accounts', args=[table.code])}?more={name}",
                is_open=more == name or (name == "debtors" and in_rest),
            )
            for name, rows in lists.items()
        },
    }


def _share_context(
    accounts: Accounts, table: Table, paid: Sequence[Payment], *, is_full: bool
) -> dict[str, object]:
    """Return the template variables for sending the accounts.

    The reasons and the picture take everybody's entries, so they are loaded when the sheet is opened (`fuller`).
    """
    at = now()
    if not is_full:
        message = account_messages.table_message(accounts, table, paid=paid, at=at)
        return {"message": message, "fuller": f"{reverse('accounts', args=[table.code])}?send"}
    histories = MoneyHistory.load_all(accounts, table)
    return {
        "message": account_messages.table_message(accounts, table, paid=paid, at=at, histories=histories),
        **account_messages.table_picture(accounts, table, at=at, histories=histories),
    }


def _movements_context(people: People, table: Table, *, start: int, count: int) -> dict[str, object]:
    moves, has_older = movements.load_latest(table, start=start, count=count)
    return {"rows": night_display.movement_items(moves, people, table), "has_older": has_older}


def _fewest_context(accounts: Accounts, access: Access) -> dict[str, object]:
    """Return the template variables of the setting, with its effect now for users who may turn it on."""
    table = access.table
    if table.always_fewest or not fewest_payments.can_change(access) or len(accounts.debts) < 2:
        return {"fewest_is_changeable": fewest_payments.can_change(access)}
    preview = fewest_payments.preview(table, accounts.people)
    return {
        "fewest_is_changeable": True,
        "seen": preview.seen,
        "is_changing": preview.before != preview.after,
        "before": account_display.debt_labels(preview.before, accounts.people, table),
        "after": account_display.debt_labels(preview.after, accounts.people, table),
    }


@require_POST
def set_fewest(request: HttpRequest, table_code: str) -> HttpResponse:
    """Turn *always the fewest payments* on or off, or show the present debts if they have changed."""
    table, _role = authorization.get_accounts(request.user, table_code, for_writing=True)
    seen = request_handling.parse_int(request.POST.get("seen", ""), most_digits=8)
    user, answer = request_handling.current_user(request), request.POST.get("fewest")
    if answer not in ("yes", "no"):
        raise BadRequest
    try:
        fewest_payments.update(table, is_on=answer == "yes", seen=seen, by=user)
    except StaleAccounts as stale:
        return show_accounts(request, table_code, refusal_for(stale, table))
    return redirect(f"{reverse('accounts', args=[table_code])}#fewest")


# --- recording payments -----------------------------------------------------------------------------------------------


@require_POST
def tick(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record that a whole debt of the list was paid."""
    table, role = authorization.get_accounts(request.user, table_code)
    by_slug, user = People.of(table).by_slug, request_handling.current_user(request)
    payer, payee = (by_slug.get(request.POST.get(field, "")) for field in ("payer", "payee"))
    try:
        if payer is None or payee is None:
            raise StaleAccounts
        payment = settle_debt(table, payer, payee, request.POST, by=user, role=role)
    except PaymentQuestion as asked:
        return ask(request, asked, table, request.path, "payer", "payee", "version", "claims", "method")
    except (StaleAccounts, RuleError) as refusal:
        return show_refusal(request, table, refusal_for(refusal, table))
    return redirect_back(request, payment)


@require_POST
def pay(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record a payment. A viewer records only payments that they made or received."""
    table, role = authorization.get_accounts(request.user, table_code)
    form = PaymentForm(table, People.of(table), request.POST)
    if form.is_valid():
        try:
            payment = payments.create(
                table,
                **form.payment_data,
                key=request_handling.form_key(request),
                by=request_handling.current_user(request),
                role=role,
            )
            return redirect(f"{reverse('accounts', args=[table_code])}?done={payment.pk}#debts")
        except MoreThanOwed as excess:
            form.ask(excess, request_handling.current_user(request))
        except (RuleError, IdempotencyKeyReused) as refusal:
            form.refuse(refusal)
    return show_accounts(request, table_code, pay=form)


# --- recording expenses -----------------------------------------------------------------------------------------------


@require_POST
def share_cost(request: HttpRequest, table_code: str) -> HttpResponse:
    """Record an expense of a night, or a debt that several people forgive; a member's expense waits."""
    table, role = authorization.get_accounts(request.user, table_code)
    people, user = People.of(table), request_handling.current_user(request)
    reader = PageReader.of(user, role, people)
    form = ExpenseForm(table, people, request.POST, reader=reader)
    if form.is_valid():
        try:
            cost = expenses.create(
                table,
                *form.expense_data,
                key=request_handling.form_key(request),
                by=user,
                is_proposal=not reader.is_scorer,
            )
            return redirect(f"{reverse('accounts', args=[table_code])}?shared={cost.pk}#debts")
        except (RuleError, IdempotencyKeyReused) as refusal:
            form.refuse(refusal)
    return show_accounts(request, table_code, expense=form)
