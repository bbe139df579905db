"""One payment told in full: who recorded it, and each thing that became of it."""

from __future__ import annotations

from typing import Any

from django.db.models import BigIntegerField
from django.http import Http404

from games.api.common.amounts import moment_said, money_said
from games.api.common.payments import payment_said
from games.models import Payment, PaymentStep, Table, Turn
from games.money.balances import People
from games.shown.common.members import known_as

HIGHEST = BigIntegerField.MAX_BIGINT  # of a key in the database


def payment_or_404(table: Table, number: int) -> Payment:
    """The payment of this number at this table."""
    found = table.payments.select_related("table", "payer", "payee", "game", "recorded_by")
    payment = found.filter(pk=number).first() if number <= HIGHEST else None
    if payment is None:
        raise Http404
    return payment


def in_full(payment: Payment, table: Table) -> dict[str, Any]:
    """The payment with its steps, the oldest first."""
    people, steps = People.of(table), payment.steps.select_related("by")
    told = [_step(step, people, table) for step in steps]
    return {
        **payment_said(payment, table),
        **money_said(table),
        "recorded_by": known_as(payment.recorded_by, people),
        "amended": sum(step["turn"] == Turn.AMENDED for step in told),
        "steps": told,
    }


def _step(step: PaymentStep, people: People, table: Table) -> dict[str, Any]:
    before = {
        "amount": step.amount,
        "method": step.method,
        "note": step.note,
        "paid_on": None if step.paid_on is None else step.paid_on.isoformat(),
    }
    return {
        "turn": step.turn,
        "at": moment_said(step.at, table),
        "by": known_as(step.by, people),
        "text": step.text,
        "before": before if step.turn == Turn.AMENDED else None,
    }
