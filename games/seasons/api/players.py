"""The season of one member: statistics, head-to-head results and games."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api.pages import MOST, USUAL
from games.common.api.serializers import NightField, Titled
from games.common.api.writing import HIGHEST
from games.models import SeasonOrder
from games.seasons.api.filters import CountedSerializer, RankingQuery, SeasonView
from games.seasons.api.standings import DuelSerializer, LineSerializer
from games.seasons.careers import career_of, games_of
from games.seasons.duels import duels_of
from games.seasons.ordering import ordering_of
from games.seasons.standings import Tally, standings_of


class PlayerQuery(RankingQuery):
    """The filters for the games that count, and the games to list."""

    start = serializers.IntegerField(
        default=0, min_value=0, max_value=HIGHEST, help_text="How many of the newest games to skip."
    )
    limit = serializers.IntegerField(
        default=USUAL, min_value=1, max_value=MOST, help_text="The most games to list."
    )


class RanksSerializer(serializers.Serializer[Any]):
    """The rank of a member in each order; null if the member has too few games."""

    wins = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)
    average = serializers.IntegerField(allow_null=True)
    money = serializers.IntegerField(allow_null=True)


class PlayedSerializer(Titled):
    """A member's results in one variant."""

    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField()
    net = serializers.IntegerField()


class PlaceSerializer(serializers.Serializer[Any]):
    """A place, and the number of games in which the member took it."""

    place = serializers.IntegerField()
    times = serializers.IntegerField()


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


class ResultSerializer(Titled):
    """A game that the member played."""

    game = serializers.CharField(source="game.code")
    night = NightField(source="night_number")
    place = serializers.IntegerField(
        allow_null=True, help_text="The place of the member; null if everybody took their money back."
    )
    won = serializers.BooleanField()
    points = serializers.IntegerField()
    net = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True, help_text="The total points, if they are known.")
    reentries = serializers.IntegerField()


class SeasonOfMemberSerializer(CountedSerializer):
    """The season of a member: the line of the standings, statistics, and the games, newest first."""

    line = LineSerializer()
    ranks = RanksSerializer()
    deeds = DeedsSerializer()
    places = PlaceSerializer(many=True)
    variants = PlayedSerializer(many=True)
    duels = DuelSerializer(many=True)
    games = ResultSerializer(many=True)
    next = serializers.IntegerField(
        allow_null=True, help_text="The `start` of the games that follow; null if none do."
    )


class Player(SeasonView):
    """The season of a member."""

    serializer_class = SeasonOfMemberSerializer
    queries = {"player": PlayerQuery}

    @extend_schema(operation_id="player")
    def player(self, request: Request, code: str, member: str) -> Response:
        """Read the season of a member.

        Sums with their ranks, places, results by variant, head-to-head results, and the games themselves. For a
        merged member, it is that of the one who remains.
        """
        player, filters = self.people.by_slug.get(member), self.filters
        if player is None:
            raise NotFound
        scope, start, limit = self.scope(filters), self.query["start"], self.query["limit"]
        standings, career = standings_of(scope), career_of(scope, player)
        tally = standings.tallies.get(player.slug, Tally(player))
        results, is_more = games_of(scope, player, start=start, count=limit)
        ordering = ordering_of(filters, standings.tallies.values())
        rankings = {by: ordering.rank(standings.tallies.values(), by).lines for by in SeasonOrder}
        ranks = {
            str(by): next((line.rank for line in lines if line.tally.member == player), None)
            for by, lines in rankings.items()
        }
        points, average = tally.points(drop=filters.drop), tally.average(drop=filters.drop)
        figures = ("rounds_won", "in_one_go", "reentries", "most_reentries", "survived")
        parts = {
            "season": filters.season,
            "line": {"tally": tally, "rank": ranks[ordering.by], "points": points, "average": average},
            "ranks": ranks,
            "deeds": {
                **{name: getattr(career, name) for name in figures},
                **{"longest_streak": tally.longest_streak, "most_won": max(career.most_won, 0)},
            },
            "places": [{"place": place, "times": times} for place, times in career.places.items()],
            **{"variants": career.played, "duels": duels_of(scope, player), "games": results},
            "next": start + limit if is_more else None,
        }
        return self.answer(SeasonOfMemberSerializer, parts)
