"""A person's statement of their entries, and the accounts as a text for the group's chat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import override

from games.common.amounts import money, tone_of
from games.common.days import day_in_words
from games.common.names import isolated
from games.models import EntryKind, Member, Payment, Table
from games.money.balances import Accounts, Moved
from games.money.pages.debt_rows import Reader, cause_in_words, debts_shown, lines_of
from games.money.pages.rows import method_in_words, payment_in_words
from games.tables.people import People


@dataclass(frozen=True)
class StatementRow:
    """A row of a statement: what an entry moved, and the balance after it. `href` is "" without a page."""

    title: str
    detail: str
    amount: str
    tone: str
    balance: str
    href: str


def statement_row(moved: Moved, people: People, table: Table) -> StatementRow:
    """Return an entry as a row of a person's statement."""
    entry, payment = moved.entry, moved.entry.payment
    title, href = cause_in_words(entry, table)
    details = [day_in_words(entry.night)]
    if payment is not None:
        title = payment_in_words(payment, people)
        details.append(_("taken back") if entry.kind == EntryKind.UNPAID else method_in_words(payment.method))
    return StatementRow(
        title=title,
        detail=" · ".join(details),
        amount=money(moved.amount, table, signed=True),
        tone=tone_of(moved.amount),
        balance=money(moved.balance, table, signed=True),
        href=href,
    )


def message_of(
    accounts: Accounts,
    table: Table,
    *,
    at: datetime,
    paid: Iterable[Payment] = (),
    of: Member | None = None,
) -> str:
    """Return the accounts as a text in the table's language: who pays whom, who has paid, and all balances.

    `paid` are the payments of tonight, and `at` is the moment at which the text is sent. Of one member, it
    has only their own debts.
    """
    with override(table.language):
        return "\n".join(_lines(accounts, table, at, paid, of))


def _lines(
    accounts: Accounts, table: Table, at: datetime, paid: Iterable[Payment], of: Member | None
) -> Iterator[str]:
    yield _("%(table)s: the accounts") % {"table": isolated(table.name)}
    yield ""
    debts = [debt for debt in accounts.to_pay if of in (debt.payer, debt.payee)] if of else None
    yield from lines_of(debts_shown(accounts, table, Reader(), debts=debts, paid=paid), table, at)
    owing = [member for member in accounts.people.own if of is None and accounts.balances[member.slug]]
    if owing:
        yield ""
        yield _("Balances:")
    for member in sorted(owing, key=lambda member: -accounts.balances[member.slug]):
        yield f"{isolated(member.name)}: {money(accounts.balances[member.slug], table, signed=True)}"
