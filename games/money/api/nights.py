"""The nights (evenings of games) of a table: listing them, and showing one in full."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api.serializers import MemberField, Money, NightField
from games.common.typed import read_day
from games.money.evening import evening_of
from games.tables.api.permissions import SeesAccounts
from games.tables.api.views import PagedView

NIGHT = OpenApiParameter(
    "night", OpenApiTypes.DATE, OpenApiParameter.PATH, description="The day the night began."
)


class NightSerializer(serializers.Serializer[Any]):
    """A night, and the number of its games."""

    night = NightField(source="night_number")
    games = serializers.IntegerField()


class AttendeeSerializer(serializers.Serializer[Any]):
    """A member who played on a night, with the number and the results of their finished games."""

    member = MemberField()
    name = serializers.CharField(source="member.name")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    reentries = serializers.IntegerField()
    net = serializers.IntegerField()
    is_playing = serializers.BooleanField()


class NightInFullSerializer(Money):
    """A night: its games, its players and its pots."""

    night = serializers.DateField()
    games = serializers.ListField(child=serializers.CharField())
    there = AttendeeSerializer(many=True)
    pots = serializers.IntegerField(help_text="All pots of the night together.")


class Nights(PagedView):
    """The nights of a table."""

    serializer_class = NightSerializer
    permission_classes = [SeesAccounts]
    ordering = ("-night_number",)
    lookup_url_kwarg, lookup_value_converter = "night", "slug"

    @extend_schema(operation_id="nights")
    def list(self, request: Request, code: str) -> Response:
        """List the nights of a table.

        For users who may record, and for members: nights with games, the newest first. A night is named by the
        day on which it began. It lasts from 6:00 to 6:00 of the next day on the table's clock: a game at 3:00
        belongs to the night of the day before.
        """
        games = self.table.games.filter(discarded_at=None).order_by()
        return self.page(games.values("night_number").annotate(games=Count("pk")), NightSerializer)

    @extend_schema(operation_id="night", parameters=[NIGHT], responses=NightInFullSerializer)
    def retrieve(self, request: Request, code: str, night: str) -> Response:
        """Read a night of a table.

        For users who may record, and for members.
        """
        day = read_day(night)
        evening = day and evening_of(day, self.table, self.people)
        if not evening or not evening.games:
            raise NotFound
        parts = {
            "night": day,
            "games": [game.code for game in evening.games],
            **{"there": evening.there, "pots": sum(evening.pots)},
        }
        return self.answer(NightInFullSerializer, parts)
