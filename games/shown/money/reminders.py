"""A reminder (recordatorio) for one person: their debts, and where to send the money."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import override

from games.models import Member, Table
from games.money.balances import Accounts, Line
from games.names import isolated
from games.shown.common.amounts import money


def reminder_of(member: Member, accounts: Accounts, table: Table) -> str:
    """Return a reminder of the member's debts, in the table's language.

    Return "" if no debt is left besides those that the member claims to have paid.
    """
    lines = [line for line in accounts.to_pay if line.payer == member and line.unsaid]
    with override(table.language):
        return "\n".join(_sentences(member, lines, table)) if lines else ""


def _sentences(member: Member, lines: Sequence[Line], table: Table) -> Iterator[str]:
    yield _("%(name)s, you owe this at %(table)s:") % {
        "name": isolated(member.name),
        "table": isolated(table.name),
    }
    for line in lines:
        text = _("%(amount)s to %(name)s") % {
            "amount": money(line.unsaid, table),
            "name": isolated(line.payee.name),
        }
        yield f"{text} ({line.payee.account})" if line.payee.account else text
