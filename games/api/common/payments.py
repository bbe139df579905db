"""A payment as the API says it, in the feed of a table and in its accounts."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api.common.amounts import moment_said
from games.models import Method, Payment, Table

METHODS = [str(method) for method in Method]
BY_HAND = [str(method) for method in Method if method.is_by_hand]


class PaymentSaid(serializers.Serializer[Any]):
    """A payment as it stands now; what is cancelled or disputed, or was only claimed as yet, moves no balance."""

    id = serializers.IntegerField()
    payer = serializers.CharField(help_text="The id of a member.")
    payee = serializers.CharField(help_text="The id of a member.")
    amount = serializers.IntegerField(help_text="In the smallest coin of the table.")
    method = serializers.ChoiceField(choices=METHODS)
    note = serializers.CharField(allow_blank=True)
    game = serializers.CharField(allow_null=True, help_text="The game it was paid for, on the spot.")
    made_at = serializers.DateTimeField(help_text="When it counts from.")
    paid_on = serializers.DateField(allow_null=True, help_text="The night it is dated back to.")
    recorded_at = serializers.DateTimeField()
    claimed_at = serializers.DateTimeField(
        allow_null=True, help_text="When its payer said so himself; it counts once it is accepted."
    )
    accepted_at = serializers.DateTimeField(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)
    disputed_at = serializers.DateTimeField(allow_null=True)
    objection = serializers.CharField(allow_blank=True)
    cancelled_at = serializers.DateTimeField(allow_null=True)
    counts = serializers.BooleanField(help_text="Whether it moves balances.")


MOMENTS = ("claimed_at", "accepted_at", "confirmed_at", "disputed_at", "cancelled_at")


def payment_said(payment: Payment, table: Table) -> dict[str, Any]:
    """What whoever reads the accounts knows of a payment, read with its two members and its game."""
    return {
        "id": payment.pk,
        "payer": payment.payer.slug,
        "payee": payment.payee.slug,
        "amount": payment.amount,
        "method": payment.method,
        "note": payment.note,
        "game": None if payment.game is None else payment.game.code,
        "made_at": moment_said(payment.made_at, table),
        "paid_on": None if payment.paid_on is None else payment.paid_on.isoformat(),
        "recorded_at": moment_said(payment.recorded_at, table),
        **{name: moment_said(getattr(payment, name), table) for name in MOMENTS},
        "objection": payment.objection,
        "counts": payment.counts,
    }
