"""The page of a member's account: the statement, the payment details, and retiring the member.

A retired member no longer plays and is not offered for new games. Their games, debts and payments stay. The
payment details say how to pay the member, e.g. a bank alias.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import now
from django.views.decorators.http import require_http_methods

from games.common.amounts import money
from games.common.refused import Refused
from games.common.sent import user_of
from games.models import Member, Role, Table
from games.money.balances import Accounts, read_accounts, statement_of
from games.money.holders import retire, set_account
from games.money.pages import rows as shown
from games.money.pages.debt_rows import Reader, debts_shown
from games.money.pages.paying import PAGE, asked_page, refused_at
from games.money.pages.statements import message_of, statement_row
from games.money.pages.ticked import has_ticks, just_done
from games.scoring.errors import RuleError
from games.tables.access import accounts_for
from games.tables.members import bring_back
from games.tables.people import People


@require_http_methods(["GET", "HEAD", "POST"])
def account(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show a member's balance with the entries that add up to it, and their debts.

    On POST store the payment details, which the member may do too, or retire the member or bring them back,
    as `act` says.
    """
    if request.method != "POST":
        return show_account(request, table_code, member)
    table, role = accounts_for(request.user, table_code)
    the_member = get_object_or_404(table.members, slug=member, merged_into=None)
    act = request.POST.get("act")
    if role is not Role.OWNER and (act or not the_member.is_of(user_of(request))):
        accounts_for(request.user, table_code, for_owning=True)
    try:
        match act:
            case "retire":
                retire(the_member)
            case "back":
                bring_back(the_member)
            case _:
                set_account(the_member, request.POST.get("account", ""))
    except RuleError as refusal:
        return show_account(request, table_code, member, refused_at(refusal, table))
    return redirect("account", table_code, member)


@has_ticks("account")
def show_account(
    request: HttpRequest, table_code: str, member: str, refused: Refused | None = None
) -> HttpResponse:
    """Show a member's account, with the refusal of a tick or of a form of the page if there was one."""
    table, role = accounts_for(request.user, table_code)
    accounts, user = read_accounts(table), user_of(request)
    the_member = accounts.people.by_slug.get(member)
    if the_member is None:
        raise Http404
    if the_member.slug != member:  # they were merged
        return redirect("account", table.code, the_member.slug)
    context = {
        "table": table,
        "my_role": role,
        "all_people": accounts.people,
        "member": the_member,
        **_debts(the_member, accounts, table, Reader.of(user, role, accounts.people)),
        **_statement(the_member, accounts.people, table, asked_page(request)),
        "may_say_account": role is Role.OWNER or the_member.is_of(user),
        "may_retire": role is Role.OWNER,
        "typed": request.POST.get("account", the_member.account),
        "done": just_done(request, table, accounts.people, role),
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("account"),
    }
    return render(request, "money/account.html", context, status=refused.status if refused else 200)


def _debts(member: Member, accounts: Accounts, table: Table, reader: Reader) -> dict[str, object]:
    """Return the template variables of the member's balance and debts, and of these as a text to send."""
    own = [debt for debt in accounts.to_pay if member in (debt.payer, debt.payee)]
    return {
        "own": shown.own_balance(member, accounts, table, is_reader=member == reader.member),
        "debts": debts_shown(accounts, table, reader, debts=own),
        "message": message_of(accounts, table, of=member, at=now()) if own else "",
    }


def _statement(member: Member, people: People, table: Table, page: int) -> dict[str, object]:
    """Return the template variables of one page of the member's statement, whose oldest entry comes first."""
    entries, has_older = statement_of(member, people, start=(page - 1) * PAGE, count=PAGE)
    first = entries[-1] if entries else None
    before = first.balance - first.amount if first else 0
    return {
        "entries": [statement_row(moved, people, table) for moved in reversed(entries)],
        "before": money(before, table, signed=True) if has_older else "",
        "older": page + 1 if has_older else None,
        "newer": page - 1 if page > 1 else None,
    }
