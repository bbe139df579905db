"""The page of a member's account: the balance, the payment details, and retiring the member.

A retired member no longer plays and is not offered for new games. Their games and payments stay. The payment
details say how to pay the member, e.g. a bank account.
"""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import now
from django.views.decorators.http import require_GET, require_POST

from games.keys import KeyReused, new_key
from games.models import Role, Table
from games.money.balances import (
    Account,
    Accounts,
    People,
    StaleAccounts,
    entries_of,
    read_accounts,
)
from games.money.costs import CostWords
from games.money.holders import bring_back, retire, set_account
from games.names import isolated
from games.nights import night_of
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.amounts import money, tone_of
from games.shown.common.members import person_of
from games.shown.money import accounts as shown
from games.shown.money.costs import cost_typed
from games.shown.money.plans import plan_lines
from games.shown.money.reminders import reminder_of
from games.views.common.opened import user_of
from games.views.common.paying import PAGE, asked_page, refused_at
from games.views.common.recording import Refused, sent_key


@require_GET
def account(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show the balance of a member, with the games and payments that add up to it."""
    table, role = accounts_open_to(request, table_code)
    return _show_account(request, table, role, member)


@require_POST
def set_account_text(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Store the payment details of the member; owners and the member may do this."""
    table, role = accounts_open_to(request, table_code)
    the_member = get_object_or_404(table.members, slug=member, merged_into=None)
    if role is not Role.OWNER and not the_member.is_of(user_of(request)):
        accounts_open_to(request, table_code, for_owning=True)
    try:
        set_account(the_member, request.POST.get("account", ""))
    except RuleError as refusal:
        return _show_account(request, table, role, member, refused_at(refusal, table))
    return redirect("account", table_code, member)


@require_POST
def retire_member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Retire the member, and write off the balance that the HTML form showed.

    If the balance has changed since, change nothing and show the account with the present one.
    """
    table, role = accounts_open_to(request, table_code, for_owning=True)
    the_member = get_object_or_404(table.members, slug=member, merged_into=None)
    try:
        retire(
            the_member,
            written_off=_whole(request.POST.get("written_off", "")),
            key=sent_key(request),
            by=user_of(request),
        )
    except (RuleError, StaleAccounts, KeyReused) as refusal:
        return _show_account(request, table, role, member, refused_at(refusal, table))
    return redirect("account", table_code, member)


@require_POST
def bring_member_back(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Make the retired member active again."""
    table, role = accounts_open_to(request, table_code, for_owning=True)
    try:
        bring_back(get_object_or_404(table.members, slug=member, merged_into=None))
    except RuleError as refusal:
        return _show_account(request, table, role, member, refused_at(refusal, table))
    return redirect("account", table_code, member)


def _whole(text: str) -> int:
    """Return the whole number in the text, which may have a minus sign; 0 if it is no number."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0


def _show_account(
    request: HttpRequest, table: Table, role: Role, slug: str, refused: Refused | None = None
) -> HttpResponse:
    accounts = read_accounts(table)
    if slug not in accounts.accounts:
        merged = accounts.people.by_slug.get(slug)
        if merged is None:
            raise Http404
        return redirect("account", table.code, merged.slug)
    account = accounts.accounts[slug]
    context = {
        "table": table,
        **_balance(account, table),
        **_lines(request, role, accounts, account, table),
        "forgive_page": _forgive_page(request, role, accounts, account, table),
        **_entries(account, accounts.people, table, asked_page(request)),
        "may_say_account": role is Role.OWNER or account.member.is_of(user_of(request)),
        "may_retire": role is Role.OWNER,
        "typed": request.POST.get("account", account.member.account),
        "key": new_key(),
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("account", "retire"),
    }
    return render(request, "games/money/account.html", context, status=refused.status if refused else 200)


def _lines(
    request: HttpRequest, role: Role, accounts: Accounts, account: Account, table: Table
) -> dict[str, object]:
    """Return the template variables of the member's payments in the plan (who pays whom), and of a reminder.

    The reminder is a text that the user can send to the member; it is "" in the user's own account.
    """
    lines = plan_lines(accounts, table, user=user_of(request), role=role)
    own = [
        line for line in lines if not line.is_paid and account.member.slug in (line.payer.id, line.payee.id)
    ]
    reminder = "" if account.member.is_of(user_of(request)) else reminder_of(account.member, accounts, table)
    return {"lines": own, "reminder": reminder}


def _forgive_page(
    request: HttpRequest, role: Role, accounts: Accounts, account: Account, table: Table
) -> str:
    """Return the URL of the form with which all who are owed forgive this member's debt.

    Return "" without a debt, and for a user who may not record that it is forgiven, such as the debtor.
    """
    if account.balance >= 0 or role not in WRITERS or account.member.is_of(user_of(request)):
        return ""
    owed = tuple(one.member for one in accounts.accounts.values() if one.balance > 0)
    words = CostWords(account.member, -account.balance, owed, is_forgiven=True)
    form = reverse("share-cost", args=[table.code, night_of(now(), table).isoformat()])
    return f"{form}?{urlencode(cost_typed(words, table))}"


def _balance(account: Account, table: Table) -> dict[str, object]:
    """Return the template variables of the member's balance and of the sums that make it up."""
    return {
        "person": person_of(account.member),
        "member": account.member,
        "owes": shown.owes_in_words(isolated(account.member.name), account.balance),
        "balance": money(abs(account.balance), table),
        "signed": money(account.balance, table, signed=True),
        "tone": tone_of(account.balance),
        "composition": shown.composition(account, table),
        "written_off": account.balance,
    }


def _entries(account: Account, people: People, table: Table, page: int) -> dict[str, object]:
    """Return the template variables of one page of the games, payments and costs that make up the balance."""
    entries, has_older = entries_of(account, people, start=(page - 1) * PAGE, count=PAGE)
    return {
        "entries": [shown.entry_row(entry, account, people, table) for entry in entries],
        "older": page + 1 if has_older else None,
        "newer": page - 1 if page > 1 else None,
    }
