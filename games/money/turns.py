"""Check the fields of a payment against the steps in its history.

A *step* is a row that says when the payment was confirmed, amended, disputed, cancelled and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

from games.models import Payment, PaymentStep, StepKind

ACCEPTING = {StepKind.ACCEPTED, StepKind.CONFIRMED, StepKind.UPHELD, StepKind.AMENDED}


def wrong_turns(payment: Payment, steps: Iterable[PaymentStep]) -> Iterator[str]:
    """Yield a message for each contradiction between a payment's fields and its steps.

    Either the fields do not show the last step, or they show a state that no step led to.
    """
    happened = [(StepKind(step.turn), step.at) for step in steps]  # not sorted by time: clocks can be wrong
    for turn, at in [step for step in happened if step[0] in _SAYS][-1:]:
        if not _SAYS[turn](payment, at):
            yield f"was {turn}, and does not say so"
    if payment.accepted_at and not any((turn, payment.accepted_at) in happened for turn in ACCEPTING):
        yield "says that it was accepted, and was not"
    if (
        payment.confirmed_at
        and payment.cancelled_at
        and happened[-1:] != [(StepKind.MERGED, payment.cancelled_at)]
    ):
        yield "says that it was confirmed, and is cancelled"
    if payment.is_disputed and (StepKind.DISPUTED, payment.disputed_at) not in happened:
        yield "says that it was disputed, and was not"


# For each kind of step: return whether the payment's fields show that its last step was of this kind.
_SAYS: Mapping[StepKind, Callable[[Payment, datetime], bool]] = {
    StepKind.ACCEPTED: lambda payment, at: payment.accepted_at == at,
    StepKind.CONFIRMED: lambda payment, at: (
        payment.confirmed_at in (at, None) and payment.disputed_at is None
    ),
    StepKind.DISPUTED: lambda payment, at: payment.disputed_at == at,
    StepKind.UPHELD: lambda payment, at: payment.disputed_at is None and not payment.is_claimed,
    StepKind.CANCELLED: lambda payment, at: payment.cancelled_at == at,
    StepKind.DISCARDED: lambda payment, at: payment.cancelled_at == at,
    StepKind.RESTORED: lambda payment, at: payment.cancelled_at is None,
    StepKind.MERGED: lambda payment, at: payment.cancelled_at == at,
    StepKind.PARTED: lambda payment, at: payment.cancelled_at is None,
}
