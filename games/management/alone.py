"""A lock that lets one process at a time prepare a folder: its database, or the static files."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def preparing_alone(folder: Path, write: Callable[[str], object]) -> Iterator[None]:
    """Hold the lock on the folder during the `with` block. If another process holds it, write a message and wait.

    Without the lock, two processes would plan the same migrations, and the later process would fail with
    "table already exists", or collect the same files. The lock is on the folder itself. The operating system
    releases it even if the process is killed.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, write)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, write: Callable[[str], object]) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        write("Another program is preparing the site. Waiting until it is done.")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        pass  # a network file system may not lock folders: then prepare without the lock
