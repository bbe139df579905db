"""The goals for the pages about seasons: time and queries at 10,000 games, and time at twice as many.

With 10,000 games and 50,000 results the standings, a player's page, the accounts, the archive and a year may
each take 80 ms on the server and 17 queries, and with twice the games at most twice the time and no query more.
The accounts take the most queries, for their lists and two sheets; the standings take 14.

`tests/club.py` makes up the season, in a database of its own. The pages are requested in turns,
through every middleware and with their templates, and the median counts. SQLite works in the same process, so
its time is that of the processor, to which other work on the machine adds nothing. `DATABASE_URL` names
another (empty) database; then the time by the clock counts.

    python -m tests.benchmarks.season [--games 10000]
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING

from tests.benchmarks.fresh_site import new_site, say

if TYPE_CHECKING:
    from django.test import Client

GAMES, ROUNDS = 10_000, 21
CLOCK = perf_counter if "DATABASE_URL" in os.environ else process_time
MILLISECONDS, QUERIES, GROWTH = 80.0, 17, 2.0

PAGES = ("season", "player", "accounts", "season-year", "games", "games-found")


def a_season(client: Client, games: int) -> str:
    """Create a table with this many games, log the client in as its owner, and return the table's code."""
    from django.contrib.auth.models import User
    from django.utils.timezone import now

    from tests.club import fill_club

    owner = User.objects.create_user(f"owner-{games}")
    table = fill_club(owner, Random(1), games=games, at=now())
    client.force_login(owner)
    return table.code


def measure(client: Client, addresses: dict[str, str]) -> dict[str, tuple[float, int, int]]:
    """Return the milliseconds, the queries and the bytes of each page by name.

    The pages are requested in turns, so that other work on the machine slows them all alike.
    """
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    counted: dict[str, tuple[int, int]] = {}
    times: dict[str, list[float]] = {name: [] for name in addresses}
    for name, address in addresses.items():
        client.get(address)
        with CaptureQueriesContext(connection) as captured:
            response = client.get(address)
        assert 200 == response.status_code, f"{name}: {response.status_code}"
        counted[name] = len(captured), len(response.content)
    for _round in range(ROUNDS):
        for name, address in addresses.items():
            began = CLOCK()
            client.get(address)
            times[name].append(1000 * (CLOCK() - began))
    return {name: (median(times[name]), *counted[name]) for name in addresses}


def addresses_of(code: str) -> dict[str, str]:
    """Return the address of each page of a table."""
    from django.urls import reverse
    from django.utils.timezone import localdate

    args: dict[str, list[object]] = {"player": ["ana"]}
    queries = {
        "games-found": "?words=ana+beto&page=9",
        "season-year": f"?year={localdate().year}",
    }
    pages = {name: name.partition("-")[0] for name in PAGES}
    return {
        name: reverse(page, args=[code, *args.get(page, [])]) + queries.get(name, "")
        for name, page in pages.items()
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
    for name in PAGES:
        milliseconds, queries, size = once[name]
        growth, more = twice[name][0] / milliseconds, twice[name][1] - queries
        figures = f"{milliseconds:.1f} ms, {queries} queries, {size:,} bytes"
        say(
            f"{name}, {games:,} games: ≤ {MILLISECONDS:.0f} ms, ≤ {QUERIES} queries",
            figures,
            met=milliseconds <= MILLISECONDS and queries <= QUERIES,
        )
        say(
            f"{name}, twice the games: ≤ {GROWTH:.0f} ×, no query more",
            f"{growth:.2f} ×, {more} more",
            met=growth <= GROWTH and more <= 0,
        )


if __name__ == "__main__":
    main()
