"""A cache shared by several servers, for the tests that need one."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.server_processes import free_port

NAMES = ("valkey-server", "redis-server")


def has_redis() -> bool:
    """Return whether a Redis or Valkey server is installed."""
    return any(map(shutil.which, NAMES))


@pytest.fixture(scope="session")
def shared_cache() -> Iterator[str]:
    """The URL of an empty cache that stores nothing on disk."""
    program = next(filter(None, map(shutil.which, NAMES)))
    port = free_port()
    command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        for _attempt in range(100):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.05)
        yield f"redis://127.0.0.1:{port}/0"
        server.terminate()
