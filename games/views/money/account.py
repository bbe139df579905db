"""One member's account: what it comes from, where money is sent, and whether they play on."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from games.keys import KeyReused, new_key
from games.models import Member, Role, Table
from games.money.balances import (
    Account,
    Accounts,
    People,
    StaleAccounts,
    entries_of,
    read_accounts,
)
from games.money.holders import bring_back, retire, set_account
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.amounts import money, tone_of
from games.shown.common.members import person_of
from games.shown.money import accounts as shown
from games.shown.money.plans import plan_lines
from games.shown.money.reminders import reminder_of
from games.views.common.opened import user_of
from games.views.common.paying import PAGE, asked_page, payers_for, refused_at
from games.views.common.recording import Refused, sent_key


@require_GET
def account(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """A member's balance, and every game and payment it comes from."""
    table, role = accounts_open_to(request, table_code)
    return _show_account(request, table, role, member)


@require_POST
def set_account_text(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Keeps where to send money to this member: an owner says so, or the member himself."""
    table, role = accounts_open_to(request, table_code)
    found = _member_or_404(table, member)
    if role is not Role.OWNER and not found.is_of(user_of(request)):
        accounts_open_to(request, table_code, for_owning=True)
    try:
        set_account(found, request.POST.get("account", ""))
    except RuleError as refusal:
        return _show_account(request, table, role, member, refused_at(refusal, table))
    return redirect("account", table_code, member)


@require_POST
def retire_member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Lets somebody go, with what he owes or is owed written off where the form says how much that is."""
    table, role = accounts_open_to(request, table_code, for_owning=True)
    found = _member_or_404(table, member)
    try:
        retire(
            found,
            written_off=_whole(request.POST.get("written_off", "")),
            key=sent_key(request),
            by=user_of(request),
        )
    except (RuleError, StaleAccounts, KeyReused) as refusal:
        return _show_account(request, table, role, member, refused_at(refusal, table))
    return redirect("account", table_code, member)


@require_POST
def bring_member_back(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Somebody plays again."""
    table, role = accounts_open_to(request, table_code, for_owning=True)
    try:
        bring_back(_member_or_404(table, member))
    except RuleError as refusal:
        return _show_account(request, table, role, member, refused_at(refusal, table))
    return redirect("account", table_code, member)


def _whole(text: str) -> int:
    """A whole number with an optional sign; 0 where it is none."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 19 else 0


def _member_or_404(table: Table, slug: str) -> Member:
    found = table.members.filter(slug=slug, merged_into=None).first()
    if found is None:
        raise Http404
    return found


def _show_account(
    request: HttpRequest, table: Table, role: Role, slug: str, refused: Refused | None = None
) -> HttpResponse:
    found = read_accounts(table)
    if slug not in found.accounts:
        merged = found.people.by_slug.get(slug)
        if merged is None:
            raise Http404
        return redirect("account", table.code, merged.slug)
    one = found.accounts[slug]
    context = {
        "table": table,
        **_balance(one, table),
        **_lines(request, role, found, one, table),
        **_entries(one, found.people, table, asked_page(request)),
        "may_say_account": role is Role.OWNER or one.member.is_of(user_of(request)),
        "may_retire": role is Role.OWNER,
        "typed": request.POST.get("account", one.member.account),
        "key": new_key(),
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("account", "retire"),
    }
    return render(request, "games/money/account.html", context, status=refused.status if refused else 200)


def _lines(
    request: HttpRequest, role: Role, found: Accounts, one: Account, table: Table
) -> dict[str, object]:
    """The lines of the plan that are this member's, whether who looks says what was paid or notes it, and the reminder
    that anybody else may send."""
    lines = plan_lines(found, table, payers=payers_for(user_of(request), role, found.people))
    own = [line for line in lines if not line.is_paid and one.member.slug in (line.payer.id, line.payee.id)]
    reminder = "" if one.member.is_of(user_of(request)) else reminder_of(one.member, found, table)
    return {"lines": own, "may_claim": role not in WRITERS, "reminder": reminder}


def _balance(one: Account, table: Table) -> dict[str, object]:
    """Who it is, what they owe or are owed, and what that is made of."""
    return {
        "person": person_of(one.member),
        "member": one.member,
        "owes": shown.owes_in_words(one.member.name, one.balance),
        "balance": money(abs(one.balance), table),
        "signed": money(one.balance, table, signed=True),
        "tone": tone_of(one.balance),
        "composition": shown.composition(one, table),
        "written_off": one.balance,
    }


def _entries(one: Account, people: People, table: Table, page: int) -> dict[str, object]:
    """One page of the games and payments a balance comes from."""
    entries, has_older = entries_of(one, people, start=(page - 1) * PAGE, count=PAGE)
    return {
        "entries": [shown.entry_row(entry, one, people, table) for entry in entries],
        "older": page + 1 if has_older else None,
        "newer": page - 1 if page > 1 else None,
    }
