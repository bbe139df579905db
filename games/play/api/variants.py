"""The variants (the games that can be played): options, presets, and rules in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

from drf_spectacular.utils import (
    OpenApiParameter,
    extend_schema,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.common import texts
from games.common.api import problems
from games.play.api import fields, request_parsing
from games.scoring.option_values import Line, Numbers, SameAs, Words
from games.scoring.options import Option
from games.scoring.rule_types import CloserHand
from games.scoring.variants import VARIANTS
from games.tables.api.views import BaseViewSet

OPTION_PARAMETERS = OpenApiParameter(
    "options",
    {"type": "object", "additionalProperties": {"type": "string"}},
    OpenApiParameter.QUERY,
    description="Options by their keys, and the direction of the deal; each is a query parameter of its own.",
    style="form",
    explode=True,
)


class MessageField(serializers.CharField):
    """A field of answers for a sentence or a name in the reader's language."""

    def to_representation(self, value: Any) -> str:
        return texts.translate(value)


@extend_schema_field({**fields.VALUE, "nullable": True})
class ValueOrNoneField(fields.ValueField):
    """A field of answers for a number, a word or null."""


class VariantSerializer(serializers.Serializer[Any]):
    """A variant (a game that can be played), in short."""

    key = serializers.ChoiceField(choices=sorted(VARIANTS))
    name = MessageField()
    summary = MessageField()
    min_players = serializers.IntegerField()
    max_players = serializers.IntegerField(
        help_text="The most players under any house rules; with few `packs` fewer can play."
    )
    direction = serializers.ChoiceField(
        choices=fields.DIRECTIONS, help_text="The default direction of the deal."
    )


