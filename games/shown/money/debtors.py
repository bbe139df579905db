"""The debtors of a table: the amounts, since when they owe them, and a reminder ready to send to each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.models import Member, Table
from games.money.balances import Accounts, owing_since
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


def debtors_of(accounts: Accounts, table: Table, me: User, at: datetime) -> Sequence[Debtor]:
    """Return the members who owe money at this moment. The first has owed for the longest time.

    `me` is the reader.
    """
    if not any(balance < 0 for balance in accounts.balances.values()):
        return []
    since = owing_since(table, accounts.people)
    # who has paid since the accounts were read owes nothing any more
    owing = [one for one in accounts.people.own if accounts.balances[one.slug] < 0 and one.slug in since]
    owing.sort(key=lambda member: since[member.slug])
    return [_debtor(member, since[member.slug], accounts, table, me, at) for member in owing]


def _debtor(member: Member, since: date, accounts: Accounts, table: Table, me: User, at: datetime) -> Debtor:
    debts = [debt for debt in accounts.to_pay if debt.payer == member]
    details = [_("since %(day)s") % {"day": day_in_words(since)}]
    if any(debt.claimed for debt in debts):
        is_all = not any(debt.unsaid for debt in debts)
        details.append(_("says it is paid") if is_all else _("says a part is paid"))
    return Debtor(
        person=person_of(member),
        amount=money(-accounts.balances[member.slug], table),
        detail=" · ".join(details),
        reminder="" if member.is_of(me) else reminder_of(member, accounts, table, at),
        href=account_page(table, member.slug),
    )
