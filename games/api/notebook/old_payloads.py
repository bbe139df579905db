"""The forms of an old notebook as it is sent and understood, for the description of the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from games.models import KEY_LENGTH, NAME_LENGTH
from games.notebook.old_nights import LONGEST, Figures
from games.notebook.taking_over import NUMBERED
from games.scoring.variants import VARIANTS

LONGEST_WORD = 40
MOST_PROBLEMS = 100

NOTEBOOK = OpenApiExample(
    "a notebook", value={"text": "fecha;Ana;Beto\n5/3/2026;120;-120\n", "figures": "money"}, request_only=True
)


class NotebookSent(serializers.Serializer[Any]):
    """A notebook as text, and what it does not say itself."""

    text = serializers.CharField(max_length=LONGEST)
    figures = serializers.ChoiceField(
        choices=[str(figures) for figures in Figures],
        required=False,
        help_text="What its numbers are, where no column says it.",
    )
    variant = serializers.ChoiceField(
        choices=list(VARIANTS), required=False, help_text="What was played, where it does not say."
    )
    same = serializers.DictField(
        child=serializers.BooleanField(),
        required=False,
        help_text="Of each name under “alike”: whether it is the other one, written otherwise.",
    )
    joined = serializers.DictField(
        child=serializers.CharField(max_length=NAME_LENGTH),
        required=False,
        help_text="Who somebody of the notebook is whom nothing tells: the name of another one, or of a member.",
    )


class NotebookTaken(NotebookSent):
    """A notebook that was looked at."""

    seen = serializers.CharField(max_length=LONGEST_WORD, help_text="The one of the preview.")
    paid = serializers.BooleanField(
        required=False, help_text="Whether the money of each night was paid then, as where nothing is said."
    )


class NotebookKey(serializers.Serializer[Any]):
    """Which one is meant."""

    key = serializers.CharField(
        max_length=KEY_LENGTH - NUMBERED, help_text="The Idempotency-Key it was taken over with."
    )


class GamesBrought(serializers.Serializer[Any]):
    """How many games came, or went again."""

    games = serializers.IntegerField()


class WrongLine(serializers.Serializer[Any]):
    """What is wrong, and in which line; null for the whole of it."""

    line = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


class PlayerRead(serializers.Serializer[Any]):
    """How somebody came out; null where the notebook does not say."""

    id = serializers.CharField()
    place = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    net = serializers.IntegerField(allow_null=True)


class GameRead(serializers.Serializer[Any]):
    """A game as it would come to the table."""

    line = serializers.IntegerField()
    night = serializers.DateField()
    variant = serializers.CharField()
    players = PlayerRead(many=True)


class Newcomer(serializers.Serializer[Any]):
    """Somebody the table does not know yet."""

    id = serializers.CharField()
    name = serializers.CharField()


class NamesAlike(serializers.Serializer[Any]):
    """A name that accents, blanks or one letter tell from another one; null until somebody says whether both are one.

    What is “remembered” was said when another notebook was taken over, and stands unless it is said otherwise.
    """

    name = serializers.CharField()
    other = serializers.CharField()
    same = serializers.BooleanField(allow_null=True)
    remembered = serializers.BooleanField()


class ColumnUnread(serializers.Serializer[Any]):
    """A column nothing was taken from, counted from 1."""

    column = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)


class NotebookRead(serializers.Serializer[Any]):
    """What was understood. It can be taken over where there are no problems and nobody is asked about."""

    seen = serializers.CharField()
    figures = serializers.CharField()
    problems = WrongLine(many=True)
    more_problems = serializers.IntegerField()
    games = GameRead(many=True)
    newcomers = Newcomer(many=True)
    alike = NamesAlike(many=True)
    known_lines = serializers.ListField(
        child=serializers.IntegerField(), help_text="Those that are here already."
    )
    sums = serializers.ListField(child=serializers.IntegerField(), help_text="Lines that only add up others.")
    unread = ColumnUnread(many=True)
