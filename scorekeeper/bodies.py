"""Reading request bodies from the connection, with limits on their size, speed and number at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from typing import Protocol

LARGEST = 16 * 2**20  # bytes of a body: more than any page accepts, so that the page shows its own limit
SMALL = 2**16  # bytes of a small body, such as a round or a payment
LARGE_AT_ONCE = 4  # larger bodies that may arrive at once in a process: more could fill its memory
LARGE_OF_A_CLIENT = 2  # larger bodies of a single client that may arrive at once
OPEN_OF_A_CLIENT = 64  # a client's simultaneous bodies of any size; many phones may share an address
PATIENCE = 20.0  # seconds that a body of any size may take
SLOWEST = 2**14  # bytes per second at which a body must arrive at least, once that time is over

Headers = list[tuple[str, str]]


class Wire(Protocol):
    """The part of the server's (Granian's) protocol object that reads the request's body."""

    def __aiter__(self) -> AsyncIterator[bytes]: ...


class IncompleteRequest(Exception):
    """Raised if the server stops reading a request's body before its end.

    It has the status, headers and text of the response, after which the connection is closed.
    """

    headers: Headers = [("content-type", "text/plain"), ("connection", "close"), ("retry-after", "5")]

    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status)
        self.status = status
        self.text = f"{status.phrase}\n".encode()


class Bodies:
    """A counter of the request bodies that this process is receiving, per client, to limit their number."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()
        self._large: Counter[str] = Counter()

    async def read(self, wire: Wire, length: int, client: str) -> bytes:
        """Return the whole body, of `length` bytes.

        Raise IncompleteRequest if the body is too long or too slow, if it ends early, or if too many bodies
        arrive at once from `client` (a key such as its address). For large bodies this limit is lower, and
        there is one for all clients together. A body counts as large once more than `SMALL` bytes have
        arrived, whatever its Content-Length says.
        """
        if length > LARGEST:
            raise IncompleteRequest(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if self._open[client] >= OPEN_OF_A_CLIENT:
            raise IncompleteRequest(HTTPStatus.SERVICE_UNAVAILABLE)
        body = bytearray()
        with ExitStack() as held:
            held.enter_context(_counted(self._open, client))
            async for part in _in_time(wire):
                is_large = len(body) > SMALL
                body += part
                if len(body) > SMALL and not is_large:
                    self._check_large(client)
                    held.enter_context(_counted(self._large, client))
        if len(body) < length:
            raise IncompleteRequest(HTTPStatus.BAD_REQUEST)
        return bytes(body)

    def _check_large(self, client: str) -> None:
        if self._large[client] >= LARGE_OF_A_CLIENT or self._large.total() >= LARGE_AT_ONCE:
            raise IncompleteRequest(HTTPStatus.SERVICE_UNAVAILABLE)


async def _in_time(wire: Wire) -> AsyncIterator[bytes]:
    """Yield the parts of a body; raise IncompleteRequest if it is too slow.

    A body may take `PATIENCE` seconds, and one more second for every `SLOWEST` bytes that have arrived.
    """
    latest = asyncio.get_running_loop().time() + PATIENCE
    parts = aiter(wire)
    while True:
        try:
            async with asyncio.timeout_at(latest):
                part = await anext(parts)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise IncompleteRequest(HTTPStatus.REQUEST_TIMEOUT) from None
        latest += len(part) / SLOWEST
        yield part


@contextmanager
def _counted(counter: Counter[str], client: str) -> Iterator[None]:
    counter[client] += 1
    try:
        yield
    finally:
        counter[client] -= 1
        if not counter[client]:
            del counter[client]
