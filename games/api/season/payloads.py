"""What the API takes and answers about seasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.common.paging import NextSaid
from games.api.common.serializers import Answer, Body, Line, Money, Word
from games.api.common.titles import TitleSaid
from games.models import ORDER_LENGTH, SEASON_NAME_LENGTH, Result, SeasonOrder
from games.notebook.fields import Fields
from games.season import seasons
from games.season.duels import Encounters, Meeting
from games.season.records import Feat
from games.season.standings import Tally, is_won, points_of

SEASON = OpenApiParameter(
    "season",
    {"type": "integer", "minimum": 1, "maximum": 2**31},
    OpenApiParameter.PATH,
    description="The id of a season.",
)
ORDERS = ["", *SeasonOrder.values]
FORM = 10  # games
DAY_LENGTH = 10
ORDER = "What its table is sorted by; empty where nobody chose: `average` where people played different numbers of games, else `wins`."


# --- seasons ----------------------------------------------------------------------------------------------------------


class SeasonSaid(Answer):
    """A season; the one without an end takes the games begun now."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    starts_on = serializers.DateField()
    ends_on = serializers.DateField(allow_null=True)
    order = serializers.ChoiceField(choices=ORDERS, help_text=ORDER)
    games = serializers.IntegerField(source="played", help_text="Those that are over.")


class SeasonsSaid(Answer):
    """The seasons of a table, the newest first; they follow each other without a gap."""

    seasons = SeasonSaid(many=True)


class Order(Word):
    """The order of a season's table."""

    def read(self, values: Fields, name: str) -> str:
        """Return the order as the season keeps it."""
        return seasons.read_order(super().read(values, name))


class SeasonDay(serializers.DateField):
    """A day of a season, read as in the form of its page."""

    def read(self, values: Fields, name: str) -> date:
        """Return the day."""
        return seasons.read_day(values.text(name, longest=DAY_LENGTH), field=name)


class SeasonClosed(Body):
    """Where a season ends, and what the next one is called."""

    last_day = SeasonDay()
    next_name = Line(max_length=SEASON_NAME_LENGTH)
    order = Order(required=False, longest=ORDER_LENGTH, choices=ORDERS, help_text=ORDER)


class SeasonChanged(Body):
    """What is to be another; what is not sent stays."""

    name = Line(required=False, max_length=SEASON_NAME_LENGTH)
    first_day = SeasonDay(required=False)
    order = Order(required=False, longest=ORDER_LENGTH, choices=ORDERS, help_text=ORDER)


# --- standings --------------------------------------------------------------------------------------------------------


class OfSeason(Answer):
    """The season that was asked about, which is in the context."""

    season = serializers.IntegerField(
        allow_null=True, help_text="The id of the season, null for all of them."
    )

    def tell_season(self, _instance: object) -> int | None:
        """Return the number of the season."""
        season = self.context["season"]
        return None if season is None else int(season.pk)


class CountedSaid(OfSeason, Money):
    """Which games were counted, and what their money is of."""

    decimals = serializers.IntegerField(help_text="How many digits of an amount are decimals.")


class ExtentSaid(Answer):
    """How much there is."""

    games = serializers.IntegerField()
    nights = serializers.IntegerField()
    first = serializers.DateField(allow_null=True)
    last = serializers.DateField(allow_null=True)


class OutcomeSaid(Answer):
    """How one game came out: whether it was won, and the placing points it gave."""

    won = serializers.BooleanField()
    points = serializers.IntegerField()


@dataclass(frozen=True)
class Row:
    """A row of a season's table, with the points and the average that count."""

    tally: Tally
    rank: int | None
    points: int
    average: Fraction


class StandingSaid(Answer):
    """What somebody's games add up to."""

    member = serializers.CharField(source="tally.member.slug", help_text="The id of a member.")
    name = serializers.CharField(source="tally.member.name")
    rank = serializers.IntegerField(allow_null=True, help_text="Equal figures share one.")
    games = serializers.IntegerField(source="tally.games")
    wins = serializers.IntegerField(source="tally.wins")
    points = serializers.IntegerField(help_text="One for everybody behind, in every game.")
    average = serializers.FloatField(help_text="Points a game, to two decimals.")
    net = serializers.IntegerField(source="tally.net")
    streak = serializers.IntegerField(
        source="tally.streak", help_text="How many of the last games were won in a row."
    )
    form = OutcomeSaid(many=True, help_text="The last games, the oldest first.")

    def tell_average(self, row: Row) -> float:
        """Return the average to two decimals."""
        return float(round(row.average, 2))

    def tell_form(self, row: Row) -> Sequence[object]:
        """Return the last games."""
        return [{"won": is_won(mark), "points": points_of(mark)} for mark in row.tally.marks[-FORM:]]


