"""The queue of writers that wait for the database's lock. It is short, to leave threads for readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.db import OperationalError

PATIENCE = 2  # seconds that a writer waits
MOST_WAITING = 6  # threads of this process that wait; `serve` has eight

_places = BoundedSemaphore(MOST_WAITING)


@contextmanager
def reserve_place() -> Iterator[None]:
    """Hold a place in the queue while the `with` block waits for the lock.

    If no place is left, raise OperationalError, which is answered with 503 as if the database were too slow.
    """
    if not _places.acquire(blocking=False):
        raise OperationalError("Too many writers wait for the lock.")
    try:
        yield
    finally:
        _places.release()
