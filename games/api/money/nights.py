"""The nights of a table with their closing notes, each as it went, and closed with what everybody saw."""

from __future__ import annotations

from datetime import date

from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.closings import ClosingSaid, closing_said
from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import LIMIT, limit_sent
from games.api.common.problems import Problem
from games.api.common.schema import CODE, refusals
from games.api.money import payloads
from games.models import NOTE_LENGTH
from games.money.balances import People
from games.money.closings import close_night, nights_before, notes_of, stand_of
from games.money.evening import Evening, Moment, evening_of
from games.scoring.words import _
from games.shown.common.typed import read_day

LONGEST = 64  # letters of what was seen


class Nights(Endpoint):
    """The nights of a table."""

    @extend_schema(
        operation_id="nights",
        summary="The nights of a table",
        description="For whoever records there, and its members: nights with games or a closing note, newest first.",
        parameters=[CODE, payloads.BEFORE, LIMIT],
        responses={200: payloads.NightsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """A page of them."""
        table = self.accounts_opened(code)
        limit = limit_sent(request)
        found = nights_before(table, _before_sent(request), count=limit + 1)
        nights = found[:limit]
        notes, numbers = notes_of(nights, table), [night.toordinal() for night in nights]
        games = table.games.filter(discarded_at=None, night_number__in=numbers).order_by()
        played = dict(games.values_list("night_number").annotate(Count("pk")))
        told = [
            {
                "night": night.isoformat(),
                "games": played.get(night.toordinal(), 0),
                "closing": closing_said(notes[night], table) if night in notes else None,
            }
            for night in nights
        ]
        return answer({"nights": told, "next": nights[-1].isoformat() if len(found) > limit else None})

    @extend_schema(
        operation_id="close_night",
        summary="Close a night",
        description=(
            "For whoever records: puts down the balances and who is still to pay whom, as everybody saw them; of an "
            "older night as of its end. Where they are others by then, nothing is kept. The same sent twice is kept once."
        ),
        parameters=[CODE],
        request=payloads.NightClosed,
        responses={201: ClosingSaid, **refusals("body", "not_found", "stale")},
    )
    def post(self, request: Request, code: str) -> Response:
        """The closing note."""
        table = self.accounts_opened(code, for_writing=True)
        sent = self.sent("night", "seen", "text")
        night, seen = sent.day("night"), sent.text("seen", longest=LONGEST)
        text = sent.text("text", longest=NOTE_LENGTH) if sent.has("text") else ""
        return answer(
            closing_said(close_night(table, night, seen=seen, text=text, by=self.user), table), status=201
        )


class OneNight(Endpoint):
    """One night of the table."""

    @extend_schema(
        operation_id="night",
        summary="A night of a table",
        description="For whoever records there, and its members.",
        parameters=[CODE, payloads.NIGHT],
        responses={200: payloads.NightInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, night: str) -> Response:
        """Everything its page tells."""
        table = self.accounts_opened(code)
        day, people = read_day(night), People.of(table)
        if day is None:
            raise NotFound
        evening, note = evening_of(day, table, people), notes_of([day], table).get(day)
        if not evening.games and note is None:
            raise NotFound
        stand = stand_of(day, table, people)
        return answer(
            {
                "night": day.isoformat(),
                **_told(evening),
                "closing": note and closing_said(note, table),
                "balances": stand.balances,
                "lines": stand.lines,
                "seen": stand.seen,
            }
        )


def _told(evening: Evening) -> dict[str, object]:
    """What its games say."""
    return {
        "games": [game.code for game in evening.games],
        "there": [
            {
                "member": guest.member.slug,
                "name": guest.member.name,
                "games": guest.games,
                "wins": guest.wins,
                "reentries": guest.reentries,
                "net": guest.net,
                "is_playing": guest.is_playing,
            }
            for guest in evening.there
        ],
        "pots": sum(evening.pots),
        "best": _moment(evening.best),
        "worst": _moment(evening.worst),
    }


def _moment(moment: Moment | None) -> dict[str, object] | None:
    if moment is None:
        return None
    return {
        "members": [member.slug for member in moment.members],
        "game": moment.game.code,
        "net": moment.net,
    }


def _before_sent(request: Request) -> date | None:
    """The night before which the page begins, None for the first page; Problem where it is no day."""
    text = request.query_params.get("before")
    day = None if text is None else read_day(text)
    if text is not None and day is None:
        raise Problem("bad_request", _("Write the day like this: 2024-05-31."), field="before")
    return day
