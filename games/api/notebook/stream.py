"""The change feed of a table as a stream: server-sent events, or lines of JSON (NDJSON)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.core.cache import caches
from django.http import HttpResponse
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.api.common.endpoints import Endpoint
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.notebook import payloads
from games.api.notebook.changes import is_number, page_of, since_sent
from games.models import Table
from games.network import client_key
from games.scoring.words import _
from games.streams import STREAM, Position, Seats, Stream

EVENTS, LINES = "text/event-stream", "application/x-ndjson"
LAST_EVENT = "Last-Event-ID"
RETRY = 5000  # milliseconds after which a browser connects anew
HEADERS = {
    "Cache-Control": "private, no-store, no-transform",
    "X-Accel-Buffering": "no",  # keeps nginx from delaying the parts in its buffers
}
LAST_SEEN = OpenApiParameter(
    LAST_EVENT,
    {"type": "integer", "minimum": 0, "maximum": 2**53},
    OpenApiParameter.HEADER,
    description=(
        "The number of the last change that arrived; browsers send it themselves. It counts more than `since`."
    ),
)


class TooManyStreams(Problem):
    """The problem if the user or the client's address already has as many open streams as are allowed."""

    wait = 60  # seconds until the next try, for the header Retry-After

    def __init__(self) -> None:
        super().__init__("too_many_requests", _("Too many streams are open. Close one first."))


class ChangesStream(Endpoint):
    """The endpoint that sends the change feed of a table as a stream.

    The server repeats the request of an open stream when the table has changed (`games/streams.py`). Repeated
    requests do not count for the rate limits.
    """

    query = ("since",)

    @extend_schema(
        operation_id="stream_changes",
        summary="Follow a table without asking again",
        description=(
            "The changes of `changes/`, sent as they are stored. With `Accept: text/event-stream` each is a "
            "server-sent event whose `id` is its number and whose `data` is the change; otherwise each is a line of "
            "JSON (NDJSON). After the changes, and every 15 seconds, a heartbeat says how far the stream is: the event "
            "`seen`, or a line without `number`, with `seen`, `newest` and `accounts` as in the feed. Without "
            "`Last-Event-ID` and `since` it begins with the next change. If the connection ends, connect again with "
            "the last number, after a pause of some seconds: no change is left out or repeated. The stream ends when "
            "the token, the role or the table ends, at the next change at the latest; the next request gets the "
            "reason. It also ends after 256 kB, and as the server stops. A user has at most 10 streams, an address "
            "100. A server that cannot keep responses open sends the present changes and ends."
        ),
        parameters=[payloads.SINCE, LAST_SEEN],
        responses={
            (200, EVENTS): OpenApiTypes.STR,
            (200, LINES): OpenApiTypes.STR,
            **refusals("not_found"),
        },
    )
    def get(self, request: Request, code: str) -> HttpResponse:
        """Return the next part of an open stream; for a new request, open one and return its first part."""
        stream = _stream_of(request)
        table = self.table_opened(code)
        with_accounts = self.visitor.sees_accounts(table, self.role)
        field = LAST_EVENT if request.headers.get(LAST_EVENT) else "since"
        since = stream.seen if stream.is_open else _number_sent(request, table)
        as_events = request._request.get_preferred_type([LINES, EVENTS]) == EVENTS
        part = _part(table, since, field, with_accounts=with_accounts, as_events=as_events)
        stream.seen, stream.heartbeat = part[0], part[2]
        stream.position = Position(table.newest_change, table.revision)
        if not stream.is_open:
            if not stream.sit(self.user.pk, client_key(request.META.get("REMOTE_ADDR", ""))):
                raise TooManyStreams
            stream.table = table.pk
        opening = f"retry: {RETRY}\n\n".encode() if as_events and not stream.is_open else b""
        return HttpResponse(
            opening + part[1] + part[2], content_type=EVENTS if as_events else LINES, headers=HEADERS
        )

    def get_throttles(self) -> Sequence[BaseThrottle]:  # type: ignore[override]  # of a list
        """Return the rate limits; none for the next part of an open stream."""
        return [] if _stream_of(self.request).is_open else super().get_throttles()


def _stream_of(request: Request) -> Stream:
    """Return the stream that the server has attached to the request.

    A server that cannot keep responses open (under WSGI) attaches none. Then return a new stream, which ends
    with this response.
    """
    stream: Stream = request.META.get(STREAM) or Stream(Seats())
    return stream


def _number_sent(request: Request, table: Table) -> int:
    """Return the number of the change after which the stream begins, by default that of the newest change."""
    text = request.headers.get(LAST_EVENT, "")
    if not text:
        return since_sent(request, table)
    if not is_number(text):
        raise Problem("bad_request", _("“Last-Event-ID” must be the number of a change."), field=LAST_EVENT)
    return int(text)


def _part(
    table: Table, since: int, field: str, *, with_accounts: bool, as_events: bool
) -> tuple[int, bytes, bytes]:
    """Return the page of the feed after the change with the number `since`.

    The tuple has the cursor (the number of the last change on the page), the changes, and a heartbeat: a
    message that repeats the cursor. Changes and heartbeat are bytes: server-sent events if `as_events` is
    True, else lines of JSON. They are equal for all users with the same rights, so they are cached. Without
    `with_accounts`, changes of the accounts are left out. `field` is the name of the parameter or header that
    had `since`.
    """
    version = f"{table.pk}:{since}:{table.newest_change}:{table.revision}"
    key = f"stream:{version}:{with_accounts}:{as_events}:{get_language()}"
    part: tuple[int, bytes, bytes] | None = caches["drawn"].get(key)
    if part is None:
        news = page_of(table, since, with_accounts=with_accounts, field=field)
        body = payloads.NewsTold.of(news, table=table, accounts=with_accounts)
        changes = b"".join(
            _message(change, change["number"], as_events=as_events) for change in body["changes"]
        )
        state = {name: body[name] for name in ("seen", "newest", "accounts")}
        part = news.seen, changes, _message(state, news.seen, as_events=as_events, event="seen")
        caches["drawn"].set(key, part)
    return part


def _message(value: Any, number: int, *, as_events: bool, event: str = "") -> bytes:
    """Return the value as a line of JSON or, with `as_events`, as a server-sent event with this number.

    `event` is the type of the server-sent event; "" for the default type.
    """
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if not as_events:
        return f"{line}\n".encode()
    kind = f"event: {event}\n" if event else ""
    return f"{kind}id: {number}\ndata: {line}\n\n".encode()
