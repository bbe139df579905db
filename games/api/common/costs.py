"""A shared cost, as the change feed and the accounts of a table show it."""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.serializers import Answer, Arrived


class CostSaid(Answer):
    """A shared cost of a night in its present state: one member paid, several share it in equal parts.

    A cancelled cost changes no balance. A night has at most one cost that is not cancelled.
    """

    id = serializers.IntegerField(source="pk")
    night = serializers.DateField()
    payer = serializers.CharField(source="payer.slug", help_text="The id of a member.")
    amount = serializers.IntegerField(help_text="In the smallest coin of the table.")
    sharers = serializers.ListField(
        child=serializers.CharField(), help_text="The ids of the members for whom it was."
    )
    note = serializers.CharField(allow_blank=True)
    made_at = serializers.DateTimeField(help_text="The time from which the cost counts.")
    recorded_at = serializers.DateTimeField()
    arrived_at = Arrived()
    cancelled_at = serializers.DateTimeField(allow_null=True)
    counts = serializers.BooleanField(help_text="Whether the cost changes balances.")
