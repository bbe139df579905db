"""The preview of events: the state of the game with them, and what else they change."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api.common.serializers import StrictSerializer, Text, Whole
from games.api.common.writing import AFTER, HIGHEST
from games.api.play.events import MOST_EVENTS
from games.api.play.fields import EventSentSerializer, EventSerializer, StateSerializer
from games.models import Game
from games.scoring.preview import ConflictKind, Preview, Remedy
from games.shown.play.effects import effects_of, season_sentences

REMEDIES = [str(remedy) for remedy in Remedy]


class PreviewSentSerializer(StrictSerializer):
    """The events to be previewed. Without `after`, they follow the present end of the log."""

    events = EventSentSerializer(many=True, min_length=1, max_length=MOST_EVENTS)
    after = Whole(min_value=0, max_value=HIGHEST, required=False, help_text=AFTER)
    answers = serializers.DictField(
        child=Text(),
        required=False,
        help_text="The chosen remedy for each conflict, by the key of the conflict.",
    )


class ChoiceSerializer(serializers.Serializer[Any]):
    """A remedy for a conflict: its name, and the events that apply it."""

    remedy = serializers.ChoiceField(choices=REMEDIES)
    events = EventSerializer(source="changes", many=True)


class ConflictSerializer(serializers.Serializer[Any]):
    """A conflict: a recorded event that the new events make impossible, and the remedies to choose from.

    If the conflict has no choices, the events cannot be recorded.
    """

    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=[str(kind) for kind in ConflictKind])
    number = serializers.IntegerField()
    event = EventSerializer()
    player = serializers.CharField(allow_blank=True)
    choices = ChoiceSerializer(many=True)
    chosen = serializers.ChoiceField(choices=REMEDIES, allow_null=True)


class PreviewSerializer(serializers.Serializer[Any]):
    """The preview of events: the states before and after, the conflicts, and all events to be recorded."""

    possible = serializers.BooleanField()
    before = StateSerializer()
    after = StateSerializer(allow_null=True)
    conflicts = ConflictSerializer(many=True)
    events = EventSerializer(many=True)
    note = serializers.CharField(
        allow_blank=True,
        help_text="What else changes: an earlier season, and who is owed then what they were forgiven.",
    )


def consequences(game: Game, tried: Preview, *, with_accounts: bool) -> dict[str, Any]:
    """Return what `PreviewSerializer` shows of a preview; `with_accounts` with what changes there."""
    note = ""
    if tried.after is not None:
        change = game, tried.before, tried.after
        note = " ".join(effects_of(*change).sentences if with_accounts else season_sentences(*change))
    return {
        **{"possible": tried.after is not None, "before": tried.before, "after": tried.after},
        **{"conflicts": tried.conflicts, "events": tried.changes, "note": note},
    }
