"""Streams: responses that stay open and send a table's changes as they are stored.

A stream begins as an ordinary request. Its endpoint answers with the present changes and enters the table and
its position (the newest change and the revision) into the request's `Stream`. The server keeps the connection
open without a thread (`scorekeeper/streams.py`), and repeats the same request whenever the table's position
moves. So every part of a stream is checked exactly as a request is: token, scope, grant and table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from threading import Lock

from django.apps import apps

STREAM = "games.stream"  # a key of the WSGI environment: the request's Stream, if the response can stay open

# The most streams open at once. Each process counts its own, so a crash leaves no count behind.
OF_A_USER = 10
OF_AN_ADDRESS = 100  # many programs and phones may share an address
OF_A_PROCESS = 1000


class Seats:
    """A counter of the open streams of this process, with limits per user, per address and in all."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken: Counter[tuple[str, ...]] = Counter()

    def take(self, *keys: tuple[str, ...]) -> bool:
        """Count one more stream under each of these keys, such as ("user", "12").

        Return False, and count nothing, if a key is at its limit.
        """
        most = {"user": OF_A_USER, "address": OF_AN_ADDRESS, "process": OF_A_PROCESS}
        with self._lock:
            if any(self._taken[key] >= most[key[0]] for key in keys):
                return False
            self._taken.update(keys)
            return True

    def leave(self, *keys: tuple[str, ...]) -> None:
        """Count one stream less under each of these keys."""
        with self._lock:
            self._taken.subtract(keys)
            for key in keys:
                if not self._taken[key]:
                    del self._taken[key]


@dataclass(frozen=True)
class Position:
    """A table's newest change and its revision, which rises when somebody loses a right."""

    newest: int
    revision: int


@dataclass(eq=False)
class Stream:
    """A request whose response the server can keep open.

    The endpoint sets `table` once the request has passed its checks. After each part of the response it sets
    `seen` (the number of the last change sent), `position` (the table's at that time) and `heartbeat` (the
    line that repeats both).
    """

    seats: Seats
    is_open: bool = False  # the first part was sent, and the server repeats the request
    table: int | None = None
    seen: int = 0
    position: Position = Position(0, 0)
    heartbeat: bytes = b""
    _keys: tuple[tuple[str, ...], ...] = ()

    @property
    def is_behind(self) -> bool:
        """True if the table has changes after the last one sent."""
        return self.seen < self.position.newest

    def sit(self, user: int, address: str) -> bool:
        """Count this stream and return True.

        Return False, and count nothing, if its user, its address or the process has too many streams already.
        """
        keys = (("user", str(user)), ("address", address), ("process",))
        if not self.seats.take(*keys):
            return False
        self._keys = keys
        return True

    def end(self) -> None:
        """Stop counting this stream."""
        self.seats.leave(*self._keys)
        self._keys = ()


def positions_of(tables: Collection[int]) -> Mapping[int, Position]:
    """Return the present positions of the tables with these ids, in one query. A deleted table has none."""
    table = apps.get_model("games", "Table")  # the server imports this module before the models can be loaded
    rows = table.objects.filter(pk__in=tables).values_list("pk", "newest_change", "revision")
    return {pk: Position(newest, revision) for pk, newest, revision in rows}
