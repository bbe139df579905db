"""Serializers for games and hands that are not stored: request bodies and answers.

The method `read` of a field returns the field's value in a request body, after checking it: `values` are the
fields of the body, `name` is the name of this field. A method `tell_x` returns the value of the field `x` in
an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import (
    OpenApiParameter,
    PolymorphicProxySerializer,
    extend_schema_field,
    extend_schema_serializer,
)
from rest_framework import serializers

from games.api.common.problems import Problem
from games.api.common.serializers import Answer, Body, Line, Raw, Word
from games.api.play.shapes import LONGEST_LINE, Schema, event_components
from games.notebook.fields import Fields
from games.notebook.one_game import FORMAT, VERSION
from games.play.recording import LONGEST_LOG
from games.scoring.kinds import CloserHand, Closing, Rules
from games.scoring.kinds import Value as OptionValue
from games.scoring.options import Preset, Variant
from games.scoring.state import Reason, Seat
from games.scoring.text.codec import KINDS
from games.scoring.text.report import full_summary
from games.scoring.variants import VARIANTS
from games.scoring.words import _
from games.shown.common.sentences import translate
from games.shown.play.readings import MeldRead

LONGEST_WORD = 100
LONGEST_IN_EVENT = 1_000  # letters of any text inside an event
LONGEST_HAND = 1_000  # letters: enough for every card of three packs
LONGEST_TEXT = 2**18  # letters: enough for hundreds of rounds of eight players with every card
DIRECTIONS = ("left", "right")
WINS = ("fewest", "most")
DIRECTION_OF_WINNING = (
    "The total that wins, with the options in force: that of the fewest or of the most points."
)
ID = "An id: a letter a-z, then letters, digits and _."
VALUE = {"oneOf": [{"type": "integer"}, {"type": "string", "maxLength": LONGEST_WORD}]}
VALUES = {"type": "object", "additionalProperties": VALUE}
AMOUNTS = {"type": "object", "additionalProperties": {"type": "integer"}}


def wins_of(rules: Rules) -> str:
    """Return "fewest" if the lowest total wins by these rules, "most" if the highest wins."""
    return "fewest" if rules.lowest_wins else "most"


@extend_schema_field(VALUE)
class Value(serializers.Field[Any, Any, Any, Any]):
    """A field of answers for the value of an option: a number or a word."""


@extend_schema_field({**VALUE, "nullable": True})
class ValueOrNone(serializers.Field[Any, Any, Any, Any]):
    """A field of answers for a number, a word or null."""


@extend_schema_field(VALUES)
class Values(serializers.Field[Any, Any, Any, Any]):
    """A field for house rules: an object of option keys and their values, numbers or words."""

    def read(self, values: Fields, name: str) -> Mapping[str, OptionValue]:
        """Return the options; the service checks that the variant has them."""
        options = values.part(name)
        if not isinstance(options, dict):
            raise Problem("misshapen", _("This must be an object."), field=name)
        for key, value in options.items():
            if not isinstance(value, int | str) or isinstance(value, bool) or len(str(value)) > LONGEST_WORD:
                raise Problem(
                    "misshapen", _("An option must be a number or a word."), field=key[:LONGEST_WORD]
                )
        return options


@extend_schema_field(AMOUNTS)
class Amounts(serializers.Field[Any, Any, Any, Any]):
    """A field of answers for an object that has a whole number, such as an amount, for each player id."""


@extend_schema_field({"type": "object", "additionalProperties": AMOUNTS})
class Pairwise(serializers.Field[Any, Any, Any, Any]):
    """A field of answers for the money between each two players, by their ids.

    `{"ana": {"beto": 30}, "beto": {"ana": -30}}` says that ana won 30 from beto.
    """


# --- variants ---------------------------------------------------------------------------------------------


class VariantInShort(Answer):
    """A variant (a game that can be played), in short."""

    key = serializers.ChoiceField(choices=sorted(VARIANTS))
    name = serializers.CharField()
    summary = serializers.CharField()
    min_players = serializers.IntegerField()
    max_players = serializers.IntegerField(
        help_text="The most players under any house rules; with few `packs` fewer can play."
    )
    direction = serializers.ChoiceField(choices=DIRECTIONS, help_text="The default direction of the deal.")

    def tell_name(self, variant: Variant) -> str:
        """Return the name of the variant."""
        return translate(variant.name)

    def tell_summary(self, variant: Variant) -> str:
        """Return a summary of the variant in one sentence."""
        return translate(variant.summary)


class Variants(Answer):
    """All variants."""

    variants = VariantInShort(many=True)


@extend_schema_serializer(component_name="Word")
class NamedWord(Answer):
    """A choice of an option: its value, and the word that players use for it."""

    value = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # hides an attribute of the base class


class OptionSaid(Answer):
    """A house rule.

    The allowed values are a few words, the whole numbers from `low` to `high`, the numbers in `only`, or
    a text.
    """

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # hides an attribute of the base class
    default = ValueOrNone(
        help_text=("The default value; null if the default is the value of the option in `same_as`.")
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
        child=serializers.IntegerField(), help_text=("The values that tables commonly use.")
    )
    words = NamedWord(many=True)
    kind = serializers.ChoiceField(choices=["number", "word", "text"])


class PresetSaid(Answer):
    """A preset: several options chosen at once, under the name that players use."""

    key = serializers.CharField()
    name = serializers.CharField()
    options = Values()
    section = serializers.CharField(help_text="The section of RULES.md that has this variation.")

    def tell_name(self, preset: Preset) -> str:
        """Return the name of the preset."""
        return translate(preset.name)

    def tell_options(self, preset: Preset) -> dict[str, OptionValue]:
        """Return the options that the preset chooses."""
        return dict(preset.chosen)


class InForce(Answer):
    """All options in force, and the direction of the deal."""

    options = Values()
    direction = serializers.ChoiceField(choices=DIRECTIONS)


class ClosingAllowed(Answer):
    """A closing: a way in which a round of this variant ends."""

    key = serializers.CharField(help_text="The word for `closing` in a round, and in its line of notation.")
    label = serializers.CharField()  # type: ignore[assignment]  # hides an attribute of the base class
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

    def tell_label(self, closing: Closing) -> str:
        """Return the name of the closing."""
        return translate(closing.name)


class VariantInFull(VariantInShort):
    """A variant in full; `rules` and `closings` describe it with the options in force."""

    options = OptionSaid(many=True)
    presets = PresetSaid(many=True)
    in_force = InForce()
    closings = ClosingAllowed(many=True, help_text="The ways in which a round ends.")
    wins = serializers.ChoiceField(choices=WINS, help_text=DIRECTION_OF_WINNING)
    rules = serializers.ListField(child=serializers.CharField())

    def tell_options(self, _variant: Variant) -> object:
        """Return all options that the variant has, as JSON; the endpoint put them into the context."""
        return self.context["options"]

    def tell_in_force(self, _variant: Variant) -> object:
        """Return the values of the options in force, and the direction of the deal, as JSON."""
        return self.context["in_force"]

    def tell_closings(self, _variant: Variant) -> Sequence[Closing]:
        """Return the ways in which a round can end with the options in force."""
        built: Rules = self.context["built"]
        return built.closings

    def tell_wins(self, _variant: Variant) -> str:
        """Return "fewest" if the lowest total wins with the options in force, "most" if the highest wins."""
        return wins_of(self.context["built"])

    def tell_rules(self, _variant: Variant) -> object:
        """Return the rules with the options in force, as a list of sentences."""
        return self.context["rules"]


CHOSEN = OpenApiParameter(
    "options",
    {"type": "object", "additionalProperties": {"type": "string"}},
    OpenApiParameter.QUERY,
    description=(
        "Options by their keys, and the direction of the deal; each is a query parameter of its own."
    ),
    style="form",
    explode=True,
)


# --- rules and hands --------------------------------------------------------------------------------------


class HandSent(Body):
    """A hand of a variant, in the notation of games."""

    variant = Line(max_length=LONGEST_WORD, help_text="The key of a variant.")
    options = Values(required=False)
    hand = Line(
        max_length=LONGEST_HAND,
        help_text="For example 23, [K 7 *], {A 2 Q}{9H 9D 9S}[4 *], or [K 7]+2 with bought cards.",
    )


class CardLaid(Answer):
    """A card of a meld, and the rank that it stands for."""

    card = serializers.CharField()
    stands_for = serializers.CharField()
    wild = serializers.BooleanField()


class MeldLaid(Answer):
    """A meld of Loba de Más, its cards in the order of their ranks."""

    name = serializers.CharField()
    points = serializers.IntegerField(source="value")
    cards = CardLaid(many=True)

    def tell_cards(self, meld: MeldRead) -> Sequence[object]:
        """Return each card with the rank that it stands for."""
        cards = zip(meld.cards, meld.ranks, meld.wilds, strict=True)
        return [{"card": card, "stands_for": rank, "wild": wild} for card, rank, wild in cards]


class GroupLaid(Answer):
    """A set or a run in a hand of Chinchón."""

    name = serializers.CharField()
    cards = serializers.ListField(child=serializers.CharField())


class HandCounted(Answer):
    """The points of a hand, and its cards arranged into melds."""

    points = serializers.IntegerField()
    hand = serializers.CharField(source="text", help_text="The hand in the notation of games.")
    melds = MeldLaid(many=True)
    groups = GroupLaid(many=True)
    left = serializers.ListField(child=serializers.CharField())


# --- games ------------------------------------------------------------------------------------------------


class Script(serializers.CharField):
    """A text field of many lines for a game in the notation of the command line."""

    def read(self, values: Fields, name: str) -> str:
        """Return the text; raise Problem if the value is no text, or too long."""
        text = values.part(name)
        if not isinstance(text, str):
            raise Problem("misshapen", _("Send either a game as text or its events."), field=name)
        if len(text) > LONGEST_TEXT:
            raise Problem(
                "too_much", _("At most {longest} characters fit here.", longest=LONGEST_TEXT), field=name
            )
        return text


class Fixed(serializers.ChoiceField):
    """A choice field with a single allowed value, such as the version of a format."""

    def read(self, values: Fields, name: str) -> object:
        """Return the value; raise Problem for any other value."""
        (known,) = self.choices
        if values.part(name) != known:
            wrong = _("“{name}” should be {expected}.", name=name, expected=str(known))
            raise Problem("misshapen", wrong, field=name)
        return known


class GameAsText(Body):
    """A game in the notation; the lines are separated by line breaks."""

    game = Script(max_length=LONGEST_TEXT)


class EventSent(Body):
    """An event in the format of an exported game, or as a line of notation."""

    line = Line(max_length=LONGEST_LINE, required=False)
    kind = Word(choices=sorted(KINDS.values()), longest=LONGEST_IN_EVENT)
    data = Raw()  # type: ignore[assignment]  # hides an attribute of the base class
    at = serializers.DateTimeField(
        required=False, help_text=("The time when the event was recorded; it is ignored here.")
    )


class EventSentDescribed(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """The OpenAPI description of `EventSent`: one component for each kind of event."""

    target_class: type[serializers.Serializer[Any]] = EventSent
    component = "EventSent"

    def get_identity(self, auto_schema: Any, direction: Any) -> str:
        """Return the name of the component, which is the same in requests and answers."""
        return self.component

    def map_serializer(self, auto_schema: Any, direction: Any) -> Schema:
        """Return the schema of the component, after registering all components that it refers to."""
        for name, schema in event_components().items():
            part = ResolvedComponent(name, ResolvedComponent.SCHEMA, schema, object=name)  # type: ignore[no-untyped-call]
            auto_schema.registry.register_on_missing(part)
        return event_components()[self.component]


class GameAsEvents(Body):
    """A game in the format of an export; only its events are needed."""

    format = Fixed(choices=[FORMAT], required=False)
    version = Fixed(choices=[VERSION], required=False)
    started_at = serializers.DateTimeField(required=False)
    events = EventSent(many=True, max_length=LONGEST_LOG)  # type: ignore[call-arg]  # of a list
    state = serializers.DictField(
        required=False, help_text="The state of the game in an export; it is ignored here."
    )


class EitherGame(GameAsText, GameAsEvents):
    """A game as text or as events."""


GAME_SENT = PolymorphicProxySerializer(
    component_name="GameSent", serializers=[GameAsText, GameAsEvents], resource_type_field_name=None
)


class PlayerScored(Answer):
    """A player of a game: total, status, re-entries, and the money won or lost so far."""

    id = serializers.CharField(help_text=ID)
    name = serializers.CharField()
    total = serializers.IntegerField()
    seat = serializers.ChoiceField(choices=[str(seat) for seat in Seat])
    reentries = serializers.IntegerField()
    net = serializers.IntegerField()


class RoundScored(Answer):
    """A round: the player who closed it, the kind of closing, and the points of each player."""

    number = serializers.IntegerField()
    closer = serializers.CharField(allow_null=True)
    closing = serializers.CharField()
    points = Amounts()


class PendingScored(Answer):
    """A bust player who may re-enter: the total they would continue with, and the fee."""

    id = serializers.CharField()
    total = serializers.IntegerField()
    fee = serializers.IntegerField()


class TransferScored(Answer):
    """A payment that settles a part of the game."""

    locals().update({"from": serializers.CharField()})  # `from` is a keyword of Python
    to = serializers.CharField()
    amount = serializers.IntegerField()


class DoubtScored(Answer):
    """An unusual but allowed entry; `round` is the number of its event."""

    round = serializers.IntegerField()
    id = serializers.CharField()
    text = serializers.CharField()


class DisagreementScored(Answer):
    """A total that the players agreed on and that differs from the calculated one."""

    number = serializers.IntegerField()
    id = serializers.CharField()
    agreed = serializers.IntegerField()
    counted = serializers.IntegerField()


class GameScored(Answer):
    """The state of a game. `winners` and `transfers` are empty until it is over."""

    variant = serializers.CharField()
    over = serializers.ChoiceField(
        choices=[str(reason) for reason in Reason],
        allow_null=True,
        help_text=("The reason why the game is over; null while it is played."),
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
        help_text=(
            "The money that each player won from each other one; empty unless the variant settles by "
            "differences."
        )
    )
    doubts = DoubtScored(many=True)
    disagreements = DisagreementScored(many=True)

    def to_representation(self, state: Any) -> dict[str, Any]:
        """Return the summary of the state; the command line prints the same summary."""
        summary: dict[str, Any] = full_summary(state, translate)
        return summary
