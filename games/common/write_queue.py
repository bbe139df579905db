"""The queue of writers that wait for the database's lock: a short one, so that threads are left to answer others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from django.db import OperationalError

PATIENCE = 2  # seconds for which a writer waits
MOST_WAITING = 6  # threads of this process that wait; `serve` has eight

_places = BoundedSemaphore(MOST_WAITING)


@contextmanager
def reserve_place() -> Iterator[None]:
    """Hold a place in the queue while the `with` block waits for the lock.

    Raise OperationalError, which is answered with 503 like a database that is too slow, if no place is left.
    """
    if not _places.acquire(blocking=False):
        raise OperationalError("Too many writers wait for the lock.")
    try:
        yield
    finally:
        _places.release()
