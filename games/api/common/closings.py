"""The closing note of a night as the API says it, in the feed of a table and among its nights."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api.common.amounts import moment_said
from games.models import ClosingNote, Table


class ClosingSaid(serializers.Serializer[Any]):
    """The closing note of a night: the balances, and who was still to pay whom, as [payer, payee, amount]."""

    id = serializers.IntegerField()
    night = serializers.DateField()
    balances = serializers.DictField(child=serializers.IntegerField())
    lines = serializers.ListField(child=serializers.ListField())
    text = serializers.CharField(allow_blank=True)
    as_of = serializers.DateTimeField(help_text="When that was so.")
    made_at = serializers.DateTimeField()


def closing_said(note: ClosingNote, table: Table) -> dict[str, Any]:
    """What everybody saw then."""
    return {
        "id": note.pk,
        "night": note.night.isoformat(),
        "balances": note.balances,
        "lines": note.lines,
        "text": note.text,
        "as_of": moment_said(note.as_of, table),
        "made_at": moment_said(note.made_at, table),
    }
