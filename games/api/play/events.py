"""The log of a game: listing its events, recording events, and previewing their effect.

A newcomer is a new player whom an event names without an id, because they are not a member of the table yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import answer
from games.api.common.limits import Counting, PerUser
from games.api.common.paging import PAGED, page_of
from games.api.common.problems import Problem, found_at
from games.api.common.schema import refusals
from games.api.common.serializers import Parts
from games.api.common.writing import HIGHEST, KEY, TAG, VERSION, after_sent, key_sent
from games.api.play import game_payloads as payloads
from games.api.play.dating import happened, timed
from games.api.play.opened import GameEndpoint, Opened
from games.api.play.payloads import LONGEST_WORD
from games.api.play.reading import read_events
from games.api.play.wrong_part import pointer_of
from games.locks import StaleGame
from games.models import Game
from games.notebook.fields import Unreadable
from games.play.recording import check_members, record, solve_beforehand
from games.play.seating import newcomer
from games.scoring.errors import ScoringError
from games.scoring.events import Event
from games.scoring.preview import Preview, preview
from games.scoring.words import _
from games.shown.play.effects import effects_of, season_sentences

# By the kinds of events that can add a new player: the field of their data that names this player.
COMING = {"player_joined": "player", "seat_handed_over": "to"}
AFTER = OpenApiParameter(
    "after",
    {"type": "integer", "minimum": 0, "maximum": HIGHEST},
    description="Only the events after this number.",
)


class Events(GameEndpoint):
    """The endpoint that lists the log of a game or records events."""

    query = ("after", "cursor", "limit")

    @extend_schema(
        operation_id="events",
        summary="The log of a game",
        description=(
            "Every event as it was recorded, including corrections and strikes, oldest first, in pages."
        ),
        parameters=[AFTER, *PAGED],
        responses={200: payloads.EventList, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a page of the recorded events, oldest first."""
        game = self.game_opened(code)
        rows = game.records.filter(number__gt=_after_asked(request))
        page = page_of(request, rows, "number")
        events = {"events": page.rows, "next": page.next}
        return answer(payloads.EventList.of(events, table=game.table))

    @extend_schema(
        operation_id="record",
        summary="Record events",
        description=(
            "One or several events, recorded together or not at all, after the last event that was seen. A "
            "correction, an inserted event and a strike are events too: `corrected`, `inserted`, `struck`. "
            "An event is sent by its kind and data, or as a line of notation. "
            "A newcomer is sent with only a name, and gets an id. `at` is the time of the events, for a "
            "program that was offline; a time before the last recorded event or after now is moved into "
            "this range. `played_at` is kept exactly, or refused with the reason. `last_at` of the answer is "
            "the time that was kept."
        ),
        parameters=[KEY, VERSION, TAG],
        request=payloads.EventsSent,
        responses={200: payloads.GameNow, **refusals("write", "unreadable", "alike")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Record the events and return the new state of the game."""
        game, key = self.game_opened(code, for_writing=True), key_sent(request)
        sent = self.sent(payloads.EventsSent)
        after = after_sent(request, sent)
        solve_beforehand(game, *_events_to_solve(sent))
        # The transaction removes a newcomer again if an event is refused. Without a newcomer no transaction
        # is needed, and the lock is taken as late as possible.
        with timed(sent), transaction.atomic() if _brings_somebody(sent) else nullcontext():
            at = happened(sent, game, key=key)
            events = _with_newcomers(sent, game, key)
            recorded = record(game, *events, after=after, key=key, by=self.user, at=at)
        return self.now(recorded)


class Previewed(GameEndpoint):
    """The endpoint that previews the effect of events without recording them."""

    throttle_classes = [PerUser, Counting]

    @extend_schema(
        operation_id="preview",
        summary="Preview events",
        description=(
            "The state of the game with these events, and the later events that they make impossible, each "
            "with its possible remedies. `answers` chooses a remedy by the key of each conflict. The events"
            " of the answer are those to be recorded. Nothing is recorded."
        ),
        parameters=[VERSION, TAG],
        request=payloads.PreviewSent,
        responses={200: payloads.PreviewSaid, **refusals("body", "not_found", "stale", "unreadable")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Return the state of the game with the events, and the conflicts that they would cause."""
        game = self.game_opened(code, for_writing=True)
        current, sent = Opened.read(game), self.sent(payloads.PreviewSent)
        is_versioned = "after" in sent or "If-Match" in request.headers
        after = after_sent(request, sent) if is_versioned else current.after
        if after != current.after:
            raise StaleGame(after=after, since=current.log[after:])
        tried = preview(current.log, *_events(sent.rows("events")), answers=sent.get("answers", {}))
        if tried.after is not None:
            check_members(game.table.members.all(), tried.after)
        with_accounts = self.visitor.sees_accounts(game.table, self.role)
        return answer(_consequences(current, tried, with_accounts=with_accounts), version=current.after)


def _after_asked(request: Request) -> int:
    text = request.query_params.get("after", "0")
    if text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= HIGHEST:
        return int(text)
    raise Problem("bad_request", _("“after” must be the number of an event."), field="after")


# --- reading requests -------------------------------------------------------------------------------------


def _events(values: Sequence[Any]) -> tuple[Event, ...]:
    if not values:
        raise Problem("misshapen", _("There is nothing to record."), field="events")
    return tuple(read_events(values, most=payloads.MOST_EVENTS))


def _events_to_solve(sent: Parts) -> tuple[Event, ...]:
    """Return the events of the body, so that their hands can be solved before the table is locked.

    To solve a hand is to arrange its cards into melds. If an event is invalid or adds a newcomer, return an
    empty tuple: then nothing is solved early, and the events are read again later (`_with_newcomers`).
    """
    try:
        return tuple(read_events(sent.rows("events"), most=payloads.MOST_EVENTS))
    except (Problem, Unreadable, ScoringError):
        return ()


def _with_newcomers(sent: Parts, game: Game, key: str) -> tuple[Event, ...]:
    """Return the events of the body. Each newcomer first becomes a member of the table, and so gets an id.

    `key` is the idempotency key of the request: a repeated request adds no member twice.
    """
    values = sent.rows("events")
    apart = [str(name) for name in sent.get("apart", ())]
    for number, value in enumerate(values, start=1):
        name = _newcomer_name(value)
        if name is not None:
            with found_at("events", pointer=pointer_of(number)):
                member = newcomer(game, name, key=key, apart=apart)
            value["data"][COMING[value["kind"]]] = {"id": member.slug, "name": member.name}
    return _events(values)


def _brings_somebody(sent: Parts) -> bool:
    return any(_newcomer_name(value) is not None for value in sent.rows("events"))


def _newcomer_name(value: Any) -> str | None:
    """Return the name of the newcomer that an event, sent as JSON, adds to the game; None if it adds none."""
    match value:
        case {"kind": str(kind), "data": dict(data)} if kind in COMING:
            match data.get(COMING[kind]):
                case {"name": str(name), **more} if not more and len(name) <= LONGEST_WORD:
                    return name
    return None


# --- writing answers --------------------------------------------------------------------------------------


def _consequences(current: Opened, tried: Preview, *, with_accounts: bool) -> dict[str, Any]:
    """Return `tried`, the preview of new events in the game `current`, as JSON.

    It has the states of the game before and after the new events, the conflicts (recorded events that become
    impossible), and all events to record. The field `note` tells what else changes: an earlier season and,
    `with_accounts`, who is owed then what they were forgiven.
    """
    after = tried.after
    note = ""
    if after is not None:
        change = current.game, tried.before, after
        note = " ".join(effects_of(*change).sentences if with_accounts else season_sentences(*change))
    parts = {
        **{"possible": after is not None, "before": tried.before, "after": after},
        **{"conflicts": tried.conflicts, "events": [payloads.event_now(change) for change in tried.changes]},
        "note": note,
    }
    return payloads.PreviewSaid.of(parts)
