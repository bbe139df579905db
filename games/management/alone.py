"""A lock that lets one process at a time migrate the database."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings


@contextmanager
def migrating_alone(write: Callable[[str], object]) -> Iterator[None]:
    """Hold the migration lock during the `with` block. If another process holds it, write a message and wait.

    Without the lock, two processes would plan the same migrations, and the later process would fail with
    "table already exists". The lock is on the folder `DATA_DIR` itself. The operating system releases it even
    if the process is killed.
    """
    folder = os.open(settings.DATA_DIR, os.O_RDONLY)
    try:
        _lock(folder, write)
        yield
    finally:
        os.close(folder)


def _lock(folder: int, write: Callable[[str], object]) -> None:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        write("Another program is preparing the database. Waiting until it is done.")
        fcntl.flock(folder, fcntl.LOCK_EX)
    except OSError:
        pass  # a network file system may not lock folders: then migrate without the lock
