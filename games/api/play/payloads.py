"""The forms of what is sent and answered, for the description of the API; endpoints do not read by them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema_field,
)
from rest_framework import serializers

from games.api.play.house import DIRECTIONS
from games.play.recording import LONGEST_LOG
from games.scoring.state import Reason, Seat
from games.scoring.text.codec import KINDS
from games.scoring.variants import VARIANTS

ID = "An id as the notation has it: a letter a-z, then letters, digits and _."
VALUE = {"oneOf": [{"type": "integer"}, {"type": "string", "maxLength": 100}]}
VALUES = {"type": "object", "additionalProperties": VALUE}
AMOUNTS = {"type": "object", "additionalProperties": {"type": "integer"}}


@extend_schema_field(VALUE)
class Value(serializers.Field[Any, Any, Any, Any]):
    """A number or a word."""


@extend_schema_field({**VALUE, "nullable": True})
class ValueOrNone(serializers.Field[Any, Any, Any, Any]):
    """A number or a word, or null."""


@extend_schema_field(VALUES)
class Values(serializers.Field[Any, Any, Any, Any]):
    """Options by their keys."""


@extend_schema_field(AMOUNTS)
class Amounts(serializers.Field[Any, Any, Any, Any]):
    """Whole numbers by the ids of players."""


@extend_schema_field({"type": "object", "additionalProperties": AMOUNTS})
class Pairwise(serializers.Field[Any, Any, Any, Any]):
    """Whole numbers by the ids of two players."""


# --- variants -----------------------------------------------------------------------------------------------


class VariantInShort(serializers.Serializer[Any]):
    """A game, in short."""

    key = serializers.ChoiceField(choices=sorted(VARIANTS))
    name = serializers.CharField()
    summary = serializers.CharField()
    min_players = serializers.IntegerField()
    max_players = serializers.IntegerField()
    direction = serializers.ChoiceField(choices=DIRECTIONS, help_text="The usual way of the deal.")


class Variants(serializers.Serializer[Any]):
    """Every game there is."""

    variants = VariantInShort(many=True)


class Word(serializers.Serializer[Any]):
    """A word that may stand as a value, and what players call it."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a name of our own


