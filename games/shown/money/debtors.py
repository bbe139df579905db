"""The debtors of a table: the amounts, since when they owe them, and a reminder ready to send to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.models import Table
from games.money.balances import Account, Accounts, negative_since
from games.nights import night_of
from games.shown.common.amounts import money
from games.shown.common.days import day_in_words
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.money.accounts import account_page
from games.shown.money.reminders import reminder_of


@dataclass(frozen=True)
class Debtor:
    """A member with a negative balance: the amount, the night since which they owe, and a reminder.

    The reminder is "" for the reader's own debt, and if the member claims to have paid everything.
    """

    person: Person
    amount: str
    detail: str
    reminder: str
    href: str


def debtors_of(accounts: Accounts, table: Table, me: User) -> Sequence[Debtor]:
    """Return the members who owe money. The first has owed for the longest time. `me` is the reader."""
    since = negative_since(accounts)
    owing = [account for account in accounts.accounts.values() if account.balance < 0]
    return [
        _debtor(account, since[account.member.slug], accounts, table, me)
        for account in sorted(owing, key=lambda account: since[account.member.slug])
    ]


def _debtor(account: Account, since: datetime, accounts: Accounts, table: Table, me: User) -> Debtor:
    member = account.member
    detail = _("since %(day)s") % {"day": day_in_words(night_of(since, table))}
    if account.claimed:
        detail = f"{detail} · {_('reported as paid') if not account.owes else _('reported a part as paid')}"
    return Debtor(
        person=person_of(member),
        amount=money(-account.balance, table),
        detail=detail,
        reminder="" if member.is_of(me) else reminder_of(member, accounts, table),
        href=account_page(table, member.slug),
    )
