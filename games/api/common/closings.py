"""The closing note of a night: the balances and open payments, recorded when the night was closed."""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.serializers import Answer


class ClosingSaid(Answer):
    """A closing note, recorded when a night was closed.

    It has the balances, and the payments still to be made as [payer, payee, amount].
    """

    id = serializers.IntegerField(source="pk")
    night = serializers.DateField()
    balances = serializers.DictField(child=serializers.IntegerField())
    lines = serializers.ListField(child=serializers.ListField())
    text = serializers.CharField(allow_blank=True)
    as_of = serializers.DateTimeField(help_text="The time of these balances.")
    made_at = serializers.DateTimeField()
