"""A reminder (recordatorio) to send to one person: what is owed to whom, and where to send it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import override

from games.models import Member, Table
from games.money.balances import Accounts, Line
from games.shown.common.amounts import money


def reminder_of(member: Member, accounts: Accounts, table: Table) -> str:
    """The member's own lines of the plan as a text in the table's language; "" where nothing is left but what they say
    is paid."""
    lines = [line for line in accounts.to_pay if line.payer == member and line.unsaid]
    with override(table.language):
        return "\n".join(_sentences(member, lines, table)) if lines else ""


def _sentences(member: Member, lines: Sequence[Line], table: Table) -> Iterator[str]:
    yield _("%(name)s, this is what you owe at %(table)s:") % {"name": member.name, "table": table.name}
    for line in lines:
        said = _("%(amount)s to %(name)s") % {"amount": money(line.unsaid, table), "name": line.payee.name}
        yield f"{said} ({line.payee.account})" if line.payee.account else said