class WordSerializer(serializers.Serializer[Any]):
    """A choice of an option: its value, and the word that players use for it."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # hides an attribute of the base class


class OptionSerializer(serializers.Serializer[Any]):
    """A house rule.

    The allowed values are a few words, the whole numbers from `low` to `high`, the numbers in `only`, or a
    text.
    """

    key = serializers.CharField()
    label = MessageField()  # type: ignore[assignment]  # hides an attribute of the base class
    kind = serializers.ChoiceField(choices=["number", "word", "text"], help_text="What the value is.")
    default = ValueOrNoneField(
        help_text="The default value; null if the default is the value of the option in `same_as`.",
        allow_null=True,
    )
    same_as = serializers.CharField(allow_null=True)
    noted = serializers.BooleanField(help_text="Whether the option is only shown, and changes no score.")
    low = serializers.IntegerField(allow_null=True)
    high = serializers.IntegerField(allow_null=True)
    longest = serializers.IntegerField(
        allow_null=True, help_text="The largest number of letters in a text; the text may be blank."
    )
    only = serializers.ListField(child=serializers.IntegerField())
    shortcuts = serializers.ListField(
        child=serializers.IntegerField(), help_text="The values that tables commonly use."
    )
    words = WordSerializer(many=True)

    def to_representation(self, instance: Option) -> dict[str, Any]:
        same_as = instance.default.option if isinstance(instance.default, SameAs) else None
        return super().to_representation(
            {
                "key": instance.key,
                "label": instance.label,
                "noted": instance.noted,
                "default": None if same_as else instance.default,
                "same_as": same_as,
                **_allowed_data(instance.allowed),
            }
        )


class PresetSerializer(serializers.Serializer[Any]):
    """A preset: several options chosen at once, under the name that players use."""

    key = serializers.CharField()
    name = MessageField()
    options = fields.OptionsField(source="chosen")
    section = serializers.CharField(help_text="The section of RULES.md that has this variation.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        names = ("key", "name", "section")
        parts = {name: getattr(instance, name) for name in names}
        return super().to_representation({**parts, "chosen": dict(instance.chosen)})


@extend_schema_serializer(component_name="InForce")
class EffectiveOptionsSerializer(serializers.Serializer[Any]):
    """All options in force, and the direction of the deal."""

    options = fields.OptionsField()
    direction = serializers.ChoiceField(choices=fields.DIRECTIONS)


class ClosingSerializer(serializers.Serializer[Any]):
    """A closing: a way to end a round of this variant."""

    key = serializers.CharField(help_text="The word for `closing` in a round, and in its line of notation.")
    label = MessageField(source="name")  # type: ignore[assignment]  # hides an attribute of the base class
    needs_closer = serializers.BooleanField(
        source="by_player", help_text="False if nobody closes: `closer` is then null, in notation `nobody`."
    )
    closer_hand = serializers.ChoiceField(
        choices=[str(hand) for hand in CloserHand],
        help_text=(
            "The hand of the closer: `nothing` is left, so the hand may be left out; `melds`, the melds laid "
            "down; `rest`, the points or cards still held. Without a closer it says nothing."
        ),
    )


@extend_schema_serializer(component_name="VariantInFull")
class VariantDetailSerializer(VariantSerializer):
    """A variant in full; `rules` and `closings` describe it with the options in force."""

    options = OptionSerializer(many=True, help_text="The house rules, each with what may be chosen.")
    presets = PresetSerializer(many=True)
    in_force = EffectiveOptionsSerializer()
    closings = ClosingSerializer(many=True, help_text="The ways in which a round ends.")
    wins = serializers.ChoiceField(choices=fields.WINS, help_text=fields.DIRECTION_OF_WINNING)
    rules = serializers.ListField(child=serializers.CharField())


class VariantViewSet(BaseViewSet):
    """The variants."""

    serializer_class = VariantSerializer
    queries = {"retrieve": None}
    lookup_url_kwarg, lookup_value_converter = "key", "slug"

    @extend_schema(operation_id="variants")
    def list(self, request: Request) -> Response:
        """List the variants: every game that can be scored, with its name in the reader's language."""
        return Response(VariantSerializer(VARIANTS.values(), many=True).data)

    @extend_schema(operation_id="variant", parameters=[OPTION_PARAMETERS], responses=VariantDetailSerializer)
    def retrieve(self, request: Request, key: str) -> Response:
        """Read a variant: its options, presets and rules.

        Options with their kinds, ranges and defaults; presets; the closings of a round; and the rules in
        words. Options may be given in the query string (`?stake=100&reentries=unlimited`), and
        `direction=left` or `right`: the closings and the rules are then those with these values.
        """
        if key not in VARIANTS:
            raise NotFound
        variant, chosen = VARIANTS[key], request.query_params.dict()
        with problems.as_problem("options"):
            direction = request_parsing.parse_direction(variant, chosen.pop("direction", ""))
            house = request_parsing.build_house(variant, chosen)
        built = variant.build(house)
        names = ("key", "name", "summary", "min_players", "max_players", "direction", "options", "presets")
        parts = {
            **{name: getattr(variant, name) for name in names},
            "in_force": {"options": dict(house.options), "direction": direction},
            "closings": built.closings,
            "wins": fields.winning_direction(built),
            "rules": request_parsing.rule_sentences(variant, house, direction),
        }
        return self.answer(VariantDetailSerializer, parts)


def _allowed_data(allowed: Numbers | Words | Line) -> Mapping[str, Any]:
    """Return the fields that describe the allowed values of an option: `kind`, limits and `words`.

    A field without a meaning for this kind of option is None or empty.
    """
    choices = [{"value": value, "label": texts.translate(label)} for value, label in allowed.words.items()]
    blank = {"low": None, "high": None, "longest": None, "only": [], "shortcuts": [], "words": choices}
    match allowed:
        case Numbers(low=low, high=high, shortcuts=shortcuts, only=only):
            ranged = {"low": None if only else low, "high": None if only else high}
            return {**blank, "kind": "number", **ranged, "only": list(only), "shortcuts": list(shortcuts)}
        case Words():
            return {**blank, "kind": "word"}
        case Line(longest=longest):
            return {**blank, "kind": "text", "longest": longest}
        case _:
            assert_never(allowed)
