"""The nights of a table with their closing notes, one night in full, and closing a night."""

from __future__ import annotations

from datetime import date

from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.closings import ClosingSaid
from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import LIMIT, limit_sent
from games.api.common.problems import Problem
from games.api.common.schema import CODE, refusals
from games.api.money import payloads
from games.money.balances import People
from games.money.closings import close_night, nights_before, notes_of, snapshot_of
from games.money.evening import evening_of
from games.scoring.words import _
from games.shown.common.typed import read_day


class Nights(Endpoint):
    """The nights of a table."""

    @extend_schema(
        operation_id="nights",
        summary="The nights of a table",
        description=(
            "For users who may record, and for members: nights with games or a closing note, newest first."
        ),
        parameters=[CODE, payloads.BEFORE, LIMIT],
        responses={200: payloads.NightsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a page of the nights."""
        table = self.accounts_opened(code)
        limit = limit_sent(request)
        days = nights_before(table, _before_sent(request), count=limit + 1)
        nights = days[:limit]
        notes, numbers = notes_of(nights, table), [night.toordinal() for night in nights]
        games = table.games.filter(discarded_at=None, night_number__in=numbers).order_by()
        played = dict(games.values_list("night_number").annotate(Count("pk")))
        rows = [
            {"night": night, "games": played.get(night.toordinal(), 0), "closing": notes.get(night)}
            for night in nights
        ]
        page = {"nights": rows, "next": nights[-1] if len(days) > limit else None}
        return answer(payloads.NightsSaid.of(page, table=table))

    @extend_schema(
        operation_id="close_night",
        summary="Close a night",
        description=(
            "For users who may record. Records the balances and the payments still to be made as everybody "
            "saw them; for an older night, those at its end. If they have changed, nothing is recorded. A "
            "repeated request is recorded once."
        ),
        parameters=[CODE],
        request=payloads.NightClosed,
        responses={201: ClosingSaid, **refusals("body", "not_found", "stale")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Close the night and return its closing note."""
        table = self.accounts_opened(code, for_writing=True)
        sent = self.sent(payloads.NightClosed)
        night, seen, text = sent["night"], sent["seen"], sent.get("text", "")
        note = close_night(table, night, seen=seen, text=text, by=self.user)
        return answer(ClosingSaid.of(note, table=table), status=201)


class OneNight(Endpoint):
    """One night of the table."""

    @extend_schema(
        operation_id="night",
        summary="A night of a table",
        description="For users who may record, and for members.",
        parameters=[CODE, payloads.NIGHT],
        responses={200: payloads.NightInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, night: str) -> Response:
        """Return the night with its games, players, best and worst results, balances and closing note."""
        table = self.accounts_opened(code)
        day, people = read_day(night), People.of(table)
        if day is None:
            raise NotFound
        evening, note = evening_of(day, table, people), notes_of([day], table).get(day)
        if not evening.games and note is None:
            raise NotFound
        stand = snapshot_of(day, table, people)
        parts = {
            "night": day,
            "games": [game.code for game in evening.games],
            **{"there": evening.there, "pots": sum(evening.pots)},
            **{"best": evening.best, "worst": evening.worst, "closing": note},
            **{"balances": stand.balances, "lines": stand.lines, "seen": stand.seen},
        }
        return answer(payloads.NightInFull.of(parts, table=table))


def _before_sent(request: Request) -> date | None:
    """Return the date before which the page begins; None for the first page.

    Raise Problem if it is not a date.
    """
    text = request.query_params.get("before")
    day = None if text is None else read_day(text)
    if text is not None and day is None:
        raise Problem("bad_request", _("Write the day like this: 2024-05-31."), field="before")
    return day
