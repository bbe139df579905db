"""Two hundred phones behind one address, at the pace of a night, with the limits of a real site; then a flood
from there.

    python -m tests.benchmarks.crowd [SECONDS, 300]

Forty tables of five play. At each, one phone records a round every four and a half minutes, the others watch
as `scripts/base/live.js` does, and every phone opens a page a minute. It prints how often each status
occurred, and exits with 1 if a phone hit a limit or the flood hit none.
"""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import django

from tests.benchmarks.capacity import (
    BETWEEN_ROUNDS,
    CREATE_TABLES,
    PEOPLE,
    POLL_INTERVAL,
    Phone,
    processor_time,
)
from tests.benchmarks.goals import report
from tests.server_processes import Site

TABLES = 40
PAGE_EVERY = 60  # seconds
FLOOD = 15_000  # requests; more than `FloodCounter` lets an address send in a minute
LIMITS = {429, 503}


def watch(phone: Phone, sheet: str, until: float, chance: Random) -> Counter[int]:
    """Open a sheet and poll it until this moment. Return how often each status occurred."""
    from games.common import poll_tickets

    statuses = Counter([phone.ask(sheet)])
    news_at = time.monotonic() - chance.random() * BETWEEN_ROUNDS
    opens_at = time.monotonic() + chance.random() * PAGE_EVERY
    while time.monotonic() < until:
        time.sleep(
            POLL_INTERVAL if time.monotonic() - news_at < poll_tickets.OFTEN_FOR else poll_tickets.IDLE
        )
        status = phone.poll()
        statuses[status] += 1
        if status == 200:
            news_at = time.monotonic()
        if time.monotonic() > opens_at:
            statuses[phone.ask(sheet)] += 1
            opens_at += PAGE_EVERY
    return statuses


def record(phone: Phone, sheet: str, until: float, chance: Random) -> Counter[int]:
    """Record a round every few minutes until this moment. Return how often each status occurred."""
    statuses = Counter([phone.ask(sheet)])
    number = 0
    records_at = time.monotonic() + chance.random() * BETWEEN_ROUNDS
    while time.monotonic() < until:
        time.sleep(1)
        if time.monotonic() > records_at:
            closer = PEOPLE[number % len(PEOPLE)]
            number += 1
            phone.connection.close()  # the server has long closed it, because nothing was sent
            form = {f"hand-{name}": "3" for name in PEOPLE if name != closer}
            form |= {"after": str(number), "key": f"{sheet} {number}", "closer": closer, "closing": "out"}
            statuses += Counter(phone.ask(path) for path in (sheet, f"{sheet}round/"))
            statuses[phone.ask(f"{sheet}round/", form)] += 1
            records_at += BETWEEN_ROUNDS
    return statuses


def flood(port: int) -> Counter[str]:
    """Send a flood of requests. Return how often each status occurred."""
    statuses: Counter[str] = Counter()
    request = b"GET /static/app.css HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    for _request in range(FLOOD):
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(request)
            statuses[connection.makefile("rb").read()[9:12].decode()] += 1
    return statuses


def main() -> None:
    """Let the crowd play, then send the flood. Exit with 1 if a phone hit a limit or the flood hit none."""
    seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    with tempfile.TemporaryDirectory() as folder:
        variables = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
        site = Site(Path(folder) / "data", Path(folder) / "static", variables=variables)
        site.start()
        try:
            tables, chance = site.run_program(CREATE_TABLES, TABLES), Random(200)
            before, until = processor_time(site), time.monotonic() + seconds
            with ThreadPoolExecutor(TABLES * len(PEOPLE)) as pool:
                phones = [
                    pool.submit(act, Phone(site.port, session), f"/g/{code}/", until, Random(chance.random()))
                    for code, sessions in tables
                    for act, session in zip([record, *[watch] * (len(PEOPLE) - 1)], sessions, strict=True)
                ]
                statuses = sum((phone.result() for phone in phones), Counter[int]())
            busy = (processor_time(site) - before) / seconds / 10
            is_served = not LIMITS & statuses.keys()
            report(
                "the crowd",
                f"{dict(statuses)} in {seconds} s, {busy:.0f} % of a processor",
                met=is_served,
            )
            flooded = flood(site.port)
            report("the flood", str(dict(flooded)), met=flooded["429"] > 0)
        finally:
            site.stop()
    raise SystemExit(not (is_served and flooded["429"]))


if __name__ == "__main__":
    main()
