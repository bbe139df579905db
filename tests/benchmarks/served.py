"""A server process started by `manage.py serve`, with a database and static files of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

BASE = Path(__file__).resolve().parents[2]
PATIENCE = 900  # fifths of a second: a busy machine starts a server slowly


def settings_in(folder: str) -> dict[str, str]:
    """Return the environment of a server that keeps all its files in this folder."""
    return {
        **os.environ,
        "DATA_DIR": f"{folder}/data",
        "STATIC_ROOT": f"{folder}/static",
        "ALLOWED_HOSTS": "127.0.0.1",
        "DJANGO_SETTINGS_MODULE": "tests.unlimited",
    }


@contextmanager
def served(settings: Mapping[str, str]) -> Iterator[str]:
    """Run the server for the `with` block and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "manage.py", "serve", "--bind", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, cwd=BASE, env=settings, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        for _try in range(PATIENCE):
            time.sleep(0.2)
            try:
                urllib.request.urlopen(f"{address}/login/").close()
                break
            except OSError:
                continue
        else:
            raise TimeoutError(f"no server at {address}")
        yield address
    finally:
        server.terminate()
        server.wait()
