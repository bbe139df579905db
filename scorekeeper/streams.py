"""The open streams of a server process (`games/streams.py`): many connections, one thread, one query for all.

In each interval, one query asks for the feed positions of all tables that have streams. If a table's position
has changed, its streams repeat their requests and send what the endpoint answers. Any status except 200 ends
a stream: the client connects anew and gets that answer.

While nothing is new, a stream sends heartbeats: short messages that keep proxies from closing the connection.
"""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop, Event, Task
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from typing import Protocol

from django.db import Error, connection
from granian._granian import RSGIProtocolClosed as ProtocolClosed

from games.streams import Position, Seats, Stream, positions_of
from scorekeeper.bodies import Headers

INTERVAL = 0.5  # seconds between two queries for news
HEARTBEAT = 15.0  # seconds; proxies close a silent connection after a minute or two
RECHECK = 60.0  # seconds after which the rights are checked even without news
# The bytes after which a stream ends, and the client connects anew. Granian queues without limit what a
# client does not read, so clients that read nothing could fill the memory.
MOST = 2**18

Answered = tuple[int, Headers, bytes]


class Transport(Protocol):
    """The part of the server's (Granian's) API that sends the parts of a response."""

    async def send_bytes(self, data: bytes) -> None: ...


class Wire(Protocol):
    """The part of Granian's protocol object that opens a stream, and waits for the client's disconnection."""

    def response_stream(self, status: int, headers: Headers) -> Transport: ...

    async def client_disconnect(self) -> None: ...


class Streams:
    """The open streams of this process."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1)
        self.seats = Seats()
        self._calls: dict[Stream, Event] = {}  # the event of each stream is set to wake the stream
        self._poll: Task[None] | None = None
        self._is_ending = False

    async def send(
        self, wire: Wire, response: Answered, stream: Stream, repeat: Callable[[], Answered]
    ) -> None:
        """Send the response of the stream's request, and then further parts until the stream ends.

        `repeat` calls the endpoint with the same request again; it runs in the thread of the streams.
        """
        status, headers, first = response
        transport = wire.response_stream(status, [part for part in headers if part[0] != "content-length"])
        call = self._calls[stream] = Event()
        gone = asyncio.create_task(_gone(wire, call))
        stream.is_open = True
        if self._poll is None or self._poll.done():
            self._poll = asyncio.create_task(self._call_for_news())
        try:
            with suppress(ProtocolClosed):
                await transport.send_bytes(first)
                await self._follow(transport, stream, repeat, gone, MOST - len(first))
        finally:
            del self._calls[stream]
            gone.cancel()

    def end(self) -> None:
        """End all streams, because the server stops. Their clients connect anew and continue."""
        self._is_ending = True
        for call in self._calls.values():
            call.set()

    async def _follow(
        self,
        transport: Transport,
        stream: Stream,
        repeat: Callable[[], Answered],
        gone: Task[None],
        left: int,
    ) -> None:
        """Send further parts of the stream: new changes, or heartbeats.

        End after `left` bytes, when the repeated request is refused, or when the client or the server stops.
        """
        loop, call = asyncio.get_running_loop(), self._calls[stream]
        check_at = loop.time() + RECHECK
        while left > 0:
            if not stream.is_behind:
                await _wait_for(call, HEARTBEAT)
            if self._is_ending or gone.done():
                return
            part = stream.heartbeat
            if stream.is_behind or call.is_set() or loop.time() >= check_at:
                call.clear()
                status, _headers, part = await loop.run_in_executor(self.thread, repeat)
                if status != HTTPStatus.OK:
                    return
                check_at = loop.time() + RECHECK
            await transport.send_bytes(part)
            left -= len(part)

    async def _call_for_news(self) -> None:
        """Wake the streams of each table whose feed position has changed, as long as there are streams."""
        loop: AbstractEventLoop = asyncio.get_running_loop()
        while self._calls:
            await asyncio.sleep(INTERVAL)
            tables = {stream.table for stream in self._calls if stream.table is not None}
            try:
                positions = await loop.run_in_executor(self.thread, _positions, tables)
            except Error:  # the database does not answer now: neither rights nor news can be read
                continue
            for stream, call in self._calls.items():
                if stream.table is None or positions.get(stream.table) != stream.position:
                    call.set()


def _positions(tables: Collection[int]) -> Mapping[int, Position]:
    connection.close_if_unusable_or_obsolete()
    return positions_of(tables)


async def _gone(wire: Wire, call: Event) -> None:
    """Wait until the client closes the connection, then set `call`, which wakes its stream."""
    await wire.client_disconnect()
    call.set()


async def _wait_for(event: Event, seconds: float) -> None:
    """Wait until the event is set, but no longer than this number of seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
