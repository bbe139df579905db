"""The nights (evenings of games) of a table: listing them, showing one in full, and settling one.

Settling a night computes who pays whom for its games. Only the latest night can be settled.
"""

from __future__ import annotations

from datetime import date

from django.db.models import Count
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import LIMIT, limit_sent
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.common.writing import KEY, key_sent
from games.api.money import payloads
from games.models import Table
from games.money.balances import People
from games.money.evening import evening_of
from games.money.settling import PlayedNight, choose_settling, settlement_of, tick_night
from games.nights import last_night, nights_before
from games.scoring.ledger import Transfer
from games.scoring.words import _
from games.shown.common.typed import read_day

SETTLING = OpenApiExample(
    "Beto owes Ana what she won, as a reader of Spanish gets it",
    value={
        **{"unit": "$", "decimals": 0, "night": "2026-11-20", "with_before": False, "is_playing": False},
        "nets": {"ana": 100, "beto": -100},
        "lines": [{"from": "beto", "to": "ana", "amount": 100, "claimed": 0, "to_tick": 100}],
        **{"ticked": [], "absent": []},
        "sentences": ["Beto le paga $\xa0100 a Ana."],
    },
    response_only=True,
)


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


class NightSettlement(Endpoint):
    """The endpoint for settling the table's latest night: who pays whom among those who played."""

    @extend_schema(
        operation_id="night_settlement",
        summary="Who pays whom for a night",
        description=(
            "For users who may record, and for members. Only the table's last night is settled; any other one is not"
            " found. “lines” are the payments left among those who played, “ticked” those made for this night. "
            "“sentences” says who pays whom in the language of the header Accept-Language."
        ),
        responses={200: payloads.NightSettlementSaid, **refusals("not_found")},
        examples=[SETTLING],
    )
    def get(self, request: Request, code: str, night: str) -> Response:
        """Return who pays whom for the night, and the payments already made for it."""
        return self._answer(self.accounts_opened(code), night)

    @extend_schema(
        operation_id="tick_night",
        summary="Tick off a payment of a night",
        description=(
            "For users who may record. Records the “to_tick” of this payer and payee as paid in cash for this "
            "night. If this amount is no longer owed, nothing is recorded."
        ),
        parameters=[KEY],
        request=payloads.NightTicked,
        responses={201: payloads.TickedSaid, **refusals("write")},
    )
    def post(self, request: Request, code: str, night: str) -> Response:
        """Record one payment of the settling as made in cash.

        A repeated request with the same idempotency key records nothing twice.
        """
        table = self.accounts_opened(code, for_writing=True)
        key, sent = key_sent(request), self.sent(payloads.NightTicked)
        line = Transfer(sent["payer"], sent["payee"], sent["amount"])
        payment = tick_night(table, _last_night(table, night), line, key=key, by=self.user)
        return answer(payloads.TickedSaid.of({"payments": [payment]}, table=table), status=201)

    @extend_schema(
        operation_id="choose_settling",
        summary="Choose how nights are settled",
        description=(
            "For users who may record: the night alone, or with older debts between those who played. Refused once"
            " payments of the last night are ticked off."
        ),
        request=payloads.SettlingChosen,
        responses={200: payloads.NightSettlementSaid, **refusals("body", "not_found")},
    )
    def patch(self, request: Request, code: str, night: str) -> Response:
        """Store whether the settling of a night includes older debts between its players.

        Return the settling computed that way.
        """
        table = self.accounts_opened(code, for_writing=True)
        _last_night(table, night)
        choose_settling(table, with_before=self.sent(payloads.SettlingChosen)["with_before"])
        return self._answer(table, night)

    def _answer(self, table: Table, night: str) -> Response:
        settlement = settlement_of(PlayedNight.read(_last_night(table, night), table, People.of(table)))
        return answer(payloads.NightSettlementSaid.of(settlement, table=table))


def _last_night(table: Table, text: str) -> date:
    """Return the date in this text if it is the night of the table's newest game; else raise NotFound."""
    day = read_day(text)
    if day is None or day != last_night(table):
        raise NotFound
    return day


def _before_sent(request: Request) -> date | None:
    """Return the date in the query parameter `before`: the page lists only earlier nights.

    Return None without the parameter; raise Problem if it is not a date.
    """
    text = request.query_params.get("before")
    day = None if text is None else read_day(text)
    if text is not None and day is None:
        raise Problem("bad_request", _("Write the day like this: 2024-05-31."), field="before")
    return day