class OptionSaid(serializers.Serializer[Any]):
    """A house rule: one of a few words, or a whole number from `low` to `high`, or one of those in `only`, or a text."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a name of our own
    kind = serializers.ChoiceField(choices=["number", "word", "text"])
    default = ValueOrNone(help_text="Null where the option follows the one in `same_as`.")
    same_as = serializers.CharField(allow_null=True)
    noted = serializers.BooleanField(help_text="Whether it is only shown, and changes no score.")
    low = serializers.IntegerField(allow_null=True)
    high = serializers.IntegerField(allow_null=True)
    longest = serializers.IntegerField(
        allow_null=True, help_text="How many letters a text has at the most; blank it is none."
    )
    only = serializers.ListField(child=serializers.IntegerField())
    shortcuts = serializers.ListField(child=serializers.IntegerField(), help_text="The numbers tables use.")
    words = Word(many=True)


class PresetSaid(serializers.Serializer[Any]):
    """Several options at once, under the name players give them."""

    key = serializers.CharField()
    name = serializers.CharField()
    options = Values()


class InForce(serializers.Serializer[Any]):
    """Every option in force, and the way of the deal."""

    options = Values()
    direction = serializers.ChoiceField(choices=DIRECTIONS)


class VariantInFull(VariantInShort):
    """A game in full; `rules` are those with the options in force."""

    options = OptionSaid(many=True)
    presets = PresetSaid(many=True)
    in_force = InForce()
    rules = serializers.ListField(child=serializers.CharField())


KEY = OpenApiParameter("key", OpenApiTypes.STR, OpenApiParameter.PATH, description="The key of a game.")
CHOSEN = OpenApiParameter(
    "options",
    {"type": "object", "additionalProperties": {"type": "string"}},
    OpenApiParameter.QUERY,
    description="Options by their keys, and the direction of the deal; each is a field of its own.",
    style="form",
    explode=True,
)


# --- rules and hands ----------------------------------------------------------------------------------------


class HouseSent(serializers.Serializer[Any]):
    """A game, and the options that differ from its own."""

    variant = serializers.CharField(max_length=100, help_text="The key of a game.")
    options = Values(required=False)
    direction = serializers.ChoiceField(choices=DIRECTIONS, required=False)


class RulesSaid(serializers.Serializer[Any]):
    """Every option in force, and the rules as sentences."""

    variant = serializers.ChoiceField(choices=sorted(VARIANTS))
    options = Values()
    direction = serializers.ChoiceField(choices=DIRECTIONS)
    rules = serializers.ListField(child=serializers.CharField())


class HandSent(serializers.Serializer[Any]):
    """A hand of a game, in the notation."""

    variant = serializers.CharField(max_length=100, help_text="The key of a game.")
    options = Values(required=False)
    hand = serializers.CharField(
        max_length=1_000, help_text="23, [K 7 *], {A 2 Q}{9H 9D 9S}[4 *], or [K 7]+2 with bought cards."
    )


class CardLaid(serializers.Serializer[Any]):
    """A card of a meld, and the rank it stands for."""

    card = serializers.CharField()
    stands_for = serializers.CharField()
    wild = serializers.BooleanField()


class MeldLaid(serializers.Serializer[Any]):
    """A meld of Loba de Más, its cards in running order."""

    name = serializers.CharField()
    points = serializers.IntegerField()
    cards = CardLaid(many=True)


class GroupLaid(serializers.Serializer[Any]):
    """Cards of a hand in Chinchón that are a set or a run."""

    name = serializers.CharField()
    cards = serializers.ListField(child=serializers.CharField())


class HandCounted(serializers.Serializer[Any]):
    """What a hand counts, and how it was read."""

    points = serializers.IntegerField()
    hand = serializers.CharField(help_text="The hand as the notation writes it.")
    melds = MeldLaid(many=True)
    groups = GroupLaid(many=True)
    left = serializers.ListField(child=serializers.CharField())


class ContractSent(serializers.Serializer[Any]):
    """A contract of a game, and cards that may fulfil it."""

    variant = serializers.CharField(max_length=100)
    options = Values(required=False)
    contract = serializers.CharField(max_length=100, help_text="Its key, or the number of its round.")
    cards = serializers.CharField(max_length=1_000, help_text="[K K K 7S 8S 9S 10S *]")


class Missing(serializers.Serializer[Any]):
    """What the contract still takes; `ranks` of a run with a place for each."""

    trios = serializers.IntegerField()
    escaleras = serializers.IntegerField()
    ranks = serializers.ListField(child=serializers.CharField())


class ContractChecked(serializers.Serializer[Any]):
    """The games the cards make, what stays in hand and its points, and what is missing."""

    variant = serializers.CharField()
    contract = serializers.CharField()
    name = serializers.CharField()
    fulfilled = serializers.BooleanField()
    games = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    kept = serializers.ListField(child=serializers.CharField())
    points = serializers.IntegerField()
    missing = Missing()
    why = serializers.ListField(child=serializers.CharField(), help_text="Why not, in words.")


# --- games --------------------------------------------------------------------------------------------------


class GameAsText(serializers.Serializer[Any]):
    """A game in the notation of the command line, its lines joined by line ends."""

    game = serializers.CharField(max_length=2**18)


class EventSent(serializers.Serializer[Any]):
    """One event as it is exported."""

    kind = serializers.ChoiceField(choices=sorted(KINDS.values()))
    data = serializers.DictField()  # type: ignore[assignment]  # a name of our own
    at = serializers.DateTimeField(required=False, help_text="When it was recorded; of no account here.")


class GameAsEvents(serializers.Serializer[Any]):
    """A game as it is exported; its events are enough."""

    format = serializers.ChoiceField(choices=["anotador-game"], required=False)
    version = serializers.ChoiceField(choices=[1], required=False)
    started_at = serializers.DateTimeField(required=False)
    events = EventSent(many=True, max_length=LONGEST_LOG)  # type: ignore[call-arg]  # of a list
    state = serializers.DictField(
        required=False, help_text="What an export says of the game; it is not read."
    )


GAME_SENT = PolymorphicProxySerializer(
    component_name="GameSent", serializers=[GameAsText, GameAsEvents], resource_type_field_name=None
)


class PlayerScored(serializers.Serializer[Any]):
    """One player: total, seat, re-entries, and what the game has won or lost them so far."""

    id = serializers.CharField(help_text=ID)
    name = serializers.CharField()
    total = serializers.IntegerField()
    seat = serializers.ChoiceField(choices=[str(seat) for seat in Seat])
    reentries = serializers.IntegerField()
    net = serializers.IntegerField()


class RoundScored(serializers.Serializer[Any]):
    """One round: who closed it and how, and what the totals moved."""

    number = serializers.IntegerField()
    closer = serializers.CharField(allow_null=True)
    closing = serializers.CharField()
    points = Amounts()


class PendingScored(serializers.Serializer[Any]):
    """Somebody bust who may come back at a total for a fee."""

    id = serializers.CharField()
    total = serializers.IntegerField()
    fee = serializers.IntegerField()


TransferScored = type(
    "TransferScored",
    (serializers.Serializer,),
    {
        "__doc__": "A payment that helps to settle the game.",
        "__module__": __name__,
        "from": serializers.CharField(),
        "to": serializers.CharField(),
        "amount": serializers.IntegerField(),
    },
)


class DoubtScored(serializers.Serializer[Any]):
    """Something odd that is allowed; `round` is the number of its event."""

    round = serializers.IntegerField()
    id = serializers.CharField()
    text = serializers.CharField()


class DisagreementScored(serializers.Serializer[Any]):
    """A total the table agreed on that differs from the one counted."""

    number = serializers.IntegerField()
    id = serializers.CharField()
    agreed = serializers.IntegerField()
    counted = serializers.IntegerField()


class GameScored(serializers.Serializer[Any]):
    """How a game stands; `winners` and `transfers` are empty while it is played."""

    variant = serializers.CharField()
    over = serializers.ChoiceField(
        choices=[str(reason) for reason in Reason], allow_null=True, help_text="Why it is over."
    )
    winners = serializers.ListField(child=serializers.CharField())
    pot = serializers.IntegerField()
    dealer = serializers.CharField(allow_null=True)
    contract = serializers.CharField(allow_null=True)
    players = PlayerScored(many=True)
    rounds = RoundScored(many=True)
    pending = PendingScored(many=True)
    transfers = TransferScored(many=True)
    pairwise = Pairwise(
        help_text="What each won from each other by differences; empty where none are settled."
    )
    doubts = DoubtScored(many=True)
    disagreements = DisagreementScored(many=True)
