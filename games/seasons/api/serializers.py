"""Seasons, standings, records and results in the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from games.common.api.serializers import (
    AmountsField,
    DaysQuery,
    MemberField,
    MoneyMixin,
    NightField,
    StrictDateField,
    StrictModelSerializer,
    VariantTitleMixin,
    validation_error,
)
from games.models import VARIANT_LENGTH, Season, SeasonOrder
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.scoring.variants import get_variant_by_title
from games.seasons.services import season_ranking
from games.seasons.services.season_statistics import RecordKind


class SeasonSerializer(StrictModelSerializer):
    """A season. It ends where the next one begins; a game belongs to that of its night."""

    first_day = StrictDateField(source="starts_on")
    order = serializers.ChoiceField(
        choices=SeasonOrder.values,
        required=False,
        allow_blank=True,
        help_text=(
            "The order of the standings. Empty if nobody chose one: then `money` where somebody won or lost any, "
            "else `wins`."
        ),
    )
    games = serializers.IntegerField(
        source="played", read_only=True, help_text="The number of finished games."
    )

    class Meta:
        model = Season
        fields = ("id", "name", "first_day", "order", "games")
        writable_fields = ("name", "first_day", "order")


class GamesQuery(DaysQuery):
    """The filters for the games that count."""

    season = serializers.CharField(
        required=False, max_length=20, help_text="The id of a season, or `all`; by default the open season."
    )
    game = serializers.CharField(
        required=False,
        max_length=VARIANT_LENGTH,
        help_text=(
            "Only games of this variant, by its key; for `points`, followed by the name of the game: "
            "`points:Generala`."
        ),
    )

    def validate_season(self, value: str) -> Season | None:
        """Return the season, None for all seasons."""
        if value == season_ranking.ALL_SEASONS:
            return None
        known: dict[str, Season] = {str(season.pk): season for season in self.context["table"].seasons.all()}
        if value not in known:
            raise validation_error(_("This season doesn't exist."))
        return known[value]

    def validate_game(self, value: str) -> str:
        try:
            get_variant_by_title(value)
        except RuleError as unknown:
            raise validation_error(unknown.text) from None
        return value


class CountedSerializer(MoneyMixin):
    """A serializer of answers about the games that count: their season, and the money of the table."""

    season = serializers.IntegerField(
        source="season.pk", allow_null=True, help_text="The id of the season; null for all seasons."
    )


class StandingsQuery(GamesQuery):
    """The filters for the games that count, and the order of the standings."""

    by = serializers.ChoiceField(
        choices=SeasonOrder.values,
        required=False,
        help_text="The order of the lines; by default the season's own order.",
    )


@extend_schema_serializer(component_name="Extent")
class GameCountSerializer(serializers.Serializer[Any]):
    """The extent of the games that count: their number, and that of their nights."""

    games = serializers.IntegerField()
    nights = serializers.IntegerField()


class LineSerializer(serializers.Serializer[Any]):
    """A line of the standings: the rank and the sums of a member's games."""

    member = MemberField(source="tally.member")
    name = serializers.CharField(source="tally.member.name")
    rank = serializers.IntegerField(
        allow_null=True, help_text="Equal members share a rank; null for a member with too few games."
    )
    games = serializers.IntegerField(source="tally.games")
    wins = serializers.IntegerField(source="tally.wins")
    points = serializers.IntegerField(
        source="tally.points", help_text="One point in each game for every player placed behind."
    )
    average = serializers.FloatField(source="tally.average", help_text="Points per game.")
    net = serializers.IntegerField(source="tally.net")
    streak = serializers.IntegerField(
        source="tally.streak", help_text="The number of games won in a row up to the last one."
    )


class StandingsSerializer(CountedSerializer):
    """The standings of a season. `others` are members with fewer games than the minimum."""

    extent = GameCountSerializer()
    by = serializers.ChoiceField(choices=SeasonOrder.values, help_text="The order of the lines.")
    least = serializers.IntegerField(help_text="The smallest number of games for a line.")
    lines, others = LineSerializer(many=True), LineSerializer(many=True)


@extend_schema_serializer(component_name="Feat")
class RecordItemSerializer(serializers.Serializer[Any]):
    """A record: its name, its holders and its value."""

    feat = serializers.ChoiceField(choices=[str(kind) for kind in RecordKind])
    title = serializers.CharField(help_text="The name of the record, in the reader's language.")
    holders = serializers.ListField(child=MemberField())
    value = serializers.IntegerField()
    text = serializers.CharField(help_text="The value of the record, in the reader's language.")
    game = serializers.CharField(
        source="game.code",
        allow_null=True,
        help_text="The first game that reached the value; null if the record took several games.",
    )


class RecordsSerializer(CountedSerializer):
    """The records of a season; a record that nobody holds is left out."""

    records = RecordItemSerializer(many=True)


@extend_schema_serializer(component_name="Duel")
class HeadToHeadSerializer(serializers.Serializer[Any]):
    """The games in which the first of two members placed ahead of the other, behind the other, or level."""

    one, other = MemberField(), MemberField()
    games = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()
    level = serializers.IntegerField()


@extend_schema_serializer(component_name="Duels")
class HeadToHeadsSerializer(CountedSerializer):
    """The head-to-head results of every pair of members, each pair once."""

    duels = HeadToHeadSerializer(many=True)


@extend_schema_serializer(component_name="Played")
class VariantTotalsSerializer(VariantTitleMixin):
    """A member's results in one variant."""

    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField(help_text="One point in each game for every player placed behind.")
    net = serializers.IntegerField()


@extend_schema_serializer(component_name="Deeds")
class MemberStatisticsSerializer(serializers.Serializer[Any]):
    """More statistics of a member, which the standings do not show."""

    longest_streak = serializers.IntegerField(help_text="The largest number of games won in a row.")
    rounds_won = serializers.IntegerField()
    in_one_go = serializers.IntegerField()
    reentries = serializers.IntegerField()
    most_reentries = serializers.IntegerField(help_text="The largest number of re-entries in one game.")
    survived = serializers.IntegerField(
        help_text="The largest number of rounds in a row that the member began close to going bust."
    )
    most_won = serializers.IntegerField(help_text="The most money won in one game.")


class ResultSerializer(VariantTitleMixin):
    """A game that the member played."""

    game = serializers.CharField(source="game.code")
    night = NightField(source="night_number")
    place = serializers.IntegerField(
        allow_null=True, help_text="The place of the member; null if everybody took their money back."
    )
    won = serializers.BooleanField()
    points = serializers.IntegerField(help_text="The number of players placed behind.")
    net = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True, help_text="The total points, if they are known.")
    reentries = serializers.IntegerField()


@extend_schema_serializer(component_name="SeasonOfMember")
class MemberSeasonSerializer(CountedSerializer):
    """The season of a member: the line of the standings, statistics, and the newest games, at most 200."""

    line = LineSerializer(help_text="The line of the member in the standings.")
    ranks = AmountsField(
        child=serializers.IntegerField(allow_null=True),
        help_text="The rank in each order; null if the member has too few games.",
    )
    deeds = MemberStatisticsSerializer()
    variants = VariantTotalsSerializer(many=True)
    duels = HeadToHeadSerializer(many=True)
    games = ResultSerializer(many=True, help_text="The results of the member, the newest first.")
