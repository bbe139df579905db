"""Serializers for seasons, standings, records, duels and players: request bodies and answers.

A duel is the head-to-head result of two members. The counted games are those that the filters of a request
choose (`filtering.py`).

The method `read` of a field returns the field's value in a request body, after checking it: `values` are the
fields of the body, `name` is the name of this field. A method `tell_x` returns the value of the field `x` in
an answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

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

ORDERS = ["", *SeasonOrder.values]
FORM = 10  # games shown of each member's recent form
DAY_LENGTH = 10
ORDER = (
    "The order of the standings. Empty if nobody chose one: then `average` if members played different "
    "numbers of games, else `wins`."
)


# --- seasons ----------------------------------------------------------------------------------------------


class SeasonSaid(Answer):
    """A season. It ends where the next one begins; games that start now belong to the newest."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    starts_on = serializers.DateField()
    order = serializers.ChoiceField(choices=ORDERS, help_text=ORDER)
    games = serializers.IntegerField(source="played", help_text="The number of finished games.")


class SeasonsSaid(Answer):
    """The seasons of a table, newest first."""

    seasons = SeasonSaid(many=True)


class Order(Word):
    """A choice field for the order of the standings of a season."""

    def read(self, values: Fields, name: str) -> str:
        """Return the order as it is stored, e.g. "wins"; "" means that nobody chose an order."""
        return seasons.read_order(super().read(values, name))


class SeasonDay(serializers.DateField):
    """A date field for a day of a season, parsed with the same error messages as on the page."""

    def read(self, values: Fields, name: str) -> date:
        """Return the day; raise RuleError if it is no date, or before the year 1900."""
        return seasons.read_day(values.text(name, longest=DAY_LENGTH), field=name)


class SeasonBegun(Body):
    """A season to begin: its name, its first day and the order of its standings."""

    name = Line(max_length=SEASON_NAME_LENGTH)
    first_day = SeasonDay()
    order = Order(required=False, longest=ORDER_LENGTH, choices=ORDERS, help_text=ORDER)


class SeasonChanged(Body):
    """The changes of a season; a field that is not sent stays unchanged."""

    name = Line(required=False, max_length=SEASON_NAME_LENGTH)
    first_day = SeasonDay(required=False)
    order = Order(required=False, longest=ORDER_LENGTH, choices=ORDERS, help_text=ORDER)


# --- standings --------------------------------------------------------------------------------------------


class OfSeason(Answer):
    """The base class of answers about a season. The season is in the context; None stands for all seasons."""

    season = serializers.IntegerField(
        allow_null=True, help_text="The id of the season; null for all seasons."
    )

    def tell_season(self, _instance: object) -> int | None:
        """Return the id of the season; None for all seasons."""
        season = self.context["season"]
        return None if season is None else int(season.pk)


class CountedSaid(OfSeason, Money):
    """The base class of answers about the counted games: their season, and the currency of amounts."""

    decimals = serializers.IntegerField(help_text="The number of decimals of an amount.")


class ExtentSaid(Answer):
    """The extent of the counted games: their number, their nights, and the first and last night."""

    games = serializers.IntegerField()
    nights = serializers.IntegerField()
    first = serializers.DateField(allow_null=True)
    last = serializers.DateField(allow_null=True)


class OutcomeSaid(Answer):
    """The result of a game for a member: won or not, and one point for each player placed behind."""

    won = serializers.BooleanField()
    points = serializers.IntegerField()


@dataclass(frozen=True)
class Row:
    """A row of the standings: a member's rank, and the sums of the member's games (`tally`).

    `points` and `average` (points per game) leave out the member's worst games, if a filter asks for that.
    The rank is None for a member with too few games.
    """

    tally: Tally
    rank: int | None
    points: int
    average: Fraction


class StandingSaid(Answer):
    """A row of the standings: the rank and the sums of a member's games."""

    member = serializers.CharField(source="tally.member.slug", help_text="The id of a member.")
    name = serializers.CharField(source="tally.member.name")
    rank = serializers.IntegerField(
        allow_null=True, help_text=("The rank of the member; equal members share a rank.")
    )
    games = serializers.IntegerField(source="tally.games")
    wins = serializers.IntegerField(source="tally.wins")
    points = serializers.IntegerField(help_text="One point in each game for every player placed behind.")
    average = serializers.FloatField(help_text="Points per game, to two decimals.")
    net = serializers.IntegerField(source="tally.net")
    streak = serializers.IntegerField(
        source="tally.streak", help_text="The number of games won in a row up to the last one."
    )
    form = OutcomeSaid(many=True, help_text="The results of the last games, oldest first.")

    def tell_average(self, row: Row) -> float:
        """Return the average of points per game, rounded to two decimals."""
        return float(round(row.average, 2))

    def tell_form(self, row: Row) -> Sequence[object]:
        """Return the results of the member's last games as JSON (`won` and `points`), oldest first."""
        return [{"won": is_won(mark), "points": points_of(mark)} for mark in row.tally.marks[-FORM:]]


class SpanSaid(Answer):
    """A span of nights, with the money and points of each member after the last night of the span."""

    first = serializers.DateField()
    last = serializers.DateField()
    nets = serializers.DictField(child=serializers.IntegerField())
    points = serializers.DictField(child=serializers.IntegerField())


