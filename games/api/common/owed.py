"""What a game still owes, what was paid for it and what is only claimed, as the API says it."""

from __future__ import annotations

from collections.abc import Iterable

from games.api.common.amounts import moment_said
from games.models import Payment, Table
from games.money.balances import Line, People
from games.money.dues import Due, Dues


def owed_said(dues: Dues, table: Table) -> dict[str, object]:
    """What is owed as who reads the accounts sees it, and what of it may be ticked off."""
    return _said(dues, table, [_due(due, dues) for due in dues.lines])


def owed_alone_said(dues: Dues, table: Table) -> dict[str, object]:
    """What a game came to, for who does not read the accounts: whether it is still to be paid is not his to know."""
    lines = [
        {**_line(due, due.amount), "claimed": 0, "may_be_paid": False, "to_tick": 0} for due in dues.lines
    ]
    return _said(dues, table, lines)


def _said(dues: Dues, table: Table, lines: list[dict[str, object]]) -> dict[str, object]:
    plan = dues.plan
    return {
        "lines": lines,
        "replaced": [_line(due, due.amount) for due in dues.replaced],
        "is_corrected": dues.is_corrected,
        "paid": _paid(dues.paid, table),
        "claimed": _paid(dues.claimed, table),
        "by_plan": plan is not None,
        "plan": [
            {**_line(line, line.left), "claimed": line.claimed, "to_pay": line.unsaid}
            for line in (plan.lines if plan else ())
        ],
        "paid_in_accounts": _paid(plan.paid, table) if plan else [],
    }


def _due(due: Due, dues: Dues) -> dict[str, object]:
    return {
        **_line(due, due.amount),
        "claimed": due.claimed,
        "may_be_paid": due.may_be_paid,
        "to_tick": due.unsaid if due in dues.to_tick else 0,
    }


def _line(line: Due | Line, amount: int) -> dict[str, object]:
    return {"from": line.payer.slug, "to": line.payee.slug, "amount": amount}


def _paid(payments: Iterable[Payment], table: Table) -> list[dict[str, object]]:
    found = list(payments)
    people = People.of(table) if found else None
    return [
        {
            "id": payment.pk,
            "from": people.by_pk[payment.payer_id].slug if people else "",
            "to": people.by_pk[payment.payee_id].slug if people else "",
            "amount": payment.amount,
            "method": payment.method,
            "at": moment_said(payment.made_at, table),
        }
        for payment in found
    ]
