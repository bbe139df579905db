"""Check what a payment says about itself against its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime

from games.models import Payment, PaymentStep, Turn

ACCEPTING = {Turn.ACCEPTED, Turn.CONFIRMED, Turn.UPHELD, Turn.AMENDED}


def wrong_turns(payment: Payment, steps: Iterable[PaymentStep]) -> Iterator[str]:
    """Yield each contradiction between a payment and its steps: its last step is missing in it, or it has one
    without a step.

    For some payments disputed or confirmed long ago no step was kept.
    """
    happened = [(Turn(step.turn), step.at) for step in steps]  # in their order, whatever the clock said
    for turn, at in [step for step in happened if step[0] in _SAYS][-1:]:
        if not _SAYS[turn](payment, at):
            yield f"was {turn}, and does not say so"
    if payment.accepted_at and not any((turn, payment.accepted_at) in happened for turn in ACCEPTING):
        yield "says that it was accepted, and was not"
    if (
        payment.confirmed_at
        and payment.cancelled_at
        and happened[-1:] != [(Turn.MERGED, payment.cancelled_at)]
    ):
        yield "says that it was confirmed, and is cancelled"
    if happened and payment.is_disputed and (Turn.DISPUTED, payment.disputed_at) not in happened:
        yield "says that it was disputed, and was not"


# For each turn: whether a payment shows it as its last step, taken at this moment.
_SAYS: Mapping[Turn, Callable[[Payment, datetime], bool]] = {
    Turn.ACCEPTED: lambda payment, at: payment.accepted_at == at,
    Turn.CONFIRMED: lambda payment, at: payment.confirmed_at in (at, None) and payment.disputed_at is None,
    Turn.DISPUTED: lambda payment, at: payment.disputed_at == at,
    Turn.UPHELD: lambda payment, at: payment.disputed_at is None and not payment.is_claimed,
    Turn.CANCELLED: lambda payment, at: payment.cancelled_at == at,
    Turn.DISCARDED: lambda payment, at: payment.cancelled_at == at,
    Turn.RESTORED: lambda payment, at: payment.cancelled_at is None,
    Turn.MERGED: lambda payment, at: payment.cancelled_at == at,
    Turn.PARTED: lambda payment, at: payment.cancelled_at is None,
}
