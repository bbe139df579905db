"""The order in which waiting requests get a thread: one request of each client in turn."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """A queue for a limited number of simultaneous requests, in which clients take turns.

    The requests of a client wait behind each other. A client with hundreds of requests delays another client
    by at most one request per thread.
    """

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: OrderedDict[str, deque[Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, client: str) -> AsyncIterator[None]:
        """Wait for a turn of this client and hold it during the `async with` block."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(client)
        try:
            yield
        finally:
            self._pass_on()

    async def _wait(self, client: str) -> None:
        turn: Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the client left as it got its turn: pass it on
                self._pass_on()
            raise

    def _pass_on(self) -> None:
        """Give this turn to the waiting client whose last turn is longest ago, or mark it as free."""
        while self._waiting:
            client, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[client] = turns
            if not turn.done():
                return turn.set_result(None)
        self._free += 1
