"""Seasons in the API: their list, standings, records, head-to-head results, and the season of a member."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from django.utils.timezone import now
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.common import days
from games.models import Season, SeasonOrder
from games.seasons import presenters
from games.seasons.api.serializers import (
    GamesQuery,
    HeadToHeadsSerializer,
    MemberSeasonSerializer,
    RecordsSerializer,
    SeasonSerializer,
    StandingsQuery,
    StandingsSerializer,
)
from games.seasons.services import season_ranking, season_setup, season_standings, season_statistics
from games.seasons.services.season_ranking import Filters
from games.seasons.services.season_standings import GameScope, MemberTotals
from games.tables.api.permissions import IsOwner
from games.tables.api.views import MOST, TableViewSetBase


class SeasonViewSet(TableViewSetBase):
    """The seasons of a table."""

    serializer_class = SeasonSerializer
    rights = {"create": IsOwner, "partial_update": IsOwner}
    lookup_url_kwarg, lookup_value_converter = "season", "int"

    @extend_schema(operation_id="seasons")
    def list(self, request: Request, code: str) -> Response:
        """List the seasons of a table, the newest first."""
        return Response(SeasonSerializer(season_setup.load_with_game_counts(self.table), many=True).data)

    @extend_schema(operation_id="begin_season")
    def create(self, request: Request, code: str) -> Response:
        """Begin a season.

        For owners. It ends the one before it; each game belongs to the season of its night.
        """
        data = self.parsed_body()
        season = season_setup.create(
            self.table, name=data["name"], first_day=data["starts_on"], order=data.get("order")
        )
        return self._answer(season, 201)

    @extend_schema(operation_id="change_season")
    def partial_update(self, request: Request, code: str, season: int) -> Response:
        """Change the name, first day or order of a season.

        For owners. The previous season then ends the day before; each game belongs to the season of its
        night.
        """
        instance, data = get_object_or_404(self.table.seasons, pk=season), self.parsed_body(partial=True)
        season_setup.update(
            instance, name=data.get("name"), first_day=data.get("starts_on"), order=data.get("order")
        )
        return self._answer(instance)

    def _answer(self, season: Season, status: int = 200) -> Response:
        counted = next(row for row in season_setup.load_with_game_counts(self.table) if row == season)
        return self.answer(SeasonSerializer, counted, status)


# --- filters ----------------------------------------------------------------------------------------------------------


class SeasonViewSetBase(TableViewSetBase):
    """The base of views about the games that the filters select, by default those of the current season."""

    @property
    def filters(self) -> Filters:
        query = self.query
        current = days.season_on(days.night_for(now(), self.table), self.table)
        return Filters(
            season=query.get("season", current),
            by=SeasonOrder(query["by"]) if "by" in query else None,
            variant=query.get("game", ""),
            first=query.get("from"),
            last=query.get("to"),
        )

    def scope(self, filters: Filters) -> GameScope:
        return filters.scope(self.table, self.people, list(self.table.seasons.all()))


# --- standings, records and duels --------------------------------------------------------------------------------------


class StandingsViewSet(SeasonViewSetBase):
    """The standings, records and duels of a season."""

    serializer_class = StandingsSerializer
    queries = {"standings": StandingsQuery, "records": GamesQuery, "duels": GamesQuery}

    @extend_schema(operation_id="standings")
    def standings(self, request: Request, code: str) -> Response:
        """Read the standings of a season.

        Games in which everybody took their money back count only for money.
        """
        filters = self.filters
        standings = season_standings.load(self.scope(filters))
        ordering = season_ranking.resolve_ordering(filters, standings.tallies.values())
        ranking = ordering.rank(standings.tallies.values())
        parts = {
            "season": filters.season,
            "extent": standings.extent,
            "by": ordering.by,
            "least": ordering.least,
            "lines": ranking.lines,
            "others": [{"tally": tally, "rank": None} for tally in ranking.others],
        }
        return self.answer(StandingsSerializer, parts)

    @extend_schema(operation_id="records", responses=RecordsSerializer)
    def records(self, request: Request, code: str) -> Response:
        """Read the records of a season: the best values, each with all members who reached it."""
        filters = self.filters
        scope = self.scope(filters)
        records = season_statistics.load_records(scope, season_standings.load(scope).tallies.values())
        rows = [
            {
                "feat": record.kind,
                "title": item.title,
                "holders": record.holders,
                "value": record.value,
                "text": item.value,
                "game": record.game,
            }
            for record, item in zip(records, presenters.record_items(records, self.table), strict=True)
        ]
        return self.answer(RecordsSerializer, {"season": filters.season, "records": rows})

    @extend_schema(operation_id="duels", responses=HeadToHeadsSerializer)
    def duels(self, request: Request, code: str) -> Response:
        """Read everybody's results head to head.

        For every pair of members, the number of games that each placed ahead of the other. In each pair, the
        member who joined the table first comes first.
        """
        filters = self.filters
        came = {member.slug: place for place, member in enumerate(self.people.current_members)}
        pairs = season_statistics.load_all_head_to_heads(self.scope(filters)).items()
        ordered = sorted(pairs, key=lambda pair: [came[slug] for slug in pair[0]])
        duels = [duel for (first, other), duel in ordered if came[first] < came[other]]
        return self.answer(HeadToHeadsSerializer, {"season": filters.season, "duels": duels})


# --- the season of one member -----------------------------------------------------------------------------------------


class MemberSeasonViewSet(SeasonViewSetBase):
    """The season of a member."""

    serializer_class = MemberSeasonSerializer
    queries = {"player": GamesQuery}

    @extend_schema(operation_id="player")
    def player(self, request: Request, code: str, member: str) -> Response:
        """Read the season of a member.

        Sums with their ranks, results by variant, head-to-head results, and the games themselves. For a
        merged member, it is the season of the member they became.
        """
        player, filters = self.people.by_slug.get(member), self.filters
        if player is None:
            raise NotFound
        scope = self.scope(filters)
        standings, career = season_standings.load(scope), season_statistics.load_career(scope, player)
        tally = standings.tallies.get(player.slug, MemberTotals(player))
        results, _is_more = season_statistics.load_results(scope, player, start=0, count=MOST)
        ordering = season_ranking.resolve_ordering(filters, standings.tallies.values())
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
                "longest_streak": tally.longest_streak,
                "most_won": max(career.most_won, 0),
            },
            "variants": career.variants,
            "duels": season_statistics.load_head_to_heads(scope, player),
            "games": [played.result for played in results],
        }
        return self.answer(MemberSeasonSerializer, parts)
