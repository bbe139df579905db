"""Requests of several phones at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from django.db import connection

from games.common import lanes


def run_concurrently(*acts: Callable[[], Any]) -> list[Any]:
    """Call these in threads that start together. Return what each returned or raised."""
    ready = threading.Barrier(len(acts))
    ends: list[Any] = [None] * len(acts)

    def do(place: int, act: Callable[[], Any]) -> None:
        try:
            ready.wait()
            ends[place] = act()
        except Exception as error:
            ends[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=do, args=args) for args in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ends


@contextmanager
def two_at_work() -> Iterator[None]:
    """Let two requests that read or write a whole table be under way during the `with` block."""
    with ExitStack() as places:
        for _request in range(2):
            places.enter_context(lanes.WHOLE_TABLES.hold())
        yield
