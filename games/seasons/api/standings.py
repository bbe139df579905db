"""The standings of a season, its records (the best values), and its duels (head-to-head results)."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api.serializers import MemberField, NightField, Titled
from games.common.api.writing import HIGHEST
from games.models import SeasonOrder
from games.seasons.api.seasons import CountedSerializer, GamesQuery, SeasonView
from games.seasons.duels import Meeting, duels_between_all, duels_of, encounters_of
from games.seasons.pages.tales import feat_rows
from games.seasons.ranking import ordering_of
from games.seasons.records import Feat, career_of, feats_of, games_of
from games.seasons.standings import Tally, is_won, points_of, standings_of
from games.tables.api.views import MOST, USUAL

FORM = 10  # games shown of each member's recent form
MEETINGS = 10  # games shown of a duel


class StandingsQuery(GamesQuery):
    """The filters for the games that count, and the order of the standings."""

    by = serializers.ChoiceField(
        choices=SeasonOrder.values,
        required=False,
        help_text="The order of the lines; by default the season's own order.",
    )


class ExtentSerializer(serializers.Serializer[Any]):
    """The extent of the games that count: their number, their nights, and the first and last night."""

    games = serializers.IntegerField()
    nights = serializers.IntegerField()
    first = serializers.DateField(allow_null=True)
    last = serializers.DateField(allow_null=True)


class OutcomeSerializer(serializers.Serializer[Any]):
    """The result of a game for a member: won or not, and one point for each player placed behind."""

    won = serializers.BooleanField()
    points = serializers.IntegerField()


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
    form = serializers.SerializerMethodField(help_text="The results of the last games, oldest first.")

    @extend_schema_field(OutcomeSerializer(many=True))
    def get_form(self, line: Any) -> list[dict[str, Any]]:
        """Return the results of the member's last games, oldest first."""
        marks = line["tally"].marks if isinstance(line, dict) else line.tally.marks
        return [{"won": is_won(mark), "points": points_of(mark)} for mark in marks[-FORM:]]


class StandingsSerializer(CountedSerializer):
    """The standings of a season. `others` are members with fewer games than the minimum."""

    extent = ExtentSerializer()
    by = serializers.ChoiceField(choices=SeasonOrder.values, help_text="The order of the lines.")
    least = serializers.IntegerField(help_text="The smallest number of games for a line.")
    lines = LineSerializer(many=True)
    others = LineSerializer(many=True)


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


class PairField(serializers.ListField):
    """A field of answers for the values of two members, first that of `one`, then that of `other`."""

    child = serializers.IntegerField()

    def __init__(self, **options: Any) -> None:
        super().__init__(min_length=2, max_length=2, **options)


class MeetingSerializer(Titled):
    """A game that both members played."""

    game = serializers.CharField(source="game.code")
    night = NightField(source="game.night_number")
    places = PairField()
    nets = PairField()

    def title(self, row: Meeting) -> str:
        """Return the stored title of the game."""
        return row.game.variant


class EncountersSerializer(CountedSerializer):
    """The head-to-head result of two members, with the last games that both played, newest first."""

    duel = DuelSerializer()
    wins = PairField()
    nets = PairField()
    last = MeetingSerializer(many=True)


class Standings(SeasonView):
    """The standings, records and duels of a season."""

    serializer_class = StandingsSerializer
    queries = {"standings": StandingsQuery, "records": GamesQuery, "duels": GamesQuery, "duel": GamesQuery}

    @extend_schema(operation_id="standings")
    def standings(self, request: Request, code: str) -> Response:
        """Read the standings of a season.

        The ranking by wins, points, points per game or money. Games in which
        everybody took their money back count only for money.
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
                **{"feat": best.feat, "title": shown.title, "value": best.value, "text": shown.value},
                **{"holders": best.holders, "game": best.game},
            }
            for best, shown in zip(feats, feat_rows(feats, self.table), strict=True)
        ]
        return self.answer(RecordsSerializer, {"season": filters.season, "records": records})

    @extend_schema(operation_id="duels", responses=DuelsSerializer)
    def duels(self, request: Request, code: str) -> Response:
        """Read everybody's results head to head.

        For every pair of members, the number of games in which one placed ahead of the other. In each pair, the
        member who joined the table first comes first.
        """
        filters = self.filters
        came = {member.slug: place for place, member in enumerate(self.people.own)}
        pairs = duels_between_all(self.scope(filters)).items()
        ordered = sorted(pairs, key=lambda pair: [came[slug] for slug in pair[0]])
        duels = [duel for (one, other), duel in ordered if came[one] < came[other]]
        return self.answer(DuelsSerializer, {"season": filters.season, "duels": duels})

    @extend_schema(operation_id="duel", responses=EncountersSerializer)
    def duel(self, request: Request, code: str, member: str, other: str) -> Response:
        """Read the result of two members head to head.

        With the games and money that each of the two won in the games both played, and the last of these games.
        """
        filters = self.filters
        one, two = (self.people.by_slug.get(slug) for slug in (member, other))
        if one is None or two is None or one == two:
            raise NotFound
        encounters = encounters_of(self.scope(filters), one, two, last=MEETINGS)
        parts = {name: getattr(encounters, name) for name in ("duel", "wins", "nets", "last")}
        return self.answer(EncountersSerializer, {"season": filters.season, **parts})


# --- the season of one member -----------------------------------------------------------------------------------------


class PlayerQuery(GamesQuery):
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

        Sums with their ranks, results by variant, head-to-head results, and the games themselves. For a
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
        figures = ("rounds_won", "in_one_go", "reentries", "most_reentries", "survived")
        parts = {
            "season": filters.season,
            "line": {"tally": tally, "rank": ranks[ordering.by]},
            "ranks": ranks,
            "deeds": {
                **{name: getattr(career, name) for name in figures},
                **{"longest_streak": tally.longest_streak, "most_won": max(career.most_won, 0)},
            },
            **{"variants": career.played, "duels": duels_of(scope, player), "games": results},
            "next": start + limit if is_more else None,
        }
        return self.answer(SeasonOfMemberSerializer, parts)
