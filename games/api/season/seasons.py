"""The seasons of a table, and for its owners closing one, opening it again, its name and first day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Literal

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.problems import Problem
from games.api.common.schema import CODE, refusals
from games.api.season import payloads
from games.models import ORDER_LENGTH, SEASON_NAME_LENGTH, By, Season, Table
from games.notebook.fields import Fields
from games.scoring.errors import RuleError
from games.season import seasons as services

HIGHEST = 2**31
DAY_LENGTH = 10

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
TWO = OpenApiExample("two years", value={"seasons": _TWO}, response_only=True, status_codes=["200"])
CLOSED = OpenApiExample(
    "the end of a year", value={"last_day": "2026-12-31", "next_name": "2027"}, request_only=True
)
RENAMED = OpenApiExample("another name", value={"name": "Verano"}, request_only=True)


class Seasons(Endpoint):
    """The seasons of a table."""

    @extend_schema(
        operation_id="seasons",
        summary="The seasons of a table",
        parameters=[CODE],
        responses={200: payloads.SeasonsSaid, **refusals("not_found")},
        examples=[TWO],
    )
    def get(self, request: Request, code: str) -> Response:
        """All of them, the newest first."""
        return _answer(self.table_opened(code))


class SeasonWritten(Endpoint):
    """A write to a season; it answers with what the seasons are afterwards."""

    def write(self, code: str, season: int, act: Callable[[Season], object]) -> Response:
        """Does this to a season of a table for one of its owners; Problem where it is refused or gone."""
        table = self.table_opened(code, for_owning=True)
        found = table.seasons.filter(pk=season).first() if season < HIGHEST else None
        if found is None:
            raise Http404
        try:
            act(found)
        except services.StaleSeasons:
            raise Problem("stale") from None
        except RuleError as refusal:  # the fields of a form have hyphens
            raise Problem("refused", refusal.text, field=refusal.field.replace("-", "_")) from None
        return _answer(table)


class OneSeason(SeasonWritten):
    """A season of a table."""

    @extend_schema(
        operation_id="change_season",
        summary="Another name, first day or order for a season",
        description="For owners. The season before it ends where it begins; games go to the season of their night.",
        parameters=[CODE, payloads.SEASON],
        request=payloads.SeasonChanged,
        responses={200: payloads.SeasonsSaid, **refusals("body", "not_found", "stale")},
        examples=[RENAMED, TWO],
    )
    def patch(self, request: Request, code: str, season: int) -> Response:
        """The seasons as they are then."""

        def change(found: Season) -> None:
            sent = self.sent("name", "first_day", "order")
            name = sent.text("name", longest=SEASON_NAME_LENGTH) if sent.has("name") else found.name
            first_day = _day(sent, "first_day") if sent.has("first_day") else found.starts_on
            services.change_season(found, name=name, first_day=first_day, order=_order(sent))

        return self.write(code, season, change)


class ClosingSeason(SeasonWritten):
    """A season about to end."""

    @extend_schema(
        operation_id="close_season",
        summary="Close a season",
        description=(
            "For owners. The next one begins the day after, with whatever was played since. Closing one that is "
            "closed already changes nothing."
        ),
        parameters=[CODE, payloads.SEASON],
        request=payloads.SeasonClosed,
        responses={200: payloads.SeasonsSaid, **refusals("body", "not_found", "stale")},
        examples=[CLOSED, TWO],
    )
    def post(self, request: Request, code: str, season: int) -> Response:
        """The seasons as they are then."""

        def close(found: Season) -> None:
            sent = self.sent("last_day", "next_name", "order")
            name = sent.text("next_name", longest=SEASON_NAME_LENGTH)
            services.close_season(found, last_day=_day(sent, "last_day"), next_name=name, order=_order(sent))

        return self.write(code, season, close)


class ReopeningSeason(SeasonWritten):
    """A season about to be opened again."""

    @extend_schema(
        operation_id="reopen_season",
        summary="Open a season again",
        description="For owners, and of the one closed last: what was played since is of it.",
        parameters=[CODE, payloads.SEASON],
        request=None,
        responses={200: payloads.SeasonsSaid, **refusals("not_found", "stale", "refused")},
        examples=[TWO],
    )
    def post(self, request: Request, code: str, season: int) -> Response:
        """The seasons as they are then."""
        return self.write(code, season, services.reopen_season)


def _answer(table: Table) -> Response:
    return answer(
        {
            "seasons": [
                {
                    "id": season.pk,
                    "name": season.name,
                    "starts_on": season.starts_on.isoformat(),
                    "ends_on": season.ends_on.isoformat() if season.ends_on else None,
                    "order": season.order,
                    "games": played,
                }
                for season, played in services.counted_seasons(table)
            ]
        }
    )


def _order(sent: Fields) -> By | Literal[""] | None:
    """What was sent to sort by; None where nothing was."""
    return services.read_order(sent.text("order", longest=ORDER_LENGTH)) if sent.has("order") else None


def _day(sent: Fields, name: str) -> date:
    """A day that was sent, under the conditions of a form."""
    return services.read_day(sent.text(name, longest=DAY_LENGTH), field=name)
