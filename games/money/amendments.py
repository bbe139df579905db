"""Amend payments: change the amount, method, note or day. Earlier contents are kept.

A *keeper of the accounts* is an owner or scorer of the table. A *claimed* payment is one that its
payer says they made: it does not count until the payee or a keeper confirms it. A *step* is a row of a
payment's history, such as its confirmation or an amendment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.models import NOTE_LENGTH, Method, Payment, PaymentStep, StepKind
from games.money.balances import People, StaleAccounts
from games.money.booking import WORDS, check_amount, note_step
from games.money.dating import moment_on
from games.money.payments import (
    SETTLED,
    check_by_hand,
    check_claim,
    check_unconfirmed,
    hold_payment,
    is_own_claim,
    settle,
)
from games.money.plans import replanned
from games.scoring.errors import RuleError
from games.scoring.one_line import one_line
from games.scoring.words import _


@dataclass(frozen=True)
class Words:
    """The content of a payment that an amendment may change.

    `day` is the night to which the payment is dated back, or None.
    """

    amount: int
    method: Method
    note: str = ""
    day: date | None = None

    @classmethod
    def of(cls, source: Payment | PaymentStep) -> Words:
        """Return the content of a payment or, given the step of an amendment, the content before it."""
        assert source.amount is not None, "only an amendment keeps what was said"
        return cls(source.amount, Method(source.method), source.note, source.paid_on)


def amendments_of(payment: Payment) -> Sequence[PaymentStep]:
    """Return the payment's amendments, oldest first. Each step stores the content before the amendment."""
    return list(payment.steps.filter(turn=StepKind.AMENDED))


@transaction.atomic
def amend(
    payment: Payment,
    words: Words,
    *,
    after: int,
    by: User,
    is_keeper: bool,
    is_settling: bool = True,
    text: str = "",
    at: datetime | None = None,
) -> Payment:
    """Change the content of a payment and return the payment. The content before stays visible.

    `is_keeper` tells whether the user `by` is a keeper of the accounts. After a keeper's amendment the
    payment counts, even if it was disputed or only claimed, unless `is_settling` is False. Other users may
    amend only payments that they claimed themselves and that nobody has answered. `text` is the reason for
    the amendment. `after` is the number of amendments that the user saw: raise StaleAccounts if the payment
    has another number of amendments now. Raise RuleError if the payment was confirmed or cancelled.
    """
    hold_payment(payment)
    text = one_line(text, longest=NOTE_LENGTH, field="text")
    new_values = _checked(payment, words, by=by, is_keeper=is_keeper)
    if len(amendments_of(payment)) != after:
        raise StaleAccounts
    if all(getattr(payment, name) == value for name, value in new_values.items()):
        if payment.disputed_at is not None:
            raise RuleError(_("Nothing was changed. Change something, or leave it as it is."))
        return payment
    amended_at = at or now()
    with replanned(payment.table, at=amended_at, is_payment=True):
        note_step(payment, StepKind.AMENDED, by=by, at=amended_at, text=text, says=new_values)
        if is_keeper and is_settling:
            settle(payment, at=amended_at)
        payment.save(update_fields=[*WORDS, *SETTLED])
    return payment


def _checked(payment: Payment, words: Words, *, by: User, is_keeper: bool) -> dict[str, object]:
    """Return the payment's new values by field name. Raise RuleError if this amendment is not allowed."""
    if payment.cancelled_at is not None:
        raise RuleError(_("This payment was cancelled."))
    check_unconfirmed(payment)
    if payment.method == Method.OPENING:
        raise RuleError(_("A starting balance can't be amended. Cancel it instead."))
    check_by_hand(words.method)
    if not is_keeper:
        if not is_own_claim(payment, by):
            raise RuleError(_("Only a scorekeeper can amend this payment now."))
        check_claim(People.of(payment.table).by_pk[payment.payer_id], words.method, by)
    check_amount(words.amount)
    note = one_line(words.note, longest=NOTE_LENGTH, field="note")
    made_at, paid_on = _when(payment, words.day)
    ends = {"made_at": made_at, "paid_on": paid_on}
    return {"amount": words.amount, "method": str(words.method), "note": note, **ends}


def _when(payment: Payment, day: date | None) -> tuple[datetime, date | None]:
    """Return the values of `made_at` and `paid_on` after the amendment.

    `made_at` is the moment from which the payment counts. `day`, and then `paid_on`, is the night to which it
    is dated back, or None. A payment made on the spot for a game keeps its values.
    """
    if payment.game_id is not None or day == payment.paid_on:
        return payment.made_at, payment.paid_on
    return moment_on(day, payment.table, payment.recorded_at)
