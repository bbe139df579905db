"""A reminder (recordatorio) for one person: their debts at this moment, and where to send the money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import override

from games.models import Member, Table
from games.money.balances import Accounts, Owed
from games.names import isolated
from games.shown.common.amounts import money
from games.shown.common.days import moment_in_words


def reminder_of(member: Member, accounts: Accounts, table: Table, at: datetime) -> str:
    """Return a reminder of what the member owes at this moment, in the table's language.

    Return "" if no debt is left besides those that the member claims to have paid.
    """
    debts = [debt for debt in accounts.to_pay if debt.payer == member and debt.unsaid]
    with override(table.language):
        return "\n".join(_sentences(member, debts, table, at)) if debts else ""


def _sentences(member: Member, debts: Sequence[Owed], table: Table, at: datetime) -> Iterator[str]:
    names = {"name": isolated(member.name), "table": isolated(table.name)}
    yield _("%(name)s, you owe this at %(table)s (%(when)s):") % {**names, "when": moment_in_words(at, table)}
    for debt in debts:
        text = _("%(amount)s to %(name)s") % {
            "amount": money(debt.unsaid, table),
            "name": isolated(debt.payee.name),
        }
        yield f"{text} ({debt.payee.account})" if debt.payee.account else text
