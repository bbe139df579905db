"""Starting balances: what people owed each other before this table. The form, and taking them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from games.keys import KeyReused, new_key
from games.models import Table
from games.money.balances import Accounts, People, StaleAccounts, newest_entry, read_accounts
from games.money.opening import StartingBalance, open_balances, openings_of, take_balances_back
from games.people.access import table_for
from games.scoring.errors import RuleError
from games.shown.common.typed import region_typed_in
from games.shown.notebook.opening import (
    BLANK_ROWS,
    OpeningRow,
    RowErrors,
    blank_rows,
    member_rows,
    opening_shown,
    posted_rows,
    read_rows,
    remainder_of,
    rows_shown,
    with_the_rest,
)
from games.views.common.numbers import whole_number
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import UNPROCESSABLE, Refused, asked_about, sent_key


@require_http_methods(["GET", "HEAD", "POST"])
def opening_balances(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the form; record the balances once they add up to zero."""
    table = table_for(request.user, table_code, for_owning=True)[0]
    if request.method != "POST":
        return _show(request, table, member_rows(table.members.active()))
    rows = posted_rows(request.POST)
    if "more" in request.POST:
        last = max((row.number for row in rows), default=0)
        return _show(request, table, [*rows, *blank_rows(last, count=BLANK_ROWS)])
    try:
        balances = read_rows(rows, table, region_typed_in(request.POST))
    except RowErrors as wrong:
        return _show(request, table, rows, errors=wrong.errors, status=UNPROCESSABLE)
    if "look" in request.POST:
        return _show(request, table, rows, balances)
    return _save(request, table, rows, balances)


@require_POST
def undo_balances(request: HttpRequest, table_code: str, number: int) -> HttpResponse:
    """Take starting balances back."""
    table = table_for(request.user, table_code, for_owning=True)[0]
    try:
        take_balances_back(table, number, by=user_of(request))
    except RuleError as refusal:
        return _show(request, table, member_rows(table.members.active()), refused=refused_at(refusal, table))
    return redirect("opening-balances", table.code)


def _save(
    request: HttpRequest, table: Table, rows: Sequence[OpeningRow], balances: Mapping[int, StartingBalance]
) -> HttpResponse:
    """Record the starting balances, which must add up to zero; `balances` are by the number of the row.

    If they do not add up to zero, the user can choose a row that gets the missing amount. The form's `rest`
    is the number of this row. If the missing amount is not the one that the page showed, show the page again
    with the present one.
    """
    rest, total = request.POST.get("rest", ""), sum(balance.amount for balance in balances.values())
    is_taken = rest in map(str, balances) and request.POST.get("total", "") == str(total)
    wanted = with_the_rest(balances, int(rest)) if is_taken else balances
    try:
        open_balances(
            table,
            list(wanted.values()),
            seen=whole_number(request.POST.get("seen", ""), most_digits=8),
            key=sent_key(request),
            by=user_of(request),
            apart=request.POST.getlist("apart"),
        )
    except (RuleError, StaleAccounts, KeyReused) as refusal:
        refused = refused_at(refusal, table)
        return _show(request, table, rows, balances, refused=refused, alike=asked_about(refusal))
    return redirect("accounts", table.code)


def _show(
    request: HttpRequest,
    table: Table,
    rows: Sequence[OpeningRow],
    balances: Mapping[int, StartingBalance] | None = None,
    *,
    errors: Mapping[int, str] | None = None,
    refused: Refused | None = None,
    alike: str = "",
    status: int = 200,
) -> HttpResponse:
    """Show the form with these rows and, if `balances` are given, what they add up to.

    `balances` and `errors` are by the number of the row. `status` is the HTTP status unless `refused` has one.
    """
    seen, accounts = newest_entry(table), read_accounts(table)  # in this order: later entries make it stale
    context = {
        "table": table,
        **_rows(rows, accounts, table, errors or {}),
        **_sum(balances or {}, accounts.people, table, chosen=request.POST.get("rest", "")),
        "openings": [opening_shown(entry, accounts.people, table) for entry in openings_of(table)],
        "apart": request.POST.getlist("apart"),
        "refused": refused,
        "seen": seen,
        "key": new_key(),
        "alike": alike,
    }
    status = refused.status if refused else status
    return render(request, "games/notebook/opening_balances.html", context, status=status)


def _rows(
    rows: Sequence[OpeningRow], accounts: Accounts, table: Table, errors: Mapping[int, str]
) -> dict[str, object]:
    return {
        "rows": rows_shown(rows, accounts, table, errors),
        "last": max((row.number for row in rows), default=0),
        "keyboard": "decimal" if table.decimals else "numeric",
    }


def _sum(
    balances: Mapping[int, StartingBalance], people: People, table: Table, *, chosen: str
) -> dict[str, object]:
    return {
        "remainder": remainder_of(balances, people, table, chosen=chosen),
        "is_even": any(balance.amount for balance in balances.values()),
    }
