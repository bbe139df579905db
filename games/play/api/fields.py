"""Fields and serializers of the state of a game, stored or only scored."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from games.common import texts
from games.common.api.serializers import AmountsField, StrictCharField, StrictSerializer, validation_error
from games.play.api.event_schemas import DATA, schema_ref
from games.scoring.i18n import _
from games.scoring.rule_types import Rules
from games.scoring.state import Reason, Seat
from games.scoring.text.codec import EVENT_CLASSES, to_data
from games.scoring.text.notation import MAX_LINE_LENGTH
from games.scoring.text.report import full_summary

LONGEST_WORD = 100
DIRECTIONS = ("left", "right")
WINS = ("fewest", "most")
DIRECTION_OF_WINNING = (
    "The total that wins, with the options in force: that of the fewest or of the most points."
)
LINE = "The event as a line of notation."
TEXT = "The event in words, in the language asked for; of a round what was entered, without points or totals."
ID = "An id: a letter a-z, then letters, digits and _."
VALUE = {"oneOf": [{"type": "integer"}, {"type": "string", "maxLength": LONGEST_WORD}]}


def winning_direction(rules: Rules) -> str:
    """Return "fewest" if the lowest total wins by these rules, "most" if the highest wins."""
    return "fewest" if rules.lowest_wins else "most"


# --- fields -----------------------------------------------------------------------------------------------


@extend_schema_field(VALUE)
class ValueField(serializers.Field[Any, Any, Any, Any]):
    """A field for the value of an option: a number or a word."""

    def to_internal_value(self, data: Any) -> int | str:
        if type(data) not in (int, str) or len(str(data)) > LONGEST_WORD:
            raise validation_error(_("An option must be a number or a word."))
        value: int | str = data
        return value

    def to_representation(self, value: Any) -> Any:
        return value


class OptionsField(serializers.DictField):
    """A field for house rules: an object of option keys and their values, numbers or words."""

    child = ValueField()


@extend_schema_field(schema_ref(DATA))
class EventDataField(serializers.DictField):
    """A field for the data of an event. The kind of the event decides what is in it (`event_schemas.py`)."""

    def to_representation(self, value: Any) -> Any:
        return value


# --- events -----------------------------------------------------------------------------------------------


class ContentSerializer(serializers.Serializer[Any]):
    """The kind and the data of an event."""

    kind = serializers.ChoiceField(choices=sorted(EVENT_CLASSES))
    data = EventDataField()  # type: ignore[assignment]  # hides an attribute of the base class


@extend_schema_field(schema_ref("EventNow"))
class EventField(serializers.Field[Any, Any, Any, Any]):
    """A field of answers for an event, by its kind and data."""

    def to_representation(self, value: Any) -> dict[str, Any]:
        return {"kind": value.kind, "data": to_data(value)}


class EventsField(serializers.ListField):
    child = EventField()


@extend_schema_serializer(component_name="EventSent")
class EventInputSerializer(StrictSerializer):
    """An event by its kind and data, or as a line of notation."""

    line = StrictCharField(max_length=MAX_LINE_LENGTH, required=False)
    kind = serializers.ChoiceField(choices=sorted(EVENT_CLASSES), required=False)
    data = EventDataField(required=False)  # type: ignore[assignment]  # hides an attribute of the base class

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("line" in attrs) == ("kind" in attrs or "data" in attrs):
            raise validation_error(_("Send either “line”, or “kind” and “data”."))
        for name in () if "line" in attrs else ("kind", "data"):
            if name not in attrs:
                raise serializers.ValidationError(
                    {name: [texts.translate(_("“{name}” is missing.", name=name))]}
                )
        return attrs


@extend_schema_field(schema_ref("EventSent"))
class EventInputField(serializers.Field[Any, Any, Any, Any]):
    """A field of requests for an event, by its kind and data or as a line of notation."""

    def to_internal_value(self, data: Any) -> Any:
        return EventInputSerializer().run_validation(data)


# --- the state of a game ----------------------------------------------------------------------------------


class PlayerSerializer(serializers.Serializer[Any]):
    """A player of a game: total, status, re-entries, and the money won or lost so far."""

    id = serializers.CharField(help_text=ID)
    name = serializers.CharField()
    total = serializers.IntegerField()
    seat = serializers.ChoiceField(choices=[str(seat) for seat in Seat])
    reentries = serializers.IntegerField()
    net = serializers.IntegerField(help_text="What the game has won (+) or lost (−) for them so far.")


class RoundSerializer(serializers.Serializer[Any]):
    """A round: its event's number, the player who closed it, the kind of closing, and everybody's points."""

    number = serializers.IntegerField()
    closer = serializers.CharField(allow_null=True)
    closing = serializers.CharField()
    points = AmountsField(help_text="The points of each player by id.")


class PendingSerializer(serializers.Serializer[Any]):
    """A bust player who may re-enter: the total they would continue with, and the fee."""

    id = serializers.CharField()
    total = serializers.IntegerField(help_text="The total with which they would play on.")
    fee = serializers.IntegerField()


class TransferSerializer(serializers.Serializer[Any]):
    """A payment that settles a part of the game."""

    payer = serializers.CharField(source="from")
    payee = serializers.CharField(source="to")
    amount = serializers.IntegerField()


class DoubtSerializer(serializers.Serializer[Any]):
    """An unusual but allowed entry: the number of its event, the player, and a sentence."""

    number = serializers.IntegerField(source="round")
    id = serializers.CharField()
    text = serializers.CharField()
    closing = serializers.CharField(
        allow_null=True, help_text="The closing that was probably meant; null if the doubt suggests none."
    )


class DisagreementSerializer(serializers.Serializer[Any]):
    """An agreed total that differs from the calculated one."""

    number = serializers.IntegerField()
    id = serializers.CharField()
    agreed = serializers.IntegerField()
    counted = serializers.IntegerField()


class StateSerializer(serializers.Serializer[Any]):
    """The state of a game. `winners` and `transfers` are empty until it is over."""

    variant = serializers.CharField()
    over = serializers.ChoiceField(
        choices=[str(reason) for reason in Reason],
        allow_null=True,
        help_text="The reason why the game is over; null while it is played.",
    )
    winners = serializers.ListField(child=serializers.CharField())
    pot = serializers.IntegerField()
    dealer = serializers.CharField(allow_null=True)
    contract = serializers.CharField(allow_null=True)
    players = PlayerSerializer(many=True)
    rounds = RoundSerializer(many=True)
    pending = PendingSerializer(many=True)
    transfers = TransferSerializer(many=True)
    pairs = serializers.DictField(
        source="pairwise",
        child=AmountsField(),
        help_text=(
            "The money that each player won from each other one, by their ids: `{ana: {beto: 30}}` is 30 that "
            "beto lost to ana. Empty unless the variant settles by differences."
        ),
    )
    doubts = DoubtSerializer(many=True)
    disagreements = DisagreementSerializer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the summary of the state; the command line prints the same summary."""
        return super().to_representation(full_summary(instance, texts.translate))
