"""What the API takes and answers about an old notebook."""

from __future__ import annotations

from collections.abc import Sequence

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from games.api.common.problems import Problem
from games.api.common.serializers import Answer, Body, ByName, Line, Truth, Word
from games.models import KEY_LENGTH, NAME_LENGTH
from games.notebook.fields import Fields
from games.notebook.old_games import OldGame
from games.notebook.old_nights import LONGEST, Figures
from games.notebook.taking_over import NUMBERED
from games.scoring.variants import VARIANTS
from games.scoring.words import _

LONGEST_WORD = 40
MOST_PROBLEMS = 100

NOTEBOOK = OpenApiExample(
    "a notebook", value={"text": "fecha;Ana;Beto\n5/3/2026;120;-120\n", "figures": "money"}, request_only=True
)


class Notebook(serializers.CharField):
    """The text of a notebook, which has many lines."""

    def read(self, values: Fields, name: str) -> str:
        """Return the text."""
        text = values.part(name)
        if not isinstance(text, str) or not text.strip():
            raise Problem("misshapen", _("Send the notebook as text."), field=name)
        if len(text) > LONGEST:
            raise Problem(
                "too_large", _("This is more than {most} letters: bring it in parts.", most=LONGEST)
            )
        return text


class Known(Word):
    """A known word, or an empty one."""

    def read(self, values: Fields, name: str) -> str:
        """Return the word."""
        word = super().read(values, name)
        if word and word not in self.choices:
            raise Problem("misshapen", _("“{name}” is not known here.", name=word), field=name)
        return word


class YesOrNo(Truth):
    """True or false, refused as a problem of its own."""

    def read(self, values: Fields, name: str) -> bool:
        """Return the value."""
        value = values.part(name)
        if not isinstance(value, bool):
            raise Problem("misshapen", _("“{name}” is true or false.", name=name), field=name)
        return value


class NotebookSent(Body):
    """A notebook as text, and what it does not say itself."""

    text = Notebook(max_length=LONGEST)
    figures = Known(
        choices=[str(figures) for figures in Figures],
        longest=LONGEST_WORD,
        required=False,
        help_text="What its numbers are, where no column says it.",
    )
    variant = Known(
        choices=list(VARIANTS),
        longest=LONGEST_WORD,
        required=False,
        help_text="What was played, where it does not say.",
    )
    same = ByName(
        kind=bool,
        misshapen=_("“same” says true or false for each name."),
        child=serializers.BooleanField(),
        required=False,
        help_text="Of each name under “alike”: whether it is the other one, written otherwise.",
    )
    joined = ByName(
        kind=str,
        misshapen=_("“joined” says a name for each name."),
        child=serializers.CharField(max_length=NAME_LENGTH),
        required=False,
        help_text="Who somebody of the notebook is whom nothing tells: the name of another one, or of a member.",
    )


class NotebookTaken(NotebookSent):
    """A notebook that was looked at."""

    seen = Line(max_length=LONGEST_WORD, help_text="The one of the preview.")
    paid = YesOrNo(
        required=False, help_text="Whether the money of each night was paid then, as where nothing is said."
    )


class NotebookKey(Body):
    """Which one is meant."""

    key = Line(
        longest=KEY_LENGTH,
        max_length=KEY_LENGTH - NUMBERED,
        help_text="The Idempotency-Key it was taken over with.",
    )


class GamesBrought(Answer):
    """How many games came, or went again."""

    games = serializers.IntegerField()


class WrongLine(Answer):
    """What is wrong, and in which line; null for the whole of it."""

    line = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


class PlayerRead(Answer):
    """How somebody came out; null where the notebook does not say."""

    id = serializers.CharField()
    place = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    net = serializers.IntegerField(allow_null=True)


class GameRead(Answer):
    """A game as it would come to the table."""

    line = serializers.IntegerField(source="night.line")
    night = serializers.DateField(source="night.day")
    variant = serializers.CharField(source="event.variant")
    players = PlayerRead(many=True)

    def tell_players(self, game: OldGame) -> Sequence[object]:
        """Return the players by their places."""
        totals, nets = dict(game.event.totals), dict(game.event.nets)
        return [
            {"id": slug, "place": place, "total": totals.get(slug), "net": nets.get(slug)}
            for slug, place in sorted(game.event.places, key=lambda placed: placed[1])
        ]


class Newcomer(Answer):
    """Somebody the table does not know yet."""

    id = serializers.CharField()
    name = serializers.CharField()


class NamesAlike(Answer):
    """A name that accents, blanks or one letter tell from another one; null until somebody says whether both are one.

    What is “remembered” was said when another notebook was taken over, and stands unless it is said otherwise.
    """

    name = serializers.CharField()
    other = serializers.CharField()
    same = serializers.BooleanField(allow_null=True, source="is_same")
    remembered = serializers.BooleanField(source="is_remembered")


class ColumnUnread(Answer):
    """A column nothing was taken from, counted from 1."""

    column = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)


class NotebookRead(Answer):
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
