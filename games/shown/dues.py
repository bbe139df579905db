"""What is still to be paid for one game, as its page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.accounts import People
from games.dues import Dues
from games.models import Table
from games.shown import settlement
from games.shown.accounts import PaymentRow, payment_row, person_of
from games.shown.amounts import money
from games.shown.people import Person


@dataclass(frozen=True)
class DueLine:
    """One payment still to be made, and whether it may be ticked off here."""

    payer: Person
    payee: Person
    amount: str
    may_be_paid: bool


@dataclass(frozen=True)
class DuesShown:
    """The lines still open, and the payments made for the game on the spot."""

    lines: tuple[DueLine, ...]
    paid: tuple[PaymentRow, ...]
    open: int
    sum: str


@dataclass(frozen=True)
class Tick:
    """A payment of the result, and whether it may be ticked off, or has been paid on the spot."""

    payment: settlement.Payment
    may_be_paid: bool = False
    is_paid: bool = False


def ticks_of(payments: Sequence[settlement.Payment], dues: Dues, table: Table) -> tuple[Tick, ...]:
    """The payments of a result with what has become of each.

    Where a correction came after a payment, what is left is another sum: then it stands on the page of the dues alone.
    """
    left = {(line.payer.slug, line.payee.slug): line for line in dues.lines}
    paid = {(payment.payer.slug, payment.payee.slug) for payment in dues.paid}
    found = []
    for payment in payments:
        pair = payment.payer.id, payment.payee.id
        line = left.get(pair)
        is_whole = line is not None and line.may_be_paid and money(line.amount, table) == payment.amount
        found.append(Tick(payment, may_be_paid=is_whole, is_paid=line is None and pair in paid))
    return tuple(found)


def dues_shown(dues: Dues, table: Table) -> DuesShown:
    """The dues of a game in words."""
    people = People.of(table)
    return DuesShown(
        lines=tuple(
            DueLine(person_of(line.payer), person_of(line.payee), money(line.amount, table), line.may_be_paid)
            for line in dues.lines
        ),
        paid=tuple(payment_row(payment, people, table) for payment in dues.paid),
        open=len(dues.open),
        sum=money(sum(line.amount for line in dues.open), table),
    )
