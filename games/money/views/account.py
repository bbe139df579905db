"""The page of a member's account: the statement, and payment details such as an alias."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.common import amounts, days, parsing, request_handling
from games.common.request_handling import PageRefusal
from games.models import EntryKind, Member, Role, Table
from games.money.presenters import account_display, account_messages, debt_list, explanations
from games.money.presenters.account_display import MovementItem
from games.money.presenters.cause_titles import CauseTitles
from games.money.presenters.debt_list import PageReader
from games.money.presenters.money_history import MoneyHistory
from games.money.services import accounting, entry_rows, statements
from games.money.services.accounting import Accounts
from games.money.services.statements import DateRange, StatementEntry, StatementTotals
from games.money.views.debt_pages import (
    PAGE_SIZE,
    action_notice,
    live_context,
    refusal_for,
    register_page,
    requested_page,
)
from games.scoring.errors import RuleError
from games.tables.services import authorization, membership
from games.tables.services.roster import People


def statement_items(
    rows: Sequence[StatementEntry], member: Member, people: People, table: Table, reader: Member | None
) -> Iterator[tuple[MovementItem, str]]:
    """Yield the entries as rows of a person's statement, each with the balance after it."""
    titles = CauseTitles.of_entries([row.entry for row in rows], table, people)
    texts = titles.entry_titles([row.entry for row in rows], member.slug, reader.slug if reader else "")
    for row, title in zip(rows, texts, strict=True):
        entry, payment = row.entry, row.entry.payment
        details = [days.format_day(entry.night)]
        if payment is not None:
            is_unpaid = entry.kind == EntryKind.UNPAID
            details.append(
                account_display.unpaid_label(payment, people)
                if is_unpaid
                else account_display.method_label(payment.method)
            )
        amount, balance = (amounts.money(sum, table, signed=True) for sum in (row.amount, row.balance))
        cause = entry_rows.entry_cause(entry)
        href = "" if cause is None else titles.url(cause)
        item = MovementItem((), title, " · ".join(details), amount, href, tone=amounts.tone(row.amount))
        yield item, balance


