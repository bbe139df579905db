"""The nights (evenings of games) of a table: listing them, and showing one in full."""

from __future__ import annotations

from datetime import date

from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import LIMIT, limit_sent
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.money import payloads
from games.money.balances import People
from games.money.evening import evening_of
from games.nights import nights_before
from games.scoring.words import _
from games.shown.common.typed import read_day


class Nights(Endpoint):
    """The endpoint that lists the nights of a table."""

    query = ("before", "limit")

    @extend_schema(
        operation_id="nights",
        summary="The nights of a table",
        description=(
            "For users who may record, and for members: nights with games, newest first. A night "
            "is named by the day on which it began. It lasts from 6:00 to 6:00 of the next day on the table's clock: "
            "a game at 3:00 belongs to the night of the day before."
        ),
        parameters=[payloads.BEFORE, LIMIT],
        responses={200: payloads.NightsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a page of the nights, newest first."""
        table = self.accounts_opened(code)
        limit = limit_sent(request)
        days = nights_before(table, _before_sent(request), count=limit + 1)
        nights = days[:limit]
        numbers = [night.toordinal() for night in nights]
        games = table.games.filter(discarded_at=None, night_number__in=numbers).order_by()
        played = dict(games.values_list("night_number").annotate(Count("pk")))
        rows = [{"night": night, "games": played.get(night.toordinal(), 0)} for night in nights]
        page = {"nights": rows, "next": nights[-1] if len(days) > limit else None}
        return answer(payloads.NightsSaid.of(page, table=table))


class OneNight(Endpoint):
    """The endpoint that returns one night in full."""

    @extend_schema(
        operation_id="night",
        summary="A night of a table",
        description="For users who may record, and for members.",
        responses={200: payloads.NightInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, night: str) -> Response:
        """Return the night: its games, its players, and the best and worst running totals."""
        table = self.accounts_opened(code)
        day, people = read_day(night), People.of(table)
        if day is None:
            raise NotFound
        evening = evening_of(day, table, people)
        if not evening.games:
            raise NotFound
        parts = {
            "night": day,
            "games": [game.code for game in evening.games],
            **{"there": evening.there, "pots": sum(evening.pots)},
            **{"best": evening.best, "worst": evening.worst},
        }
        return answer(payloads.NightInFull.of(parts, table=table))


def _before_sent(request: Request) -> date | None:
    """Return the date in the query parameter `before`: the page lists only earlier nights.

    Return None without the parameter; raise Problem if it is not a date.
    """
    text = request.query_params.get("before")
    day = None if text is None else read_day(text)
    if text is not None and day is None:
        raise Problem("bad_request", _("Write the day like this: 2024-05-31."), field="before")
    return day
