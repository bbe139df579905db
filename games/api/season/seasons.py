"""The seasons of a table: listing them; closing, reopening and changing one, for owners."""

from __future__ import annotations

from collections.abc import Callable

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.problems import Problem, code_of
from games.api.common.schema import refusals
from games.api.season import payloads
from games.models import Season, Table
from games.scoring.errors import RuleError
from games.season import seasons as services

_TWO = [
    {"id": 8, "name": "2027", "starts_on": "2027-01-01", "ends_on": None, "order": "", "games": 3},
    {
        "id": 5,
        "name": "2026",
        "starts_on": "2026-03-05",
        "ends_on": "2026-12-31",
        "order": "points",
        "games": 41,
    },
]
TWO = OpenApiExample("two years", value={"seasons": _TWO}, response_only=True)
CLOSED = OpenApiExample(
    "the end of a year", value={"last_day": "2026-12-31", "next_name": "2027"}, request_only=True
)
RENAMED = OpenApiExample("another name", value={"name": "Verano"}, request_only=True)


class Seasons(Endpoint):
    """The endpoint that lists the seasons of a table."""

    @extend_schema(
        operation_id="seasons",
        summary="The seasons of a table",
        responses={200: payloads.SeasonsSaid, **refusals("not_found")},
        examples=[TWO],
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the seasons, newest first."""
        return _answer(self.table_opened(code))


class SeasonWritten(Endpoint):
    """The base class of endpoints that change a season and answer with all seasons."""

    def write(self, code: str, season: int, act: Callable[[Season], object]) -> Response:
        """Call `act` with the season and return all seasons; only owners may do this.

        Raise Problem if the change is refused, or if the season was deleted meanwhile.
        """
        table = self.table_opened(code, for_owning=True)
        written = get_object_or_404(table.seasons, pk=season)
        try:
            act(written)
        except services.StaleSeasons:
            raise Problem("stale") from None
        except RuleError as refusal:  # its field is one of the HTML form, whose names have hyphens
            raise Problem(code_of(refusal), refusal.text, field=refusal.field.replace("-", "_")) from None
        return _answer(table)


class OneSeason(SeasonWritten):
    """The endpoint that changes a season."""

    @extend_schema(
        operation_id="change_season",
        summary="Change the name, first day or order of a season",
        description=(
            "For owners. The previous season then ends the day before; each game belongs to the season of "
            "its night."
        ),
        request=payloads.SeasonChanged,
        responses={200: payloads.SeasonsSaid, **refusals("body", "not_found", "stale")},
        examples=[RENAMED, TWO],
    )
    def patch(self, request: Request, code: str, season: int) -> Response:
        """Change the name, first day or order of the season, and return all seasons."""

        def change(changed: Season) -> None:
            sent = self.sent(payloads.SeasonChanged)
            name, first_day = sent.get("name", changed.name), sent.get("first_day", changed.starts_on)
            services.change_season(changed, name=name, first_day=first_day, order=sent.get("order"))

        return self.write(code, season, change)


class ClosingSeason(SeasonWritten):
    """The endpoint that closes a season."""

    @extend_schema(
        operation_id="close_season",
        summary="Close a season",
        description=(
            "For owners. The next season begins the day after, and includes the games played since. Closing"
            " a closed season again changes nothing."
        ),
        request=payloads.SeasonClosed,
        responses={200: payloads.SeasonsSaid, **refusals("body", "not_found", "stale")},
        examples=[CLOSED, TWO],
    )
    def post(self, request: Request, code: str, season: int) -> Response:
        """Close the season, open the next one, and return all seasons."""

        def close(closed: Season) -> None:
            sent = self.sent(payloads.SeasonClosed)
            name, last_day = sent["next_name"], sent["last_day"]
            services.close_season(closed, last_day=last_day, next_name=name, order=sent.get("order"))

        return self.write(code, season, close)


class ReopeningSeason(SeasonWritten):
    """The endpoint that reopens a season."""

    @extend_schema(
        operation_id="reopen_season",
        summary="Reopen a season",
        description="For owners, for the season closed last: the games played since belong to it.",
        responses={200: payloads.SeasonsSaid, **refusals("not_found", "stale", "refused")},
        examples=[TWO],
    )
    def post(self, request: Request, code: str, season: int) -> Response:
        """Reopen the season that was closed last, and return all seasons."""
        return self.write(code, season, services.reopen_season)


def _answer(table: Table) -> Response:
    seasons = [season for season, _played in services.counted_seasons(table)]
    return answer(payloads.SeasonsSaid.of({"seasons": seasons}))
