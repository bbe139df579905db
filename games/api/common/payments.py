"""A payment, as the change feed and the accounts of a table show it.

A method `tell_<field>` of the serializer returns the value of the field.
"""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.serializers import Answer, Arrived
from games.models import Method, Payment

METHODS = [str(method) for method in Method]
BY_HAND = [str(method) for method in Method if method.is_by_hand]


class PaymentSaid(Answer):
    """A payment in its present state. A cancelled, disputed or claimed payment changes no balance.

    A claimed payment was reported by its payer and is not yet accepted or confirmed.
    """

    id = serializers.IntegerField(source="pk")
    payer = serializers.CharField(source="payer.slug", help_text="The id of a member.")
    payee = serializers.CharField(source="payee.slug", help_text="The id of a member.")
    amount = serializers.IntegerField(help_text="In the smallest coin of the table.")
    method = serializers.ChoiceField(choices=METHODS)
    note = serializers.CharField(allow_blank=True)
    game = serializers.CharField(
        allow_null=True,
        help_text=("The code of the game that was paid for on the spot; null for other payments."),
    )
    made_at = serializers.DateTimeField(help_text="The time from which the payment counts.")
    paid_on = serializers.DateField(
        allow_null=True, help_text=("The night to which the payment is dated back.")
    )
    night = serializers.DateField(
        allow_null=True, help_text="The night that the payment settles, if it was ticked off there."
    )
    recorded_at = serializers.DateTimeField()
    arrived_at = Arrived()
    claimed_at = serializers.DateTimeField(
        allow_null=True,
        help_text=(
            "The time when the payer claimed to have paid; a claimed payment counts once it is accepted or "
            "confirmed."
        ),
    )
    accepted_at = serializers.DateTimeField(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)
    disputed_at = serializers.DateTimeField(allow_null=True)
    cancelled_at = serializers.DateTimeField(allow_null=True)
    objection = serializers.CharField(allow_blank=True)
    counts = serializers.BooleanField(help_text="Whether the payment changes balances.")

    def tell_game(self, payment: Payment) -> str | None:
        """Return the code of the game that was paid for; None if the payment was not for a game."""
        return None if payment.game is None else payment.game.code
