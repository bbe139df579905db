"""What is still to be paid for one game, as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass

from games.accounts import People
from games.dues import Dues
from games.models import Table
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
