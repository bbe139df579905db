"""Write payments, each once per idempotency key, and update the plan (who pays whom).

A *present* member is one who was not merged into another. The caller holds the table's lock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.utils.timezone import now

from games.changes import tell
from games.keys import KeyReused
from games.models import (
    MOST_MONEY,
    Change,
    ChangeKind,
    Game,
    Member,
    Method,
    Payment,
    Table,
)
from games.money.balances import People
from games.money.plans import replanned
from games.rows import Ready
from games.scoring.errors import RuleError
from games.scoring.words import Amount, _


class TakenBack(RuleError):
    """Raised if the payment with this idempotency key was taken back. Only a new key can record it again."""


class StaleDues(Exception):
    """Raised if the payment that the user ticked off (marked as paid in cash) is no longer due."""


@dataclass(frozen=True)
class PaymentFact:
    """The content of a payment."""

    payer: Member
    payee: Member
    amount: int
    method: Method
    note: str = ""
    game: Game | None = None
    paid_on: date | None = None  # the night to which the payment is dated back
    night: date | None = None  # the night that the payment settles


def record_payments(
    table: Table,
    paid: list[PaymentFact],
    *,
    people: People | None = None,
    key: str,
    by: User,
    at: datetime,
    made_at: datetime | None = None,
    arrived_at: datetime | None = None,
) -> tuple[Payment, ...]:
    """Record payments under this key and return them, or return the payments recorded under this key before.

    Raise KeyReused if the earlier payments differ, and RuleError unless each amount is positive and at most
    MOST_MONEY. `made_at` is the moment from which the payments count (by default `at`), `arrived_at` the
    moment at which the site got them (by default now). Pass `people` if the members were read already.
    """
    for one in paid:
        check_amount(one.amount)
    known = known_under(table, key)
    if known:
        if [fact_of(payment) for payment in known] != paid:
            raise KeyReused
        return known
    payments = tuple(
        Payment(
            table=table, payer=one.payer, payee=one.payee, amount=one.amount, method=one.method, note=one.note,
            game=one.game, night=one.night, key=key, made_at=made_at or at, paid_on=one.paid_on, recorded_at=at,
            arrived_at=arrived_at or now(), recorded_by=by,
            is_claim=Method(one.method).is_by_hand and is_claim(one.payer, one.payee, by),
        )
        for one in paid
    )  # fmt: skip
    with replanned(table, at=at, is_payment=True, people=people):
        Ready(payments).insert()
    tell(table, *(Change(what=ChangeKind.PAYMENT_RECORDED, payment=payment) for payment in payments))
    return payments


def refusal_of_gone_line(payer: Member, payee: Member) -> RuleError:
    """Return the error for a payment that was ticked off without a network and is no longer due.

    The user marked it as paid on the phone (ticked it off). Before the site got this, the amount that this
    payer has to pay this payee had changed, or somebody else had recorded the payment.
    """
    return RuleError(
        _(
            "Not recorded: what {payer} owed {payee} has changed or was paid. Check who pays whom now.",
            payer=payer.name,
            payee=payee.name,
        )
    )


def check_amount(amount: int) -> None:
    """Raise RuleError unless the amount is positive and at most MOST_MONEY."""
    if not 0 < amount <= MOST_MONEY:
        raise RuleError(
            _("A payment must be more than zero and at most {most}.", most=Amount(MOST_MONEY)),
            field="amount",
        )


def fact_of(payment: Payment) -> PaymentFact:
    """Return the content of a recorded payment."""
    return PaymentFact(
        payment.payer, payment.payee, payment.amount, Method(payment.method), payment.note, payment.game,
        payment.paid_on, payment.night,
    )  # fmt: skip


def is_claim(payer: Member, payee: Member, by: User) -> bool:
    """Return whether a payment that this user records is a claim: they are its payer, and the payee can answer."""
    return payer.is_of(by) and payee.has_phone


def known_under(table: Table, key: str) -> tuple[Payment, ...]:
    """Return the payments recorded under this idempotency key before; an empty tuple if there are none.

    Raise TakenBack if one of them was taken back since.
    """
    known = tuple(table.payments.filter(key=key).select_related("payer", "payee", "game").order_by("pk"))
    if any(payment.ended_at is not None for payment in known):
        raise TakenBack(_("This payment was recorded and then taken back. If it was paid, record it again."))
    return known


def two_at_table(payer: Member, payee: Member, people: People) -> tuple[Member, Member]:
    """Return the payer and the payee, each resolved to the present member if they were merged.

    Raise RuleError if both are the same person, or if one belongs to another table.
    """
    payer, payee = at_table(payer, people, "payer"), at_table(payee, people, "payee")
    if payer == payee:
        raise RuleError(_("Payer and payee are the same: choose two people."), field="payee")
    return payer, payee


def at_table(member: Member, people: People, field: str) -> Member:
    """Return this member or, if they were merged, the present member whom they became.

    Raise RuleError, naming the form's `field`, if the member belongs to another table.
    """
    if member.pk not in people.by_pk:
        raise RuleError(_("{name} does not belong to this table.", name=member.name), field=field)
    return people.by_pk[member.pk]
