"""The seasons of a table: listing them; beginning and changing one, for owners."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import refusals
from games.api.season import payloads
from games.models import Table
from games.season import seasons as services


class Seasons(Endpoint):
    """The endpoint that lists the seasons of a table, or begins one."""

    @extend_schema(
        operation_id="seasons",
        summary="The seasons of a table",
        responses={200: payloads.SeasonsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the seasons, newest first."""
        return _answer(self.table_opened(code))

    @extend_schema(
        operation_id="begin_season",
        summary="Begin a season",
        description="For owners. It ends the one before it; each game belongs to the season of its night.",
        request=payloads.SeasonBegun,
        responses={201: payloads.SeasonsSaid, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Begin a season, and return all seasons."""
        table, sent = self.table_opened(code, for_owning=True), self.sent(payloads.SeasonBegun)
        services.begin_season(table, name=sent["name"], first_day=sent["first_day"], order=sent.get("order"))
        return _answer(table, status=201)


class OneSeason(Endpoint):
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
    )
    def patch(self, request: Request, code: str, season: int) -> Response:
        """Change the name, first day or order of the season, and return all seasons."""

        table = self.table_opened(code, for_owning=True)
        changed, sent = get_object_or_404(table.seasons, pk=season), self.sent(payloads.SeasonChanged)
        name, first_day, order = (sent.get(field) for field in ("name", "first_day", "order"))
        services.change_season(changed, name=name, first_day=first_day, order=order)
        return _answer(table)


def _answer(table: Table, *, status: int = 200) -> Response:
    seasons = [season for season, _played in services.counted_seasons(table)]
    return answer(payloads.SeasonsSaid.of({"seasons": seasons}), status=status)
