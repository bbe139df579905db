"""The closing note of a night, in the feed of a table and among its nights."""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.serializers import Answer


class ClosingSaid(Answer):
    """The closing note of a night: the balances, and who was still to pay whom, as [payer, payee, amount]."""

    id = serializers.IntegerField(source="pk")
    night = serializers.DateField()
    balances = serializers.DictField(child=serializers.IntegerField())
    lines = serializers.ListField(child=serializers.ListField())
    text = serializers.CharField(allow_blank=True)
    as_of = serializers.DateTimeField(help_text="When that was so.")
    made_at = serializers.DateTimeField()
