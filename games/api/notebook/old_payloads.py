"""Serializers for old notebooks (spreadsheets of past nights): request bodies and answers.

The method `read` of a field returns the field's value in a request body, after checking it: `values` are the
fields of the body, `name` is the name of this field. A method `tell_x` returns the value of the field `x` in
an answer.
"""

from __future__ import annotations

from collections.abc import Sequence

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from games.api.common.problems import Problem
from games.api.common.serializers import Answer, Body, Items, Line, Truth, Word
from games.models import KEY_LENGTH
from games.notebook.fields import Fields
from games.notebook.old_games import MOST_NEWCOMERS, OldGame
from games.notebook.old_nights import LONGEST, Figures
from games.notebook.taking_over import NUMBERED
from games.scoring.variants import VARIANTS
from games.scoring.words import _

LONGEST_WORD = 40
MOST_PROBLEMS = 100

NOTEBOOK = OpenApiExample(
    "a notebook", value={"text": "fecha;Ana;Beto\n5/3/2026;120;-120\n", "figures": "money"}, request_only=True
)
POINTS_OF_A_NIGHT = OpenApiExample(
    "a row for each player, with points",
    value={
        "text": "date,player,points\n2026-03-05,Ana,40\n2026-03-05,Beto,101\n",
        "figures": "fewest",
    },
    request_only=True,
)


class Notebook(serializers.CharField):
    """A text field for a notebook of many lines. A text that is too long raises Problem with `too_large`."""

    def read(self, values: Fields, name: str) -> str:
        """Return the text; raise Problem if it is blank or too long."""
        text = values.part(name)
        if not isinstance(text, str) or not text.strip():
            raise Problem("misshapen", _("Send the notebook as text."), field=name)
        if len(text) > LONGEST:
            raise Problem("too_large", _("This exceeds {most} characters: import it in parts.", most=LONGEST))
        return text


class Known(Word):
    """A choice field that also accepts an empty text. For an unknown word it raises Problem with the word."""

    def read(self, values: Fields, name: str) -> str:
        """Return the word; raise Problem if it is unknown."""
        word = super().read(values, name)
        if word and word not in self.choices:
            raise Problem("misshapen", _("“{name}” is unknown here.", name=word), field=name)
        return word


class YesOrNo(Truth):
    """A boolean field that raises Problem instead of Unreadable, with a sentence that names the field."""

    def read(self, values: Fields, name: str) -> bool:
        """Return the boolean; raise Problem for any value except `true` and `false`."""
        value = values.part(name)
        if not isinstance(value, bool):
            raise Problem("misshapen", _("“{name}” must be true or false.", name=name), field=name)
        return value


class NotebookSent(Body):
    """An old notebook as text, and the settings that the text does not contain."""

    text = Notebook(max_length=LONGEST)
    figures = Known(
        choices=[str(figures) for figures in Figures],
        longest=LONGEST_WORD,
        required=False,
        help_text=(
            "What the numbers are: `money`, the default; `fewest` or `most`, points of which the fewest or the most "
            "win."
        ),
    )
    variant = Known(
        choices=list(VARIANTS),
        longest=LONGEST_WORD,
        required=False,
        help_text="The variant that was played.",
    )


class NotebookTaken(NotebookSent):
    """An old notebook to be imported, and the version of the preview that the owner saw."""

    seen = Line(max_length=LONGEST_WORD, help_text="The `seen` of the preview.")
    apart = Items(
        most=MOST_NEWCOMERS,
        child=serializers.CharField(),
        required=False,
        help_text="New names that differ from others only by accents and are other people.",
    )
    paid = YesOrNo(
        required=False, help_text="Whether the money of each night was paid on that night; true by default."
    )


class NotebookKey(Body):
    """The idempotency key of an import."""

    key = Line(
        longest=KEY_LENGTH,
        max_length=KEY_LENGTH - NUMBERED,
        help_text="The Idempotency-Key of the import.",
    )


class GamesBrought(Answer):
    """The number of games imported or discarded."""

    games = serializers.IntegerField()


class WrongLine(Answer):
    """A problem with a line of the notebook; the line is null if the problem concerns the whole notebook."""

    line = serializers.IntegerField(allow_null=True)
    text = serializers.CharField()


class PlayerRead(Answer):
    """The result of a player in a game; values missing in the notebook are null."""

    id = serializers.CharField()
    place = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)
    net = serializers.IntegerField(allow_null=True)


class GameRead(Answer):
    """A game of the notebook, as the import would record it."""

    line = serializers.IntegerField(source="night.line")
    night = serializers.DateField(source="night.day")
    variant = serializers.CharField(source="event.variant")
    players = PlayerRead(many=True)

    def tell_players(self, game: OldGame) -> Sequence[object]:
        """Return each player with place, total and net result, in the order of their places."""
        totals, nets = dict(game.event.totals), dict(game.event.nets)
        return [
            {"id": slug, "place": place, "total": totals.get(slug), "net": nets.get(slug)}
            for slug, place in sorted(game.event.places, key=lambda placed: placed[1])
        ]


class Newcomer(Answer):
    """A player of the notebook whom the import would add to the table as a member."""

    id = serializers.CharField()
    name = serializers.CharField()


class NotebookRead(Answer):
    """The preview of an import. The notebook can be imported if there are no problems."""

    seen = serializers.CharField()
    figures = serializers.CharField()
    problems = WrongLine(many=True)
    more_problems = serializers.IntegerField()
    games = GameRead(many=True)
    newcomers = Newcomer(many=True)
    known_lines = serializers.ListField(
        child=serializers.IntegerField(), help_text="The lines whose games the table has already."
    )
