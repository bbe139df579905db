"""Worker processes like gunicorn's, but of waitress: `serve --workers N` opens the port, N children answer.

Children are forked before any thread starts. They end when the parent is gone, however it ended: each holds
the reading end of a pipe whose only writing end is the parent's.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from time import monotonic, sleep

from django.core.management.base import CommandError

LEAST_LIFETIME = 5.0  # seconds; a child that dies sooner counts as a failure
PAUSE = 1.0  # seconds until such a child is replaced
MOST_FAILURES = 3  # in a row; then the server ends


def run(count: int, serve: Callable[[], None], say: Callable[[str], object]) -> None:
    """Run `serve` in `count` children until Ctrl+C or SIGTERM, and replace a child that dies.

    The children are ended too. Raise CommandError when three in a row die within five seconds of their start.
    """
    alive, parents_end = os.pipe()
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit())
    started: dict[int, float] = {}
    failed = 0
    try:
        while failed < MOST_FAILURES:
            while len(started) < count:
                started[_fork(serve, alive, parents_end)] = monotonic()
            pid, status = os.wait()
            lived = monotonic() - started.pop(pid, 0.0)
            failed = failed + 1 if lived < LEAST_LIFETIME else 0
            say(f"Worker {pid} ended with {os.waitstatus_to_exitcode(status)}: another one takes its place.")
            sleep(PAUSE if failed else 0)
    finally:
        for pid in started:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)
        for pid in started:
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)
    raise CommandError(
        f"{MOST_FAILURES} workers in a row ended as soon as they started: see what they say above."
    )


def _fork(serve: Callable[[], None], alive: int, parents_end: int) -> int:
    """Start a child that runs `serve`, and return its process id. The child never returns."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        os.close(parents_end)
        Thread(target=_end_with_parent, args=[alive], daemon=True).start()
        serve()
        status = 0
    except SystemExit:
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _end_with_parent(alive: int) -> None:
    os.read(alive, 1)  # nobody writes: this returns once the parent is gone
    os.kill(os.getpid(), signal.SIGTERM)
