"""A payment, as the accounts of a table show it."""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.serializers import Answer, Arrived
from games.models import Method, PaymentState

METHODS = [str(method) for method in Method]


class PaymentSaid(Answer):
    """A payment in its present state. Only one that counts changes balances."""

    id = serializers.IntegerField(source="pk")
    payer = serializers.CharField(source="payer.slug", help_text="The id of a member.")
    payee = serializers.CharField(source="payee.slug", help_text="The id of a member.")
    amount = serializers.IntegerField(help_text="In the smallest coin of the table.")
    method = serializers.ChoiceField(choices=METHODS)
    note = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField(help_text="The time from which the payment counts.")
    paid_on = serializers.DateField(
        allow_null=True, help_text=("The night to which the payment is dated back.")
    )
    recorded_at = serializers.DateTimeField()
    arrived_at = Arrived()
    state = serializers.ChoiceField(
        choices=[str(state) for state in PaymentState],
        help_text=(
            "A claimed payment counts once it is confirmed. A disputed one did not arrive, as the payee says. "
            "An ended one was taken back, or is a claim that was answered with no."
        ),
    )
    is_claim = serializers.BooleanField(
        help_text="Whether the payer recorded it, so that somebody must confirm it."
    )
    confirmed_at = serializers.DateTimeField(allow_null=True)
    disputed_at = serializers.DateTimeField(allow_null=True)
    objection = serializers.CharField(allow_blank=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="Why it was taken back.")
