"""Lanes: limits on how many requests of a process do heavy work at once, so that threads are left for others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore


class LaneFull(Exception):
    """Raised when all places of a lane are taken. `wait` is the number of seconds until the next try."""

    wait = 5


class Lane:
    """A lane for at most `most` requests at once.

    Nobody waits for a place: each waiting request would occupy one of the server's few threads, which also
    answer the polls. Hold a place only while an answer is computed, never while a client sends or reads.
    """

    def __init__(self, most: int) -> None:
        self._places = BoundedSemaphore(most)

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Hold a place in the `with` block. Raise LaneFull if all are taken."""
        if not self._places.acquire(blocking=False):
            raise LaneFull
        try:
            yield
        finally:
            self._places.release()


# For all that reads or writes a whole table: imports, their previews, exports, the accounts for the group.
WHOLE_TABLES = Lane(2)
