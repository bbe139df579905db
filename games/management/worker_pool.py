"""Worker processes like gunicorn's, but of waitress: `serve --workers N` opens the port, N children answer.

Children are forked before any thread starts. They end when the parent is gone, however it ended: each holds
the reading end of a pipe whose only writing end is the parent's. (`multiprocessing` has such a pipe for each
child, but later children inherit its writing end: one that hangs would keep the earlier ones alive.)
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from multiprocessing import connection, get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from time import monotonic

from django.core.management.base import CommandError

from games.management import stop_signals

LEAST_LIFETIME = 5.0  # seconds; a child that dies sooner counts as a failure
PAUSE = 1.0  # seconds until such a child is replaced
MOST_FAILURES = 3  # in a row; then the server ends


def run(count: int, serve: Callable[[], None], say: Callable[[str], object]) -> None:
    """Run `serve` in `count` children until Ctrl+C or SIGTERM, and replace a child that dies.

    The children are ended too: `serve` must heed `stop_signals`. Raise CommandError when three in a row die within
    five seconds of their start.
    """
    fork = get_context("fork")
    alive, parents_end = fork.Pipe(duplex=False)
    started: dict[BaseProcess, float] = {}
    failed = 0
    with stop_signals.stop_socket() as stop:
        try:
            while failed < MOST_FAILURES:
                while len(started) < count:
                    child: BaseProcess = fork.Process(
                        target=_serve, args=[serve, alive, parents_end], daemon=True
                    )
                    with stop_signals.blocked():
                        child.start()
                    started[child] = monotonic()
                if stop in connection.wait([stop, *(child.sentinel for child in started)]):
                    return
                for child in [child for child in started if child.exitcode is not None]:
                    failed = failed + 1 if monotonic() - started.pop(child) < LEAST_LIFETIME else 0
                    say(f"Worker {child.pid} ended with {child.exitcode}: another one takes its place.")
                if connection.wait([stop], PAUSE if failed else 0):
                    return
        finally:
            for child in started:
                child.terminate()
            for child in started:
                child.join()
    raise CommandError(
        f"{MOST_FAILURES} workers in a row ended as soon as they started: see what they say above."
    )


def _serve(serve: Callable[[], None], alive: Connection, parents_end: Connection) -> None:
    parents_end.close()
    Thread(target=_end_with_parent, args=[alive], daemon=True).start()
    serve()


def _end_with_parent(alive: Connection) -> None:
    alive.poll(None)  # nobody writes: this returns once the parent is gone
    os.kill(os.getpid(), signal.SIGTERM)
