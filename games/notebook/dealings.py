"""Read the money in a table's file: payments, and plans of payments. A plan says who pays whom.

`value` is always the JSON object to read.
"""

from __future__ import annotations

from typing import Any

from games.models import (
    MOST_MONEY,
    NOTE_LENGTH,
    Method,
    Payment,
    PaymentStep,
    Plan,
    StepKind,
)
from games.money.turns import wrong_turns
from games.notebook.contents import Contents
from games.notebook.fields import Fields, Unreadable
from games.scoring.words import _

WORDS = ("amount", "method", "note", "paid_on")
TIMES = (
    "made_at",
    "recorded_at",
    "arrived_at",
    "claimed_at",
    "accepted_at",
    "confirmed_at",
    "disputed_at",
    "cancelled_at",
)
WHO = ("payer", "payee", "by", "cancelled_by")
MOST_LINES = 1000
MOST_BALANCE = 10**17


def read_payment(value: Any, contents: Contents) -> None:
    """Add one payment with its steps to the contents. Raise Unreadable if it is invalid."""
    fields = Fields(value, *TIMES, *WHO, *WORDS, "key", "game", "night", "objection", "steps")
    cancelled_at = fields.moment_or_none("cancelled_at")
    payment = Payment(
        table=contents.table,
        payer=contents.member(fields.part("payer")),
        payee=contents.member(fields.part("payee")),
        **_words(fields),
        game=contents.game(fields),
        night=fields.day_or_none("night"),
        key=fields.key("key"),
        recorded_at=fields.moment("recorded_at"),
        arrived_at=fields.moment("arrived_at"),
        recorded_by=contents.recorder(fields, "by"),
        claimed_at=fields.moment_or_none("claimed_at"),
        accepted_at=fields.moment_or_none("accepted_at"),
        confirmed_at=fields.moment_or_none("confirmed_at"),
        disputed_at=fields.moment_or_none("disputed_at"),
        objection=fields.text("objection", longest=NOTE_LENGTH),
        cancelled_at=cancelled_at,
        cancelled_by=None if cancelled_at is None else contents.recorder(fields, "cancelled_by"),
    )
    _check(payment, contents)
    contents.payments.append(payment)
    steps = [_read_step(step, payment, contents) for step in fields.list_of("steps", most=MOST_LINES)]
    is_merged = bool(steps) and steps[-1].turn == StepKind.MERGED  # it may have been confirmed before
    if payment.confirmed_at is not None and not (payment.counts or (is_merged and not payment.disputed_at)):
        raise Unreadable(_("A payment is confirmed, or disputed or cancelled, but not both."))
    if any(wrong_turns(payment, steps)):
        raise Unreadable(_("The steps of a payment contradict its state."))
    contents.steps += steps


def _words(fields: Fields) -> dict[str, Any]:
    """Return the amount, method, note and dates in `fields`, by field name of the model.

    `fields` is a payment, or the content that a payment had before an amendment.
    """
    method = fields.text("method", longest=20)
    if method not in set(Method):
        raise Unreadable(_("“{method}” is not a way of paying.", method=method))
    return {
        "amount": fields.whole("amount", least=1, most=MOST_MONEY),
        "method": method,
        "note": fields.text("note", longest=NOTE_LENGTH),
        "made_at": fields.moment("made_at"),
        "paid_on": fields.day_or_none("paid_on"),
    }


def _read_step(value: Any, payment: Payment, contents: Contents) -> PaymentStep:
    """Return one step of a payment's history, such as a confirmation or an amendment."""
    fields = Fields(value, "turn", "text", "at", "by", "before")
    turn, before = fields.text("turn", longest=20), fields.part("before")
    if turn not in set(StepKind) or (turn == StepKind.AMENDED) != (before is not None):
        raise Unreadable(_("“{turn}” is not a step of a payment.", turn=turn))
    return PaymentStep(
        payment=payment,
        turn=turn,
        text=fields.text("text", longest=NOTE_LENGTH),
        at=fields.moment("at"),
        by=contents.recorder(fields, "by"),
        **({} if before is None else _words(Fields(before, *WORDS, "made_at"))),
    )


def _check(payment: Payment, contents: Contents) -> None:
    if payment.payer.slug == payment.payee.slug:
        raise Unreadable(_("Payer and payee are the same: choose two people."))
    if payment.accepted_at is not None and payment.claimed_at is None:
        raise Unreadable(_("A payment was accepted that was never claimed."))
    if payment.made_at > payment.recorded_at:
        raise Unreadable(_("A payment is recorded before it was made."))
    if payment.paid_on is not None and payment.game is not None:
        raise Unreadable(_("A payment's date is not in the night in which it counts."))
    if payment.night is not None and payment.game is not None:
        raise Unreadable(_("A payment settles a night or a game, not both."))
    same = (payment.key, payment.payer.slug, payment.payee.slug)
    if same in contents.paid_together:
        raise Unreadable(_("Two payments between the same two people have the same time."))
    contents.paid_together.add(same)


def read_plan(value: Any, contents: Contents) -> None:
    """Add one plan of payments to the contents. Raise Unreadable if it is invalid."""
    fields = Fields(value, "lines", "made_at")
    contents.plans.append(
        Plan(table=contents.table, lines=_lines(fields, contents), made_at=fields.moment("made_at"))
    )


def _lines(fields: Fields, contents: Contents) -> list[list[str | int]]:
    """Return the lines of a plan as they are stored: each is [payer's slug, payee's slug, amount]."""
    lines: list[list[str | int]] = []
    for line in fields.list_of("lines", most=MOST_LINES):
        if not isinstance(line, list) or len(line) != 3:
            raise Unreadable(_("A line needs a payer, a payee and an amount."))
        payer, payee, _amount = line
        named = Fields({"amount": line[2]}, "amount")
        amount = named.whole("amount", least=1, most=MOST_BALANCE)
        lines.append([contents.member(payer).slug, contents.member(payee).slug, amount])
    return lines
