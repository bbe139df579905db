"""Write payments, each once per idempotency key, and update the plan (who pays whom).

A *step* is a row of a payment's history, such as its confirmation or cancellation. A *present* member is one
who was not merged into another. The caller holds the table's lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.utils.timezone import now

from games.changes import tell, tell_ready, told
from games.keys import KeyReused
from games.models import (
    MOST_MONEY,
    Change,
    ChangeKind,
    Game,
    Member,
    Method,
    Payment,
    PaymentStep,
    StepKind,
    Table,
)
from games.money.balances import People
from games.money.plans import replanned
from games.rows import Ready
from games.scoring.errors import RuleError
from games.scoring.words import Amount, _


class TakenBack(RuleError):
    """Raised if the payment with this idempotency key was cancelled. Only a new key can record it again."""


class StaleDues(Exception):
    """Raised if the payment that the user ticked off (marked as paid in cash) is no longer due."""


WORDS = ("amount", "method", "note", "made_at", "paid_on")  # the fields that an amendment may change


@dataclass(frozen=True)
class PaymentFact:
    """The content of a payment when it is first recorded."""

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
    is_claimed: bool = False,
) -> tuple[Payment, ...]:
    """Record payments under this key and return them, or return the payments recorded under this key before.

    Raise KeyReused if the earlier payments differ, and RuleError unless each amount is positive and at most
    MOST_MONEY. A payment with `is_claimed` does not count until it is confirmed. `made_at` is the moment from
    which the payments count (by default `at`), `arrived_at` the moment at which the site got them (by default
    now). Pass `people` if the members were read already.
    """
    for one in paid:
        check_amount(one.amount)
    known = known_under(table, key)
    if known:
        if [first_wording(payment) for payment in known] != paid:
            raise KeyReused
        return known
    payments = tuple(
        Payment(
            table=table, payer=one.payer, payee=one.payee, amount=one.amount, method=one.method, note=one.note,
            game=one.game, night=one.night, key=key, made_at=made_at or at, paid_on=one.paid_on, recorded_at=at,
            arrived_at=arrived_at or now(), recorded_by=by, claimed_at=at if is_claimed else None,
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


def first_wording(payment: Payment) -> PaymentFact:
    """Return the payment as it was first recorded, before any amendment."""
    first, ends = wording_of(payment), (payment.payer, payment.payee)
    assert first.amount is not None, "only an amendment keeps what was said"
    return PaymentFact(
        *ends, first.amount, Method(first.method), first.note, payment.game, first.paid_on, payment.night
    )


def wording_of(payment: Payment, *, after: PaymentStep | None = None) -> Payment | PaymentStep:
    """Return the row that has the payment's first content or, with `after`, the content after this step.

    The step of an amendment stores the content before that amendment. So this row is the step of the next
    amendment or, if none follows, the payment itself.
    """
    since = after.pk if after else 0
    amended = (step for step in payment.steps.all() if step.turn == StepKind.AMENDED and step.pk > since)
    return next(amended, payment)


def note_step(
    payment: Payment,
    turn: StepKind,
    *,
    by: User,
    at: datetime,
    text: str = "",
    says: Mapping[str, object] | None = None,
) -> None:
    """Record a step of a payment's history and add it to the change feed.

    `turn` is the kind of step, such as a cancellation. `text` is the user's reason or objection; "" for none.
    If the step is an amendment, also set the new values `says` on the payment. The caller saves the payment.
    """
    step = PaymentStep(payment=payment, turn=turn, by=by, at=at, text=text)
    if turn is StepKind.AMENDED:
        assert says is not None, "an amendment says something else"
        for name in WORDS:
            setattr(step, name, getattr(payment, name))
            setattr(payment, name, says[name])
    step.save()
    tell(payment.table, Change(what=WHAT_OF_TURN[turn], payment=payment))


class ReadyTurn:
    """A step for each of many payments, all of the same kind, prepared before the table is locked.

    The steps can be inserted as long as nothing else is recorded at the table.
    """

    def __init__(self, payments: Sequence[Payment], turn: StepKind, *, by: User, at: datetime) -> None:
        steps = [PaymentStep(payment=payment, turn=turn, by=by, at=at) for payment in payments]
        self._steps = Ready(steps)
        self._told = told(Change(what=WHAT_OF_TURN[turn], payment=payment) for payment in payments)

    def note(self, table: Table) -> None:
        """Insert the steps and add them to the change feed. The caller holds the table's lock."""
        self._steps.insert()
        tell_ready(table, self._told)


WHAT_OF_TURN: Mapping[StepKind, ChangeKind] = {
    StepKind.ACCEPTED: ChangeKind.PAYMENT_ACCEPTED,
    StepKind.CONFIRMED: ChangeKind.PAYMENT_CONFIRMED,
    StepKind.DISPUTED: ChangeKind.PAYMENT_DISPUTED,
    StepKind.UPHELD: ChangeKind.PAYMENT_UPHELD,
    StepKind.AMENDED: ChangeKind.PAYMENT_AMENDED,
    StepKind.CANCELLED: ChangeKind.PAYMENT_CANCELLED,
    StepKind.DISCARDED: ChangeKind.PAYMENT_CANCELLED,
    StepKind.RESTORED: ChangeKind.PAYMENT_RESTORED,
    StepKind.MERGED: ChangeKind.PAYMENT_CANCELLED,
    StepKind.PARTED: ChangeKind.PAYMENT_RESTORED,
}


def known_under(table: Table, key: str) -> tuple[Payment, ...]:
    """Return the payments recorded under this idempotency key before; an empty tuple if there are none.

    Raise TakenBack if one of them was cancelled since.
    """
    known = tuple(table.payments.filter(key=key).select_related("payer", "payee", "game").order_by("pk"))
    if any(payment.cancelled_at is not None for payment in known):
        raise TakenBack(_("This payment was recorded and then cancelled. If it was paid, record it again."))
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