class StandingsSaid(CountedSaid):
    """The standings of a season. `others` are members with fewer games than the minimum."""

    extent = ExtentSaid()
    by = serializers.CharField(help_text="The order of the lines.")
    least = serializers.IntegerField(help_text="The smallest number of games for a line.")
    lines = StandingSaid(many=True)
    others = StandingSaid(many=True)
    course = SpanSaid(many=True)


# --- records ----------------------------------------------------------------------------------------------


class FeatSaid(Answer):
    """A record: its name, its holders and its value.

    `game` is the first game that reached the value; it is null if the record took several games.
    """

    feat = serializers.ChoiceField(choices=[str(feat) for feat in Feat])
    title = serializers.CharField(help_text="The name of the record, in the reader's language.")
    holders = serializers.ListField(
        child=serializers.CharField(), help_text=("The ids of the members who hold the record.")
    )
    value = serializers.IntegerField()
    locals().update(  # set indirectly, because the style rules refuse a variable named `said`
        said=serializers.CharField(help_text="The value of the record, in the reader's language.")
    )
    game = serializers.CharField(allow_null=True)


class RecordsSaid(CountedSaid):
    """The records of a season; a record that nobody holds is left out."""

    records = FeatSaid(many=True)


# --- head to head -----------------------------------------------------------------------------------------


class DuelSaid(Answer):
    """The head-to-head result of two members, in the games that both played.

    It counts the games in which the first member placed ahead of the other, behind the other, or level.
    """

    one = serializers.CharField(source="one.slug", help_text="The id of a member.")
    other = serializers.CharField(source="other.slug", help_text="The id of a member.")
    games = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()
    level = serializers.IntegerField()


class DuelsSaid(CountedSaid):
    """The head-to-head results of every pair of members, each pair once."""

    duels = DuelSaid(many=True)


class OfGame(Answer):
    """The base class of answers with the code of a game."""

    game = serializers.CharField(source="game.code")


class MeetingSaid(OfGame, TitleSaid):
    """A game that both members played. The first value of each list belongs to the member `one`."""

    night = serializers.DateField()
    places = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    nets = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)

    def title(self, meeting: Meeting) -> str:
        """Return the title of the game as it is stored: the key of the variant and the game's own name."""
        return meeting.game.variant

    def tell_night(self, meeting: Meeting) -> date:
        """Return the night of the game."""
        return date.fromordinal(meeting.game.night_number)


class DuelInFull(CountedSaid, DuelSaid):
    """The head-to-head result of two members, with the last games that both played, newest first."""

    wins = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    nets = serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2)
    last = MeetingSaid(many=True)

    @property
    def encounters(self) -> Encounters:
        """The games that both members played: the wins and money of each member, and the last games."""
        encounters = self.context["encounters"]
        assert isinstance(encounters, Encounters)
        return encounters

    def tell_wins(self, _duel: object) -> Sequence[int]:
        """Return the number of wins of each of the two members, in the games that both played."""
        return self.encounters.wins

    def tell_nets(self, _duel: object) -> Sequence[int]:
        """Return the money that each of the two won (below zero: lost) in the games that both played."""
        return self.encounters.nets

    def tell_last(self, _duel: object) -> Sequence[Meeting]:
        """Return the last games that both members played, newest first."""
        return self.encounters.last


# --- a player ---------------------------------------------------------------------------------------------


class RanksSaid(Answer):
    """The rank of a member by wins, points, average and money; null if the member has too few games."""

    wins = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    average = serializers.IntegerField(allow_null=True)
    money = serializers.IntegerField(allow_null=True)


class PlayedSaid(TitleSaid):
    """A member's results in one variant."""

    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField()
    net = serializers.IntegerField()


class PlaceTaken(Answer):
    """A place, and the number of games in which the member took it."""

    place = serializers.IntegerField()
    times = serializers.IntegerField()


class DeedsSaid(Answer):
    """More statistics of a member, which the standings do not show."""

    longest_streak = serializers.IntegerField(help_text="The largest number of games won in a row.")
    rounds_won = serializers.IntegerField()
    in_one_go = serializers.IntegerField()
    reentries = serializers.IntegerField()
    most_reentries = serializers.IntegerField(help_text="The largest number of re-entries in one game.")
    survived = serializers.IntegerField(
        help_text=("The largest number of rounds in a row that the member began close to going bust.")
    )
    most_won = serializers.IntegerField(help_text="The most money won in one game.")


class ResultSaid(OfGame, TitleSaid):
    """A game that the member played. Place and total are null if the game has none."""

    night = serializers.DateField()
    place = serializers.IntegerField(
        allow_null=True, help_text=("The place of the member; null if everybody took their money back.")
    )
    won = serializers.BooleanField()
    points = serializers.IntegerField()
    net = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True, help_text="The total points of the member.")
    reentries = serializers.IntegerField()

    def tell_night(self, result: Result) -> date:
        """Return the night of the game."""
        return date.fromordinal(result.night_number)


class PlayerSaid(CountedSaid):
    """The season of a member: the row of the standings, statistics, and a page of games, newest first."""

    line = StandingSaid()
    ranks = RanksSaid()
    deeds = DeedsSaid()
    places = PlaceTaken(many=True)
    variants = PlayedSaid(many=True)
    duels = DuelSaid(many=True)
    games = ResultSaid(many=True)
    next = NextSaid()
