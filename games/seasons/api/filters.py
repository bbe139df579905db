"""The filters of a season's operations, which choose the games that count."""

from __future__ import annotations

from rest_framework import serializers

from games.common.api.serializers import DaysQuery, Money, refused
from games.models import VARIANT_LENGTH, Season, SeasonOrder
from games.scoring.errors import RuleError
from games.scoring.variants import find_titled
from games.scoring.words import _
from games.seasons.filters import ALL, DROPS, LEAST, Filters
from games.seasons.standings import Scope
from games.tables.api.views import TableView


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


class RankingQuery(GamesQuery):
    """The filters for the games that count, and for the worst games that do not."""

    least = serializers.ChoiceField(
        choices=LEAST,
        required=False,
        help_text=(
            "Members with fewer games have no rank. The default is one game; in the order `average`, about a "
            "third of the most games played."
        ),
    )
    drop = serializers.ChoiceField(
        choices=DROPS,
        required=False,
        help_text="The number of each member's worst games that give no points.",
    )


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
            least=query.get("least"),
            drop=query.get("drop", DROPS[0]),
        )

    def scope(self, filters: Filters) -> Scope:
        """Return the scope of the games that count."""
        return filters.scope(self.table, self.people, list(self.table.seasons.all()))
