"""The forms of what is sent and answered about seasons, for the description of the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.common.paging import NextSaid
from games.api.common.titles import TitleSaid
from games.models import SEASON_NAME_LENGTH, By
from games.season.records import Feat

SEASON = OpenApiParameter(
    "season",
    {"type": "integer", "minimum": 1, "maximum": 2**31},
    OpenApiParameter.PATH,
    description="The id of a season.",
)
ORDERS = ["", *By.values]
ORDER = "What its table is sorted by; empty where nobody chose: `average` where people played different numbers of games, else `wins`."


# --- seasons ----------------------------------------------------------------------------------------------------------


class SeasonSaid(serializers.Serializer[Any]):
    """A season; the one without an end takes the games begun now."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    order = serializers.ChoiceField(choices=ORDERS, help_text=ORDER)
    games = serializers.IntegerField(help_text="Those that are over.")


class SeasonsSaid(serializers.Serializer[Any]):
    """The seasons of a table, the newest first; they follow each other without a gap."""

    seasons = SeasonSaid(many=True)


class SeasonClosed(serializers.Serializer[Any]):
    """Where a season ends, and what the next one is called."""

    last_day = serializers.DateField()
    next_name = serializers.CharField(max_length=SEASON_NAME_LENGTH)
    order = serializers.ChoiceField(required=False, choices=ORDERS, help_text=ORDER)


class SeasonChanged(serializers.Serializer[Any]):
    """What is to be another; what is not sent stays."""

    name = serializers.CharField(required=False, max_length=SEASON_NAME_LENGTH)
    first_day = serializers.DateField(required=False)
    order = serializers.ChoiceField(required=False, choices=ORDERS, help_text=ORDER)


# --- standings --------------------------------------------------------------------------------------------------------


class CountedSaid(serializers.Serializer[Any]):
    """Which games were counted, and what their money is of."""

    season = serializers.IntegerField(
        allow_null=True, help_text="The id of the season, null for all of them."
    )
    unit = serializers.CharField()
    decimals = serializers.IntegerField(help_text="How many digits of an amount are decimals.")


class ExtentSaid(serializers.Serializer[Any]):
    """How much there is."""

    games = serializers.IntegerField()
    nights = serializers.IntegerField()
    first = serializers.DateField(allow_null=True)
    last = serializers.DateField(allow_null=True)


class OutcomeSaid(serializers.Serializer[Any]):
    """How one game came out: whether it was won, and the placing points it gave."""

    won = serializers.BooleanField()
    points = serializers.IntegerField()


class StandingSaid(serializers.Serializer[Any]):
    """What somebody's games add up to."""

    member = serializers.CharField(help_text="The id of a member.")
    name = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True, help_text="Equal figures share one.")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField(help_text="One for everybody behind, in every game.")
    average = serializers.FloatField(help_text="Points a game, to two decimals.")
    net = serializers.IntegerField()
    streak = serializers.IntegerField(help_text="How many of the last games were won in a row.")
    form = OutcomeSaid(many=True, help_text="The last games, the oldest first.")


class SpanSaid(serializers.Serializer[Any]):
    """Some nights, and what everybody had come to after them, by the ids of members."""

    first = serializers.DateField()
    last = serializers.DateField()
    nets = serializers.DictField(child=serializers.IntegerField())
    points = serializers.DictField(child=serializers.IntegerField())


class StandingsSaid(CountedSaid):
    """The table of a season; `others` have fewer games than was asked for."""

    extent = ExtentSaid()
    by = serializers.CharField(help_text="What the lines are sorted by.")
    least = serializers.IntegerField(help_text="How many games a line takes.")
    lines = StandingSaid(many=True)
    others = StandingSaid(many=True)
    course = SpanSaid(many=True)


# --- records ----------------------------------------------------------------------------------------------------------


class FeatSaid(serializers.Serializer[Any]):
    """A record: what of, who holds it, how much, and the first game it was made in, null where it took several."""

    feat = serializers.ChoiceField(choices=[str(feat) for feat in Feat])
    title = serializers.CharField(help_text="What it is called, in the reader's language.")
    holders = serializers.ListField(child=serializers.CharField(), help_text="The ids of members.")
    value = serializers.IntegerField()
    said = serializers.CharField(help_text="How much, in the reader's language.")
    game = serializers.CharField(allow_null=True)


class RecordsSaid(CountedSaid):
    """The records; what nobody has done is left out."""

    records = FeatSaid(many=True)


# --- duels ------------------------------------------------------------------------------------------------------------


class DuelSaid(serializers.Serializer[Any]):
    """The games two members both played: how often one came before the other, behind, and level."""

    one = serializers.CharField(help_text="The id of a member.")
    other = serializers.CharField(help_text="The id of a member.")
    games = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()
    level = serializers.IntegerField()


class DuelsSaid(CountedSaid):
    """Everybody against everybody, each two once."""

    duels = DuelSaid(many=True)


class MeetingSaid(TitleSaid):
    """A game both played; of either, the one first."""

    game = serializers.CharField()
    night = serializers.DateField()
    places = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    nets = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)


class DuelInFull(CountedSaid, DuelSaid):
    """Two members, and the last games both played, the newest first."""

    wins = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    nets = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    last = MeetingSaid(many=True)


# --- a player ---------------------------------------------------------------------------------------------------------


class RanksSaid(serializers.Serializer[Any]):
    """The rank by each figure, null where somebody has too few games."""

    wins = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    average = serializers.IntegerField(allow_null=True)
    money = serializers.IntegerField(allow_null=True)


class PlayedSaid(TitleSaid):
    """What one kind of game gave somebody."""

    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField()
    net = serializers.IntegerField()


class PlaceTaken(serializers.Serializer[Any]):
    """How often a place was taken."""

    place = serializers.IntegerField()
    times = serializers.IntegerField()


class DeedsSaid(serializers.Serializer[Any]):
    """What else there is to tell."""

    longest_streak = serializers.IntegerField(help_text="The most games won in a row.")
    rounds_won = serializers.IntegerField()
    in_one_go = serializers.IntegerField()
    reentries = serializers.IntegerField()
    most_reentries = serializers.IntegerField(help_text="In one game.")
    survived = serializers.IntegerField(help_text="The most rounds in a row begun close to being out.")
    most_won = serializers.IntegerField(help_text="The most money a game gave.")


class ResultSaid(TitleSaid):
    """A game somebody played; place and total are null where there is none."""

    game = serializers.CharField()
    night = serializers.DateField()
    place = serializers.IntegerField(allow_null=True, help_text="Null where everybody took their money back.")
    won = serializers.BooleanField()
    points = serializers.IntegerField()
    net = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True, help_text="The points written down.")
    reentries = serializers.IntegerField()


class PlayerSaid(CountedSaid):
    """Everything a season tells of one member, and a page of the games, the newest first."""

    line = StandingSaid()
    ranks = RanksSaid()
    deeds = DeedsSaid()
    places = PlaceTaken(many=True)
    variants = PlayedSaid(many=True)
    duels = DuelSaid(many=True)
    games = ResultSaid(many=True)
    next = NextSaid()
