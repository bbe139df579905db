"""The seasons of a table: listing them; beginning and changing one, for owners."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api.serializers import Day, DaysQuery, Money, StrictModelSerializer, refused
from games.models import VARIANT_LENGTH, Season, SeasonOrder
from games.scoring.errors import RuleError
from games.scoring.variants import find_titled
from games.scoring.words import _
from games.seasons import seasons as services
from games.seasons.ranking import ALL, Filters
from games.seasons.standings import Scope
from games.tables.api.permissions import Owns
from games.tables.api.views import TableView


class SeasonSerializer(StrictModelSerializer):
    """A season. It ends where the next one begins; games that start now belong to the newest."""

    first_day = Day(source="starts_on")
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


class Seasons(TableView):
    """The seasons of a table."""

    serializer_class = SeasonSerializer
    rights = {"create": Owns, "partial_update": Owns}
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
        sent = self.sent()
        season = services.begin_season(
            self.table, name=sent["name"], first_day=sent["starts_on"], order=sent.get("order")
        )
        return self._answer(season, 201)

    @extend_schema(operation_id="change_season")
    def partial_update(self, request: Request, code: str, season: int) -> Response:
        """Change the name, first day or order of a season.

        For owners. The previous season then ends the day before; each game belongs to the season of its night.
        """
        changed, sent = get_object_or_404(self.table.seasons, pk=season), self.sent(partial=True)
        services.change_season(
            changed, name=sent.get("name"), first_day=sent.get("starts_on"), order=sent.get("order")
        )
        return self._answer(changed)

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
            raise refused(_("This season doesn't exist."))
        return known[value]

    def validate_game(self, value: str) -> str:
        """Return the title of the game."""
        try:
            find_titled(value)
        except RuleError as unknown:
            raise refused(unknown.text) from None
        return value


class CountedSerializer(Money):
    """A serializer of answers about the games that count: their season, and the money of the table."""

    season = serializers.IntegerField(
        source="season.pk", allow_null=True, help_text="The id of the season; null for all seasons."
    )


class SeasonView(TableView):
    """The base class of views about the games that the filters choose, by default the open season's."""

    @property
    def filters(self) -> Filters:
        """The filters of the request."""
        query = self.query
        return Filters(
            season=query["season"] if "season" in query else self.table.seasons.latest("starts_on", "pk"),
            by=SeasonOrder(query["by"]) if "by" in query else None,
            variant=query.get("game", ""),
            first=query.get("from"),
            last=query.get("to"),
        )

    def scope(self, filters: Filters) -> Scope:
        """Return the scope of the games that count."""
        return filters.scope(self.table, self.people, list(self.table.seasons.all()))
