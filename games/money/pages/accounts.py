"""The accounts of a table (Cuentas): what waits for an answer, who pays whom, the balances, and all movements."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_POST

from games.common.days import night_of
from games.common.roles import WRITERS
from games.common.sent import Refused, user_of, whole_number
from games.models import Member, Role, Table
from games.money import simplifying
from games.money.balances import Accounts, StaleAccounts, read_accounts, waiting_for
from games.money.booking import newest_of
from games.money.evening import payments_of
from games.money.pages import paying
from games.money.pages import rows as shown
from games.money.pages.account import message_of
from games.money.pages.debt_rows import Reader, debts_shown
from games.money.pages.merging import debts_in_words
from games.money.pages.news import news_shown
from games.money.pages.nights import move_rows
from games.money.pages.reasons import Why, why_of
from games.money.pages.ticked import has_ticks, just_done
from games.money.statement import effects_of
from games.tables.access import accounts_for
from games.tables.people import People

ROWS_SHOWN = 5


@require_GET
def accounts(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the accounts; with a page in the query string, that page of the movements alone."""
    if "page" not in request.GET:
        return show_accounts(request, table_code)
    table, _role = accounts_for(request.user, table_code)
    page = paying.asked_page(request)
    context = {
        "table": table,
        **_moves(People.of(table), table, start=(page - 1) * paying.PAGE, count=paying.PAGE),
        "page": page,
        "newer": page - 1 if page > 1 else None,
    }
    context["older"] = page + 1 if context["has_older"] else None
    return render(request, "money/accounts.html", context)


@has_ticks("accounts")
def show_accounts(
    request: HttpRequest, table_code: str, refused: Refused | None = None, *, pay: paying.Sheet | None = None,
    expense: paying.Sheet | None = None,
) -> HttpResponse:  # fmt: skip
    """Show the accounts, with the refusal of a tick, or with a form as it was sent."""
    table, role = accounts_for(request.user, table_code)
    request.path = reverse("accounts", args=[table_code])  # the page's own forms name it
    user, books = user_of(request), read_accounts(table, People.of(table))
    people, reader = books.people, Reader.of(user, role, books.people)
    if not pay and (reader.is_keeper or reader.member):
        pay = paying.payment_sheet(request, table, people)
    if not expense and reader.is_keeper:
        expense = paying.expense_sheet(request, table, people)
    context = {
        **{"table": table, "my_role": role, "all_people": people},
        **{"pay": pay, "expense": expense},
        **_standing(books, table, reader, user),
        **_simpler(books, table, role),
        **_moves(people, table, start=0, count=ROWS_SHOWN),
        "done": just_done(request, table, people, role),
        "refused": refused,
    }
    answers = (refused, pay and pay.refused, expense and expense.refused)
    status = next((answer.status for answer in answers if answer), 200)
    return render(request, "money/accounts.html", context, status=status)


def _standing(accounts: Accounts, table: Table, reader: Reader, user: User) -> dict[str, object]:
    """Return the template variables of what waits for the reader, of all debts and balances, and of the text to send."""
    at, people = now(), accounts.people
    paid = list(payments_of(night_of(at, table), table))
    waiting = [*waiting_for(user, table, people, is_keeper=reader.is_keeper)]
    news = news_shown(reader.member, people, table) if reader.member else []
    balances, retired = shown.balance_rows(accounts, table)
    return {
        "own": reader.member and shown.own_balance(reader.member, accounts, table),
        "why": reader.member and _why(reader.member, accounts, table),
        "news": news,
        "waits": len(waiting) + len(news),
        "waiting": [shown.asked_row(payment, people, table, user) for payment in waiting],
        "debts": debts_shown(accounts, table, reader, paid=paid),
        **{"balances": balances, "retired": retired},
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
    if role not in WRITERS or len(accounts.to_pay) < 2:
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
    table, _role = accounts_for(request.user, table_code, for_writing=True)
    seen = whole_number(request.POST.get("seen", ""), most_digits=8)
    try:
        simplifying.simplify(table, seen=seen, by=user_of(request))
    except StaleAccounts as stale:
        return show_accounts(request, table_code, paying.refused_at(stale, table))
    return redirect("accounts", table_code)
