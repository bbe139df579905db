"""The cost of counting requests for `/metrics`: a poll by ticket and the sheet, with it and without.

    python -m tests.benchmarks.metrics

The requests go through the whole of Django, in one process that counts in files as the server's processes do.
Both ways take turns at each request. Times are CPU time, and medians, which leave out Python's garbage collections.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import monotonic, process_time
from typing import Any

REPEATS = {"a poll by ticket": 8000, "the sheet": 500}


def main() -> None:
    """Print the CPU of each request, and how much of it counting takes."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "tests.unlimited",
            "DATA_DIR": f"{folder}/data",
            "ALLOWED_HOSTS": "testserver",
            "PROMETHEUS_MULTIPROC_DIR": f"{folder}/metrics",
        }
        import django
        from django.core.management import call_command
        from django.test import override_settings

        from games.management.slots import clear_slots

        clear_slots(Path(folder, "metrics"))
        django.setup()
        plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # no collected files
        with override_settings(STORAGES={"staticfiles": plain}):
            call_command("migrate", verbosity=0)
            _compare()


class Uncounted:
    """A middleware that times requests and queries as `RequestIdMiddleware` does, without counting them."""

    def __init__(self, get_response: Callable[[Any], Any]) -> None:
        from django.db import connection

        from scorekeeper import request_ids, requests

        self.get_response, self.connection = get_response, connection
        self.request_ids, self.requests = request_ids, requests

    def __call__(self, request: Any) -> Any:
        self.request_ids.renew_request_id()
        began = monotonic()
        with self.connection.execute_wrapper(self._timed):
            response = self.get_response(request)
        if monotonic() - began > self.requests.SLOW:
            print("a slow request")
        response.headers[self.requests.HEADER] = self.request_ids.request_id()
        return response

    def _timed(self, execute: Callable[..., Any], *query: Any) -> Any:
        began = monotonic()
        try:
            return execute(*query)
        finally:
            if monotonic() - began > self.requests.SLOW_QUERY:
                print("a slow query")


def _compare() -> None:
    from django.conf import settings
    from django.test import override_settings

    of_request, page = (
        "scorekeeper.requests.RequestIdMiddleware",
        "scorekeeper.metrics.page.MetricsMiddleware",
    )
    others = [name for name in settings.MIDDLEWARE if name not in {of_request, page}]
    counted = _requests("counted")
    with override_settings(MIDDLEWARE=["tests.benchmarks.metrics.Uncounted", *others]):
        uncounted = _requests("uncounted")
    for kind, repeats in REPEATS.items():
        without, with_it = _medians(uncounted[kind], counted[kind], repeats)
        more = with_it - without
        print(f"      {kind}: {without * 1000:.3f} ms, counted {more * 1e6:+.0f} µs, {more / without:+.1%}")


def _requests(name: str) -> dict[str, Callable[[], Any]]:
    """Return a function for each kind of request, sent by a phone of its own. Each was called once."""
    from django.test import Client

    from games.play import recording
    from tests.tables import a_key, a_round, make_table, make_user, start

    owner = make_user(name)
    game = start(make_table(owner), owner)
    for number in range(1, 11):
        recording.record(game, a_round("ana", beto=5, caro=6, dani=7), after=number, key=a_key(), by=owner)
    phone = Client()
    phone.force_login(owner)
    sheet = f"/g/{game.code}/"
    page = phone.get(sheet).content.decode()
    live, ticket = (re.search(rf'data-{name}="([^"]+)"', page) for name in ("live", "ticket"))
    assert live
    assert ticket
    headers = {"X-Ticket": ticket[1]}
    assert 204 == phone.get(live[1], headers=headers).status_code
    return {
        "a poll by ticket": lambda: phone.get(live[1], headers=headers),
        "the sheet": lambda: phone.get(sheet),
    }


def _medians(one: Callable[[], Any], other: Callable[[], Any], repeats: int) -> tuple[float, float]:
    """Return the median CPU seconds of both requests. The one that comes first changes every time."""
    both: tuple[list[float], list[float]] = ([], [])
    for number in range(repeats):
        for place in (number % 2, 1 - number % 2):
            began = process_time()
            (one, other)[place]()
            both[place].append(process_time() - began)
    return median(both[0]), median(both[1])


if __name__ == "__main__":
    main()