@request_handling.require_form
def account(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show a member's account. On POST, save the payment details, which the member may change too."""
    if request.method != "POST":
        return show_account(request, table_code, member)
    table, role = authorization.get_accounts(request.user, table_code)
    the_member = get_object_or_404(table.members, slug=member, merged_into=None)
    if role is not Role.OWNER and not the_member.belongs_to(request_handling.current_user(request)):
        authorization.get_table(request.user, table_code, for_owning=True)
    try:
        membership.set_payment_details(the_member, request.POST.get("account", ""))
    except RuleError as refusal:
        return show_account(request, table_code, member, refusal_for(refusal, table))
    return request_handling.redirect_with_notice(request, "save", "account", table_code, member)


@register_page("account")
def show_account(
    request: HttpRequest, table_code: str, member: str, refusal: PageRefusal | None = None
) -> HttpResponse:
    access = authorization.get_accounts_access(request.user, table_code)
    table, role = access.table, Role(access.role)
    accounts, user = accounting.load_accounts(table), request_handling.current_user(request)
    the_member = accounts.people.by_slug.get(member)
    if the_member is None:
        raise Http404
    if the_member.slug != member:  # they were merged
        return redirect("account", table.code, the_member.slug)
    reader = PageReader.of(user, role, accounts.people)
    history = MoneyHistory.load(the_member, accounts, table)
    context = {
        "table": table,
        "my_role": role,
        "all_people": accounts.people,
        "member": the_member,
        **_debts_context(history, accounts, table, reader, more=request.GET.get("more", "")),
        **_statement_context(the_member, accounts.people, table, request, reader),
        "may_say_account": role is Role.OWNER or the_member.belongs_to(user),
        "is_saved": bool(request_handling.pop_notice(request, "save")[0]),
        "typed": request.POST.get("account", the_member.account),
        "done": action_notice(request, table, accounts.people, role),
        "errors": refusal.errors if refusal else {},
        **live_context(request, access, "account", member, keeps=bool(refusal)),
    }
    return request_handling.render_page(
        request, "money/account.html", context, refusal and refusal.without_fields("account")
    )


def _debts_context(
    history: MoneyHistory, accounts: Accounts, table: Table, reader: PageReader, *, more: str
) -> dict[str, object]:
    member, debts = history.member, history.debts
    why_payees = history.payee_sentences(reader.member)
    is_reader = member == reader.member
    mine = debt_list.reader_debts(accounts, table, reader, why_payees) if is_reader else ()
    others = [debt for debt in debts if not is_reader or debt.payer != member or debt.claim]
    return {
        "own": account_display.balance_headline(member, accounts, table, is_reader=is_reader),
        "why": explanations.explain(
            history, accounts, table, reader=reader.member, with_nights=more == "until"
        ),
        "mine": mine,
        "waiting": [
            account_display.pending_payment_item(claim, accounts.people, table, reader.user)
            for claim in accounts.claims
            if is_reader and reader.user and claim.payee_id == member.pk
        ],
        "debts": debt_list.build(accounts, table, reader, debts=others, why=why_payees).fold(
            f"{account_display.account_url(table, member.slug)}?more=debts", is_open=more == "debts"
        ),
        **(account_messages.member_message_and_picture(history, accounts, table, at=now()) if debts else {}),
    }


def _statement_context(
    member: Member, people: People, table: Table, request: HttpRequest, reader: PageReader
) -> dict[str, object]:
    page, time = requested_page(request), _requested_range(request)
    start = (page - 1) * PAGE_SIZE
    statement = statements.load_page(member, people, time=time, start=start, count=PAGE_SIZE)
    first = statement.rows[0] if statement.rows else None
    before = first.balance - first.amount if first else statement.totals.before
    return {
        "time": time,
        "time_in_words": _range_label(time),
        "times": [
            (_range_label(date_range), _range_query(date_range))
            for date_range in statements.load_ranges(member, people)
        ]
        if page == 1
        else [],
        "entries": list(statement_items(statement.rows, member, people, table, reader.member)),
        "opening": amounts.money(statement.totals.before, table, signed=True),
        "before": amounts.money(before, table, signed=True)
        if statement.has_older or (time.is_bound and page > 1)
        else "",
        "sums": list(_total_items(statement.totals, table)) if page == 1 else [],
        "after": amounts.money(statement.totals.after, table, signed=True),
        "older": page + 1 if statement.has_older else None,
        "newer": page - 1 if page > 1 else None,
    }


def _requested_range(request: HttpRequest) -> DateRange:
    """Return the period in the query string. A missing or invalid day is no bound."""
    return DateRange(
        parsing.parse_day(request.GET.get("from", "")), parsing.parse_day(request.GET.get("to", ""))
    )


def _range_label(time: DateRange) -> str:
    if time.first and time == statements.month_range(time.first):
        return capfirst(date_format(time.first, "F Y"))
    if time.first and time == statements.year_range(time.first):
        return str(time.first.year)
    dates = (days.format_day(day) for day in (time.first, time.last) if day)
    return " – ".join(dates) or _("All time")


def _range_query(time: DateRange) -> str:
    dates = (("from", time.first), ("to", time.last))
    return urlencode({name: day.isoformat() for name, day in dates if day})


def _total_items(sums: StatementTotals, table: Table) -> Iterator[tuple[str, str, str]]:
    for label, amount in (
        (_("Starting balances"), sums.opening),
        (_("Games"), sums.games),
        (_("Expenses"), sums.expenses),
        (pgettext("entry", "Paid on the spot"), sums.on_the_spot),
        (_("Paid"), sums.paid),
        (_("Received"), sums.got),
        (_("Was forgiven"), sums.was_forgiven),
        (_("Forgave"), sums.forgave),
    ):
        if amount:
            yield label, amounts.money(amount, table, signed=True), amounts.tone(amount)
