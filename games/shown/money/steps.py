"""The history of a payment: its steps (such as confirmed), and its version before each amendment."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import Payment, PaymentStep, StepKind, Table
from games.money.amendments import Words
from games.money.balances import People
from games.names import isolated
from games.shown.common.amounts import money
from games.shown.common.days import moment_in_words
from games.shown.common.members import known_as
from games.shown.common.typed import typed_amount
from games.shown.money.accounts import method_in_words, paid_in_words


@dataclass(frozen=True)
class StepShown:
    """One step in the history of a payment, such as an amendment.

    `detail` has its time and author, `text` the note that the author added, and `before` the version before
    an amendment. Each may be "".
    """

    title: str
    detail: str
    text: str
    before: str


def steps_shown(payment: Payment, people: People) -> tuple[StepShown, ...]:
    """Return every step of a payment, oldest first."""
    steps = list(payment.steps.select_related("by"))
    worded_by = isolated(known_as(payment.recorded_by, people))
    rows = []
    for step in steps:
        by = isolated(known_as(step.by, people))
        before = _before(step, worded_by, payment.table) if step.turn == StepKind.AMENDED else ""
        detail = ", ".join(filter(None, [moment_in_words(step.at, payment.table), by]))
        rows.append(StepShown(_turn_in_words(step, payment), detail, step.text, before))
        if before:
            worded_by = by
    return tuple(rows)


def _turn_in_words(step: PaymentStep, payment: Payment) -> str:
    match StepKind(step.turn):
        case StepKind.ACCEPTED | StepKind.CONFIRMED:
            return _("Confirmed")
        case StepKind.DISPUTED:
            return _("Disputed")
        case StepKind.UPHELD:
            return _("The payment stands")
        case StepKind.AMENDED:
            return _("Amended")
        case StepKind.CANCELLED if payment.is_claimed and step.by_id == payment.recorded_by_id:
            return _("Withdrawn")
        case StepKind.CANCELLED:
            return _("Not accepted") if payment.is_claimed else _("Cancelled")
        case StepKind.DISCARDED:
            return _("Cancelled: its night of an old notebook was removed")
        case StepKind.RESTORED:
            return _("Restored with its night")
        case StepKind.MERGED:
            return _("No longer counts: both are one person")
        case StepKind.PARTED:
            return _("Counts again: they are two people after all")


def _before(step: PaymentStep, by: str, table: Table) -> str:
    """Return the payment as it was before this amendment, in words.

    `by` is the name of the user who entered that earlier version; "" for a user without a name.
    """
    assert step.amount is not None
    words = [money(step.amount, table), method_in_words(step.method), step.note]
    if step.paid_on is not None:
        words.append(paid_in_words(step, table))
    words.append(_("by %(name)s") % {"name": by} if by else "")
    return _("previously: %(words)s") % {"words": ", ".join(filter(None, words))}


def words_typed(source: Payment | PaymentStep, table: Table) -> dict[str, str]:
    """Return the texts with which the HTML form of a payment is filled in, by field name.

    The texts show the payment as it is now or, if `source` is a step, as it was before that step.
    """
    words = Words.of(source)
    return {
        "amount": typed_amount(words.amount, table),
        "method": str(words.method),
        "note": words.note,
        "day": words.day.isoformat() if words.day else "",
    }
