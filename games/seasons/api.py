"""Seasons in the API: their list, standings, records, head-to-head results, and the season of a member."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.common import days
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
from games.seasons import seasons as services
from games.seasons.ranking import ALL, Filters, ordering_of, under_way
from games.seasons.records import Feat, career_of, duels_between_all, duels_of, feats_of, games_of
from games.seasons.standings import Scope, Tally, standings_of
from games.seasons.words import feat_rows
from games.tables.api.permissions import IsOwner
from games.tables.api.views import MOST, TableViewSetBase


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


class Seasons(TableViewSetBase):
    """The seasons of a table."""

    serializer_class = SeasonSerializer
    rights = {"create": IsOwner, "partial_update": IsOwner}
    lookup_url_kwarg, lookup_value_converter = "season", "int"

    @extend_schema(operation_id="seasons")
    def list(self, request: Request, code: str) -> Response:
        """List the seasons of a table, the newest first."""
        return Response(SeasonSerializer(services.counted_seasons(self.table), many=True).data)

    @extend_schema(operation_id="begin_season")
    def create(self, request: Request, code: str) -> Response:
        """Begin a season.

        For owners. It ends the one before it; each game belongs to the season of its night.
        """
        data = self.parsed_body()
        season = services.begin_season(
            self.table, name=data["name"], first_day=data["starts_on"], order=data.get("order")
        )
        return self._answer(season, 201)

    @extend_schema(operation_id="change_season")
    def partial_update(self, request: Request, code: str, season: int) -> Response:
        """Change the name, first day or order of a season.

        For owners. The previous season then ends the day before; each game belongs to the season of its night.
        """
        instance, data = get_object_or_404(self.table.seasons, pk=season), self.parsed_body(partial=True)
        services.change_season(
            instance, name=data.get("name"), first_day=data.get("starts_on"), order=data.get("order")
        )
        return self._answer(instance)

    def _answer(self, season: Season, status: int = 200) -> Response:
        counted = next(row for row in services.counted_seasons(self.table) if row == season)
        return self.answer(SeasonSerializer, counted, status)


# --- the filters of a season's operations, which choose the games that count ------------------------------------------


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
        """Return the season; None for all seasons."""
        if value == ALL:
            return None
        known: dict[str, Season] = {str(season.pk): season for season in self.context["table"].seasons.all()}
        if value not in known:
            raise validation_error(_("This season doesn't exist."))
        return known[value]

    def validate_game(self, value: str) -> str:
        """Return the title of the game."""
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


class SeasonView(TableViewSetBase):
    """The base class of views about the games that the filters choose, by default of the season under way."""

    @property
    def filters(self) -> Filters:
        """The filters of the request."""
        query = self.query
        default_season = under_way(list(self.table.seasons.all()), days.night_for(now(), self.table))
        return Filters(
            season=query.get("season", default_season),
            by=SeasonOrder(query["by"]) if "by" in query else None,
            variant=query.get("game", ""),
            first=query.get("from"),
            last=query.get("to"),
        )

    def scope(self, filters: Filters) -> Scope:
        """Return the scope of the games that count."""
        return filters.scope(self.table, self.people, list(self.table.seasons.all()))


# --- the standings, records and duels of a season ----------------------------------------------------------------------


class StandingsQuery(GamesQuery):
    """The filters for the games that count, and the order of the standings."""

    by = serializers.ChoiceField(
        choices=SeasonOrder.values,
        required=False,
        help_text="The order of the lines; by default the season's own order.",
    )


class ExtentSerializer(serializers.Serializer[Any]):
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

    extent = ExtentSerializer()
    by = serializers.ChoiceField(choices=SeasonOrder.values, help_text="The order of the lines.")
    least = serializers.IntegerField(help_text="The smallest number of games for a line.")
    lines, others = LineSerializer(many=True), LineSerializer(many=True)


class FeatSerializer(serializers.Serializer[Any]):
    """A record: its name, its holders and its value."""

    feat = serializers.ChoiceField(choices=[str(feat) for feat in Feat])
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

    records = FeatSerializer(many=True)


class DuelSerializer(serializers.Serializer[Any]):
    """The games in which the first of two members placed ahead of the other, behind the other, or level."""

    one, other = MemberField(), MemberField()
    games = serializers.IntegerField()
    ahead = serializers.IntegerField()
    behind = serializers.IntegerField()
    level = serializers.IntegerField()


class DuelsSerializer(CountedSerializer):
    """The head-to-head results of every pair of members, each pair once."""

    duels = DuelSerializer(many=True)


class Standings(SeasonView):
    """The standings, records and duels of a season."""

    serializer_class = StandingsSerializer
    queries = {"standings": StandingsQuery, "records": GamesQuery, "duels": GamesQuery}

    @extend_schema(operation_id="standings")
    def standings(self, request: Request, code: str) -> Response:
        """Read the standings of a season.

        Games in which everybody took their money back count only for money.
        """
        filters = self.filters
        standings = standings_of(self.scope(filters))
        ordering = ordering_of(filters, standings.tallies.values())
        ranking = ordering.rank(standings.tallies.values())
        parts = {
            **{"season": filters.season, "extent": standings.extent},
            **{"by": ordering.by, "least": ordering.least, "lines": ranking.lines},
            "others": [{"tally": tally, "rank": None} for tally in ranking.others],
        }
        return self.answer(StandingsSerializer, parts)

    @extend_schema(operation_id="records", responses=RecordsSerializer)
    def records(self, request: Request, code: str) -> Response:
        """Read the records of a season: the best values, each with all members who reached it."""
        filters = self.filters
        scope = self.scope(filters)
        feats = feats_of(scope, standings_of(scope).tallies.values())
        records = [
            {
                **{"feat": best.kind, "title": item.title, "value": best.value, "text": item.value},
                **{"holders": best.holders, "game": best.game},
            }
            for best, item in zip(feats, feat_rows(feats, self.table), strict=True)
        ]
        return self.answer(RecordsSerializer, {"season": filters.season, "records": records})

    @extend_schema(operation_id="duels", responses=DuelsSerializer)
    def duels(self, request: Request, code: str) -> Response:
        """Read everybody's results head to head.

        For every pair of members, the number of games in which one placed ahead of the other. In each pair, the
        member who joined the table first comes first.
        """
        filters = self.filters
        came = {member.slug: place for place, member in enumerate(self.people.current_members)}
        pairs = duels_between_all(self.scope(filters)).items()
        ordered = sorted(pairs, key=lambda pair: [came[slug] for slug in pair[0]])
        duels = [duel for (first, other), duel in ordered if came[first] < came[other]]
        return self.answer(DuelsSerializer, {"season": filters.season, "duels": duels})


# --- the season of one member -----------------------------------------------------------------------------------------


class PlayedSerializer(VariantTitleMixin):
    """A member's results in one variant."""

    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField(help_text="One point in each game for every player placed behind.")
    net = serializers.IntegerField()


