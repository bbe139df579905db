"""The accounts of a table or of one member for the group's chat, as text and as data for a picture.

Both are in the table's language, name everybody, and carry the reasons of payees and balances.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.common import amounts, days, naming
from games.models import Member, Payment, Table
from games.money.presenters import account_display, debt_list, explanations, sharing
from games.money.presenters.debt_list import DebtList, PageReader
from games.money.presenters.money_history import MoneyHistory
from games.money.presenters.sharing import PictureData
from games.money.services.accounting import Accounts
from games.tables.services import roster


def table_message(
    accounts: Accounts,
    table: Table,
    *,
    at: datetime,
    paid: Iterable[Payment] = (),
    histories: Collection[MoneyHistory] = (),
) -> str:
    """Return a table's accounts as a message: debts, payments and balances.

    `paid` are tonight's payments, and `at` is the time shown. `histories` give the reasons.
    """
    by_member = {history.member: history for history in histories}
    with override(table.language):
        lines = [
            _title(table),
            "",
            *debt_list.message_lines(_table_debts(accounts, table, paid, histories), table, at),
        ]
        unsettled_members = [*_unsettled_members(accounts)]
        if unsettled_members:
            lines += ["", _("Balances:")]
        for member in unsettled_members:
            lines.append(_balance_line(member, accounts, table))
            if member in by_member:
                lines += [f"  {line}" for line in explanations.message_lines(by_member[member], table)]
    return "\n".join(lines)


def table_picture(
    accounts: Accounts, table: Table, *, at: datetime, histories: Collection[MoneyHistory]
) -> Mapping[str, str]:
    """Return the template variables of the picture of a table's accounts."""
    with override(table.language):
        debts = _table_debts(accounts, table, (), histories)
        people = [
            sharing.picture_row(
                roster.to_person(member),
                "",
                amounts.money(accounts.balances[member.slug], table, signed=True),
                won=False,
                tone=amounts.tone(accounts.balances[member.slug]),
            )
            for member in _unsettled_members(accounts)
        ]
        title = _("The accounts")
        return _picture(table, title, debts, table.name, at, people=people, reason=debts.remaining_label)


def member_message_and_picture(
    history: MoneyHistory, accounts: Accounts, table: Table, *, at: datetime
) -> Mapping[str, str]:
    """Return the template variables of a member's own debts as a message and as a picture.

    Both have the reasons of their balance.
    """
    member = history.member
    with override(table.language):
        why = history.payee_sentences()
        debts = debt_list.build(accounts, table, PageReader(), debts=history.debts, why=why)
        reasons = [*explanations.message_lines(history, table)]
        lines = [_title(table), "", *debt_list.message_lines(debts, table, at)]
        if reasons:
            lines += ["", _balance_line(member, accounts, table), *reasons]
        headline = account_display.balance_headline(member, accounts, table, is_reader=False)
        picture = _picture(
            table,
            " ".join(filter(None, (headline.detail, headline.balance))),
            debts,
            f"{table.name} {member.name}",
            at,
            winners=[roster.to_person(member).picture_data],
            notes=reasons,
        )
    return {"message": "\n".join(lines), **picture}


def _title(table: Table) -> str:
    return _("%(table)s: the accounts") % {"table": naming.isolate(table.name)}


def _unsettled_members(accounts: Accounts) -> list[Member]:
    """Return the members who owe or are owed, those who are owed the most first."""
    balances = accounts.balances
    unsettled_members = [member for member in accounts.people.current_members if balances[member.slug]]
    return sorted(unsettled_members, key=lambda member: -balances[member.slug])


def _table_debts(
    accounts: Accounts, table: Table, paid: Iterable[Payment], histories: Iterable[MoneyHistory]
) -> DebtList:
    why = {ends: text for history in histories for ends, text in history.payee_sentences().items()}
    return debt_list.build(accounts, table, PageReader(), paid=paid, why=why)


def _balance_line(member: Member, accounts: Accounts, table: Table) -> str:
    balance = amounts.money(accounts.balances[member.slug], table, signed=True)
    return f"{naming.isolate(member.name)}: {balance}"


def _picture(
    table: Table,
    title: str,
    debts: DebtList,
    name: str,
    at: datetime,
    *,
    reason: str = "",
    people: Sequence[PictureData] = (),
    **fields: object,
) -> Mapping[str, str]:
    occasion, listing = naming.isolate(table.name), debt_list.picture_data(debts, table, at)
    picture = sharing.build_picture(occasion, title, reason, [*people], debts=listing, **fields)
    day = days.to_table_time(at, table).date()
    return {"drawn": json.dumps(picture), "file_name": f"{slugify(name)}-{day}.png"}
