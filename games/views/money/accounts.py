"""The accounts of a table: what waits for an answer, who pays whom, the balances, payments and costs."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_http_methods

from games.models import Payment, Role, SharedCost, Table
from games.money import simplifying
from games.money.balances import Accounts, People, StaleAccounts, read_accounts, waiting_for
from games.money.booking import newest_of
from games.money.evening import payments_of
from games.nights import night_of
from games.people.access import accounts_open_to
from games.people.roles import WRITERS
from games.shown.common.amounts import money
from games.shown.money import accounts as shown
from games.shown.money.debts import Reader, debts_shown
from games.shown.money.merging import debts_in_words
from games.shown.money.statements import message_of
from games.views.common.numbers import whole_number
from games.views.common.opened import user_of
from games.views.common.paying import may_pay, refused_at
from games.views.common.recording import Refused
from games.views.common.ticked import has_ticks, just_done

ROWS_SHOWN = 5


@require_GET
def accounts(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show what waits for an answer, who pays whom, all balances, and the latest payments and costs."""
    return show_accounts(request, table_code)


@has_ticks("accounts")
def show_accounts(request: HttpRequest, table_code: str, refused: Refused | None = None) -> HttpResponse:
    """Show the accounts, with the refusal of a tick if there was one."""
    table, role = accounts_open_to(request, table_code)
    user, at = user_of(request), now()
    books = read_accounts(table, People.of(table))
    people, tonight = books.people, night_of(at, table)
    paid = list(payments_of(tonight, table))
    context = {
        "table": table,
        "may_pay": may_pay(user, role, people),
        "may_share": role in WRITERS,
        "tonight": tonight.isoformat(),
        "waiting": _payments_asked(user, role, people, table),
        "debts": debts_shown(books, table, Reader.of(user, role, people), paid=paid),
        "saves": simplifying.simplified(table).saves if role in WRITERS and len(books.to_pay) > 1 else 0,
        **_balances(books, table),
        **_newest(people, table),
        "message": message_of(books, table, paid=paid, at=at),
        "done": just_done(request, table, people, role),
        "refused": refused,
    }
    return render(request, "games/money/accounts.html", context, status=refused.status if refused else 200)


def _balances(accounts: Accounts, table: Table) -> dict[str, object]:
    """Return the template variables of everybody's balance."""
    return {
        "balances": shown.balance_rows(accounts, table),
        "retired": shown.retired_rows(accounts, table),
        "total": money(sum(accounts.balances.values()), table),
    }


def _newest(people: People, table: Table) -> dict[str, object]:
    """Return the template variables of the latest payments and costs."""
    rows, has_older = newest_of(table, start=0, count=ROWS_SHOWN)
    return {"rows": [row_of(row, people, table) for row in rows], "has_older": has_older}


def row_of(row: Payment | SharedCost, people: People, table: Table) -> shown.PaymentRow:
    """Return a payment or a shared cost as a row of a list."""
    if isinstance(row, Payment):
        return shown.payment_row(row, people, table)
    return shown.cost_row_of(row, people, table)


def _payments_asked(user: User, role: Role, people: People, table: Table) -> list[shown.AskedRow]:
    """Return the payments that wait for an answer of this user, newest first."""
    payments = waiting_for(user, table, people, is_keeper=role in WRITERS)
    return [shown.asked_row(payment, people, table, user) for payment in payments]


@require_http_methods(["GET", "HEAD", "POST"])
def simplify(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show who would pay whom after simplifying, beside who pays whom now; on POST, simplify.

    If the debts have changed since the user saw them, change nothing and show the present ones.
    """
    table, _role = accounts_open_to(request, table_code, for_writing=True)
    refused = None
    if request.method == "POST":
        seen = whole_number(request.POST.get("seen", ""), most_digits=8)
        try:
            simplifying.simplify(table, seen=seen, by=user_of(request))
        except StaleAccounts as stale:
            refused = refused_at(stale, table)
        else:
            return redirect("accounts", table_code)
    preview, people = simplifying.simplified(table), People.of(table)
    context = {
        "table": table,
        "before": debts_in_words(preview.before, people, table),
        "after": debts_in_words(preview.after, people, table),
        "saves": preview.saves,
        "seen": preview.seen,
        "refused": refused,
    }
    return render(request, "games/money/simplify.html", context, status=refused.status if refused else 200)