class DeedsSerializer(serializers.Serializer[Any]):
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


class SeasonOfMemberSerializer(CountedSerializer):
    """The season of a member: the line of the standings, statistics, and the games, newest first, at most 200."""

    line = LineSerializer(help_text="The line of the member in the standings.")
    ranks = AmountsField(
        child=serializers.IntegerField(allow_null=True),
        help_text="The rank in each order; null if the member has too few games.",
    )
    deeds = DeedsSerializer()
    variants = PlayedSerializer(many=True)
    duels = DuelSerializer(many=True)
    games = ResultSerializer(many=True, help_text="The results of the member, the newest first.")


class Player(SeasonView):
    """The season of a member."""

    serializer_class = SeasonOfMemberSerializer
    queries = {"player": GamesQuery}

    @extend_schema(operation_id="player")
    def player(self, request: Request, code: str, member: str) -> Response:
        """Read the season of a member.

        Sums with their ranks, results by variant, head-to-head results, and the games themselves. For a
        merged member, it is that of the one who remains.
        """
        player, filters = self.people.by_slug.get(member), self.filters
        if player is None:
            raise NotFound
        scope = self.scope(filters)
        standings, career = standings_of(scope), career_of(scope, player)
        tally = standings.tallies.get(player.slug, Tally(player))
        results, _is_more = games_of(scope, player, start=0, count=MOST)
        ordering = ordering_of(filters, standings.tallies.values())
        rankings = {by: ordering.rank(standings.tallies.values(), by).lines for by in SeasonOrder}
        ranks = {
            str(by): next((line.rank for line in lines if line.tally.member == player), None)
            for by, lines in rankings.items()
        }
        figures = ("rounds_won", "in_one_go", "reentries", "most_reentries", "survived")
        parts = {
            "season": filters.season,
            "line": {"tally": tally, "rank": ranks[ordering.by]},
            "ranks": ranks,
            "deeds": {
                **{name: getattr(career, name) for name in figures},
                **{"longest_streak": tally.longest_streak, "most_won": max(career.most_won, 0)},
            },
            **{"variants": career.variants, "duels": duels_of(scope, player), "games": results},
        }
        return self.answer(SeasonOfMemberSerializer, parts)
