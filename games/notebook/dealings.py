"""Read the payments in a table's file. `value` is always the JSON object to read."""

from __future__ import annotations

from typing import Any

from games.models import MOST_MONEY, NOTE_LENGTH, Method, Payment
from games.notebook.contents import Contents
from games.notebook.fields import Fields, Unreadable
from games.scoring.words import _

WORDS = ("amount", "method", "note", "made_at", "paid_on", "key", "objection", "reason")
ACTS = ("confirmed", "disputed", "ended")
TIMES = ("recorded_at", "arrived_at", *(f"{act}_at" for act in ACTS))
WHO = ("payer", "payee", "by", "is_claim", *(f"{act}_by" for act in ACTS))


def read_payment(value: Any, contents: Contents) -> None:
    """Add one payment to the contents. Raise Unreadable if it is invalid."""
    fields = Fields(value, *TIMES, *WHO, *WORDS)
    method = fields.text("method", longest=20)
    if method not in set(Method):
        raise Unreadable(_("“{method}” is not a way of paying.", method=method))
    payment = Payment(
        table=contents.table,
        payer=contents.member(fields.part("payer")),
        payee=contents.member(fields.part("payee")),
        amount=fields.whole("amount", least=1, most=MOST_MONEY),
        method=method,
        note=fields.text("note", longest=NOTE_LENGTH),
        made_at=fields.moment("made_at"),
        paid_on=fields.day_or_none("paid_on"),
        key=fields.key("key"),
        recorded_at=fields.moment("recorded_at"),
        arrived_at=fields.moment("arrived_at"),
        recorded_by=contents.recorder(fields, "by"),
        is_claim=fields.truth("is_claim"),
        objection=fields.text("objection", longest=NOTE_LENGTH),
        reason=fields.text("reason", longest=NOTE_LENGTH),
    )
    for act in ACTS:
        done_at = fields.moment_or_none(f"{act}_at")
        if done_at is not None:
            setattr(payment, f"{act}_at", done_at)
            setattr(payment, f"{act}_by", contents.recorder(fields, f"{act}_by"))
    _check(payment, contents)
    contents.payments.append(payment)


def _check(payment: Payment, contents: Contents) -> None:
    if payment.payer.slug == payment.payee.slug:
        raise Unreadable(_("Payer and payee are the same: choose two people."))
    was_open = payment.is_claim or payment.disputed_at is not None
    if payment.confirmed_at is not None and not was_open:
        raise Unreadable(_("A payment was confirmed that was neither claimed nor disputed."))
    if (payment.objection and payment.disputed_at is None) or (payment.reason and payment.ended_at is None):
        raise Unreadable(_("A payment has a reason for what was not done."))
    if payment.made_at > payment.recorded_at:
        raise Unreadable(_("A payment is recorded before it was made."))
    same = (payment.key, payment.payer.slug, payment.payee.slug)
    if same in contents.paid_together:
        raise Unreadable(_("Two payments between the same two people have the same time."))
    contents.paid_together.add(same)
