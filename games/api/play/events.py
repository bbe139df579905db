"""What was recorded of a game, what is to be recorded, and what that would change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import moment_said
from games.api.common.endpoints import answer
from games.api.common.limits import Counting, PerUser
from games.api.common.paging import PAGED, page_of
from games.api.common.problems import Problem, found_at
from games.api.common.schema import CODE, refusals
from games.api.common.writing import HIGHEST, KEY, TAG, VERSION, after_sent, key_sent
from games.api.play import examples
from games.api.play import game_payloads as payloads
from games.api.play.game import happened
from games.api.play.house import LONGEST_WORD
from games.api.play.opened import GameEndpoint, Opened
from games.api.play.reading import read_events
from games.locks import StaleGame
from games.models import Game
from games.money.closings import contradicted
from games.notebook.fields import Fields, Unreadable
from games.play.recording import check_members, record, solve_beforehand
from games.play.seating import newcomer
from games.scoring.errors import ScoringError
from games.scoring.events import Event
from games.scoring.preview import Conflict, Preview, preview
from games.scoring.state import GameState
from games.scoring.text.codec import kind_of, to_data
from games.scoring.text.report import full_summary
from games.scoring.words import _
from games.shown.common.sentences import translate
from games.shown.play.changes import notes_in_words

COMING = {
    "player_joined": "player",
    "seat_handed_over": "to",
}  # the events with somebody new, and where he stands
AFTER = OpenApiParameter(
    "after",
    {"type": "integer", "minimum": 0, "maximum": HIGHEST},
    description="Only what came after this number.",
)


class Events(GameEndpoint):
    """The log of a game."""

    @extend_schema(
        operation_id="events",
        summary="What was recorded of a game",
        description="Every event as it was recorded, corrections and strikes too, the oldest first, a page at a time.",
        parameters=[CODE, AFTER, *PAGED],
        responses={200: payloads.EventList, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """A page of the log."""
        game = self.game_opened(code)
        rows = game.records.filter(number__gt=_after_asked(request))
        page = page_of(request, rows, "number")
        events = [
            {
                "number": row.number,
                "kind": row.kind,
                "data": row.data,
                "at": moment_said(row.recorded_at, game.table),
            }
            for row in page.rows
        ]
        return answer({"events": events, "next": page.next})

    @extend_schema(
        operation_id="record",
        summary="Record events",
        description=(
            "One event or several, together or not at all, behind the last one that was seen. A correction, an event "
            "put in before another and a strike are events too: `corrected`, `inserted`, `struck`. Somebody new at "
            "the table comes by name alone, and gets an id. `at` says when it happened, for a program that had no "
            "network: it is kept between what was recorded before and now."
        ),
        parameters=[CODE, KEY, VERSION, TAG],
        request=payloads.EventsSent,
        responses={200: payloads.GameNow, **refusals("write", "unreadable", "alike")},
        examples=examples.EVENTS_EXAMPLES,
    )
    def post(self, request: Request, code: str) -> Response:
        """The game as it stands then."""
        game, key = self.game_opened(code, for_writing=True), key_sent(request)
        sent = self.sent("events", "after", "at", "apart")
        after, at = after_sent(request, sent), happened(sent, game)
        solve_beforehand(game, *_as_far_as_read(sent))
        # A newcomer is not kept where an event is refused; where nobody comes, nothing is held before it must be.
        with transaction.atomic() if _brings_somebody(sent) else nullcontext():
            events = _with_newcomers(sent, game, key)
            recorded = record(game, *events, after=after, key=key, by=self.user, at=at)
        return self.now(recorded)


class Previewed(GameEndpoint):
    """What would become of a game."""

    throttle_classes = [PerUser, Counting]

    @extend_schema(
        operation_id="preview",
        summary="What events would change",
        description=(
            "How the game would stand with these events, and what recorded later would fit no more, with the choices "
            "there are. `answers` chooses, by the key of each conflict. The events of the answer are those to record. "
            "Nothing is recorded."
        ),
        parameters=[CODE, VERSION, TAG],
        request=payloads.PreviewSent,
        responses={200: payloads.PreviewSaid, **refusals("body", "not_found", "stale", "unreadable")},
    )
    def post(self, request: Request, code: str) -> Response:
        """The consequences."""
        game = self.game_opened(code, for_writing=True)
        opened, sent = Opened.read(game), self.sent("events", "after", "answers")
        after = (
            after_sent(request, sent) if sent.has("after") or "If-Match" in request.headers else opened.after
        )
        if after != opened.after:
            raise StaleGame(after=after, since=opened.log[after:])
        tried = preview(
            opened.log, *_events(sent.list_of("events", most=payloads.MOST_EVENTS)), answers=_answers(sent)
        )
        if tried.after is not None:
            check_members(game.table.members.all(), tried.after)
        return answer(_Consequences(opened, tried).said, version=opened.after)


def _after_asked(request: Request) -> int:
    text = request.query_params.get("after", "0")
    if text.isascii() and text.isdigit() and len(text) <= 10 and int(text) <= HIGHEST:
        return int(text)
    raise Problem("bad_request", _("“after” is the number of an event."), field="after")


# --- reading ----------------------------------------------------------------------------------------------------------


def _events(found: Sequence[Any]) -> tuple[Event, ...]:
    if not found:
        raise Problem("misshapen", _("There is nothing to record."), field="events")
    return tuple(read_events(found))


def _as_far_as_read(sent: Fields) -> tuple[Event, ...]:
    """The events that were sent, none where somebody new is to get an id first, or something is wrong with them."""
    try:
        return tuple(read_events(sent.list_of("events", most=payloads.MOST_EVENTS)))
    except (Problem, Unreadable, ScoringError):
        return ()


def _with_newcomers(sent: Fields, game: Game, key: str) -> tuple[Event, ...]:
    """The events that were sent; who comes by name alone is made a member, unless that came of this key before."""
    found = sent.list_of("events", most=payloads.MOST_EVENTS)
    apart = (
        [str(name) for name in sent.list_of("apart", most=payloads.MOST_EVENTS)] if sent.has("apart") else []
    )
    for number, value in enumerate(found, start=1):
        name = _name_alone(value)
        if name is not None:
            with found_at("events", event=number):
                member = newcomer(game, name, key=key, apart=apart)
            value["data"][COMING[value["kind"]]] = {"id": member.slug, "name": member.name}
    return _events(found)


def _brings_somebody(sent: Fields) -> bool:
    return any(_name_alone(value) is not None for value in sent.list_of("events", most=payloads.MOST_EVENTS))


def _name_alone(value: Any) -> str | None:
    """The name of somebody new without an id, None where the event has nobody like that."""
    match value:
        case {"kind": str(kind), "data": dict(data)} if kind in COMING:
            match data.get(COMING[kind]):
                case {"name": str(name), **more} if not more and len(name) <= LONGEST_WORD:
                    return name
    return None


def _answers(sent: Fields) -> Mapping[str, str]:
    found = sent.part("answers") if sent.has("answers") else {}
    if not isinstance(found, dict) or not all(isinstance(answer, str) for answer in found.values()):
        raise Problem("misshapen", _("This should be an object with named parts."), field="answers")
    return found


# --- answering --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Consequences:
    """A correction tried out on a game that was read."""

    opened: Opened
    tried: Preview

    @property
    def said(self) -> dict[str, object]:
        """What would change, what stands in its way, and what would be recorded."""
        tried = self.tried
        return {
            "possible": tried.after is not None,
            "before": full_summary(tried.before, translate),
            "after": None if tried.after is None else full_summary(tried.after, translate),
            "conflicts": [_conflict(conflict) for conflict in tried.conflicts],
            "events": [_event(change) for change in tried.changes],
            "note": "" if tried.after is None else self._note(tried.after),
        }

    def _note(self, after: GameState) -> str:
        """Which closed nights would say something else."""
        opened = self.opened
        return notes_in_words(contradicted(opened.game, opened.log, self.tried.before, after))


def _conflict(conflict: Conflict) -> dict[str, object]:
    return {
        "key": conflict.key,
        "kind": str(conflict.kind),
        "number": conflict.number,
        "event": _event(conflict.event),
        "player": conflict.player,
        "choices": [
            {"remedy": str(choice.remedy), "events": [_event(change) for change in choice.changes]}
            for choice in conflict.choices
        ],
        "chosen": None if conflict.chosen is None else str(conflict.chosen),
    }


def _event(event: Event) -> dict[str, object]:
    return {"kind": kind_of(event), "data": to_data(event)}
