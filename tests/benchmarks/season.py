"""The goals for the pages about seasons: time and queries at 10,000 games, and time at twice as many.

With 10,000 games and 50,000 results the standings, a player's page, the accounts, the archive and a year may
each take 80 ms on the server and 12 queries, and with twice the games at most twice the time.

`tests/club.py` makes up the season, in a database of its own. The pages are requested in turns,
through every middleware and with their templates, and the median counts. SQLite works in the same process, so
its time is that of the processor, to which other work on the machine adds nothing. `DATABASE_URL` names
another (empty) database; then the time by the clock counts.

    python -m tests.benchmarks.season [--games 10000]
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from tests.benchmarks.fresh_site import new_site
from tests.benchmarks.goals import say

if TYPE_CHECKING:
    from django.test import Client

GAMES, ROUNDS = 10_000, 21
MILLISECONDS, QUERIES, GROWTH = 80.0, 12, 2.0

# The pages with a goal first; the others for comparison.
PAGES = ("season", "player", "accounts", "season-year", "games", "games-found")
OTHERS = ("player-duel",)


@dataclass(frozen=True)
class Measured:
    """The cost of one page: milliseconds on the clock and of the CPU, queries, and bytes sent."""

    clock: float
    cpu: float
    queries: int
    bytes: int

    @property
    def taken(self) -> float:
        """The milliseconds that the goal judges: of the CPU, or of the clock where `DATABASE_URL` is set."""
        return self.clock if "DATABASE_URL" in os.environ else self.cpu


def a_season(client: Client, games: int) -> str:
    """Create a table with this many games, log the client in as its owner, and return the table's code."""
    from django.contrib.auth.models import User
    from django.utils.timezone import now

    from tests.club import fill_club

    owner = User.objects.create_user(f"owner-{games}")
    table = fill_club(owner, Random(1), games=games, at=now())
    client.force_login(owner)
    return table.code


def measure(client: Client, addresses: dict[str, str]) -> dict[str, Measured]:
    """Return the cost of each page by name.

    The pages are requested in turns, so that other work on the machine slows them all alike.
    """
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    answers: dict[str, Measured] = {}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in addresses}
    for name, address in addresses.items():
        client.get(address)
        with CaptureQueriesContext(connection) as captured:
            response = client.get(address)
        assert 200 == response.status_code, f"{name}: {response.status_code}"
        answers[name] = Measured(0, 0, len(captured), len(response.content))
    for _round in range(ROUNDS):
        for name, address in addresses.items():
            clock, cpu = perf_counter(), process_time()
            client.get(address)
            times[name].append((perf_counter() - clock, process_time() - cpu))
    return {
        name: Measured(
            1000 * median(clock for clock, _cpu in times[name]),
            1000 * median(cpu for _clock, cpu in times[name]),
            answers[name].queries,
            answers[name].bytes,
        )
        for name in addresses
    }


def addresses_of(code: str) -> dict[str, str]:
    """Return the address of each page of a table."""
    from django.urls import reverse
    from django.utils.timezone import localdate

    args: dict[str, list[object]] = {"player": ["ana"]}
    queries = {
        "games-found": "?words=ana+beto&page=9",
        "season-year": f"?year={localdate().year}",
        "player-duel": "?against=beto",
    }
    pages = {name: name.partition("-")[0] for name in (*PAGES, *OTHERS)}
    return {
        name: reverse(pages[name], args=[code, *args.get(pages[name], [])]) + queries.get(name, "")
        for name in (*PAGES, *OTHERS)
    }


def main() -> None:
    """Measure a season and one twice as long, and print for each goal whether it is met."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    games = parser.parse_args().games
    with new_site():
        from django.test import Client

        client = Client()
        once = measure(client, addresses_of(a_season(client, games)))
        twice = measure(client, addresses_of(a_season(client, 2 * games)))
    for name in (*PAGES, *OTHERS):
        page, growth = once[name], twice[name].taken / once[name].taken
        figures = f"{page.cpu:.1f} ms of the processor, {page.clock:.1f} on the clock, {page.queries} queries, {page.bytes:,} bytes"
        if name in OTHERS:
            print(f"      {name}: {figures}; twice the games {growth:.2f} ×")
            continue
        say(
            f"{name}, {games:,} games: ≤ {MILLISECONDS:.0f} ms, ≤ {QUERIES} queries",
            figures,
            met=page.taken <= MILLISECONDS and page.queries <= QUERIES,
        )
        say(f"{name}, twice the games: ≤ {GROWTH:.0f} ×", f"{growth:.2f} ×", met=growth <= GROWTH)


if __name__ == "__main__":
    main()
