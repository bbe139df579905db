"""A shared cost, as the accounts of a table show it."""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.serializers import Answer, Arrived


class CostSaid(Answer):
    """A shared cost of a night in its present state: one member paid, several share it in equal parts.

    A cost that was taken back (`ended_at`) changes no balance.
    """

    id = serializers.IntegerField(source="pk")
    night = serializers.DateField()
    payer = serializers.CharField(source="payer.slug", help_text="The id of a member.")
    amount = serializers.IntegerField(help_text="In the smallest coin of the table.")
    sharers = serializers.ListField(
        child=serializers.CharField(), help_text="The ids of the members for whom it was."
    )
    note = serializers.CharField(allow_blank=True)
    forgiven = serializers.BooleanField(
        source="is_forgiven", help_text="Whether no money moved: the sharers forgive the payer this amount."
    )
    made_at = serializers.DateTimeField(help_text="The time from which the cost counts.")
    recorded_at = serializers.DateTimeField()
    arrived_at = Arrived()
    ended_at = serializers.DateTimeField(allow_null=True)
    reason = serializers.CharField(allow_blank=True, help_text="Why it was taken back.")
    counts = serializers.BooleanField(help_text="Whether the cost changes balances.")