class SpanSaid(Answer):
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


class FeatSaid(Answer):
    """A record: what of, who holds it, how much, and the first game it was made in, null where it took several."""

    feat = serializers.ChoiceField(choices=[str(feat) for feat in Feat])
    title = serializers.CharField(help_text="What it is called, in the reader's language.")
    holders = serializers.ListField(child=serializers.CharField(), help_text="The ids of members.")
    value = serializers.IntegerField()
    locals().update(  # a field's name in the API, which is no good name of a local variable
        said=serializers.CharField(help_text="How much, in the reader's language.")
    )
    game = serializers.CharField(allow_null=True)


class RecordsSaid(CountedSaid):
    """The records; what nobody has done is left out."""

    records = FeatSaid(many=True)


# --- duels ------------------------------------------------------------------------------------------------------------


class DuelSaid(Answer):
    """The games two members both played: how often one came before the other, behind, and level."""

    one = serializers.CharField(source="one.slug", help_text="The id of a member.")
    other = serializers.CharField(source="other.slug", help_text="The id of a member.")
    games = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()
    level = serializers.IntegerField()


class DuelsSaid(CountedSaid):
    """Everybody against everybody, each two once."""

    duels = DuelSaid(many=True)


class OfGame(Answer):
    """The code of a game."""

    game = serializers.CharField(source="game.code")


class MeetingSaid(OfGame, TitleSaid):
    """A game both played; of either, the one first."""

    night = serializers.DateField()
    places = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    nets = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)

    def title(self, meeting: Meeting) -> str:
        """Return the title of the game."""
        return meeting.game.variant

    def tell_night(self, meeting: Meeting) -> date:
        """Return the night of the game."""
        return date.fromordinal(meeting.game.night_number)


class DuelInFull(CountedSaid, DuelSaid):
    """Two members, and the last games both played, the newest first."""

    wins = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    nets = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    last = MeetingSaid(many=True)

    @property
    def encounters(self) -> Encounters:
        """The games of the two, beyond the duel that the answer is about."""
        encounters = self.context["encounters"]
        assert isinstance(encounters, Encounters)
        return encounters

    def tell_wins(self, _duel: object) -> Sequence[int]:
        """Return how many games each of them won."""
        return self.encounters.wins

    def tell_nets(self, _duel: object) -> Sequence[int]:
        """Return the money of each in those games."""
        return self.encounters.nets

    def tell_last(self, _duel: object) -> Sequence[Meeting]:
        """Return the last games."""
        return self.encounters.last


# --- a player ---------------------------------------------------------------------------------------------------------


class RanksSaid(Answer):
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


class PlaceTaken(Answer):
    """How often a place was taken."""

    place = serializers.IntegerField()
    times = serializers.IntegerField()


class DeedsSaid(Answer):
    """What else there is to tell."""

    longest_streak = serializers.IntegerField(help_text="The most games won in a row.")
    rounds_won = serializers.IntegerField()
    in_one_go = serializers.IntegerField()
    reentries = serializers.IntegerField()
    most_reentries = serializers.IntegerField(help_text="In one game.")
    survived = serializers.IntegerField(help_text="The most rounds in a row begun close to being out.")
    most_won = serializers.IntegerField(help_text="The most money a game gave.")


class ResultSaid(OfGame, TitleSaid):
    """A game somebody played; place and total are null where there is none."""

    night = serializers.DateField()
    place = serializers.IntegerField(allow_null=True, help_text="Null where everybody took their money back.")
    won = serializers.BooleanField()
    points = serializers.IntegerField()
    net = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True, help_text="The points written down.")
    reentries = serializers.IntegerField()

    def tell_night(self, result: Result) -> date:
        """Return the night of the game."""
        return date.fromordinal(result.night_number)


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
