"""The speed that people feel: a long sheet, a round's form, and the first page of somebody with many tables.

    python -m tests.benchmarks.felt

The requests go through the whole of Django, in one process with a database of its own. Milliseconds are CPU
time, the median of many requests, so that other work on the machine counts little.
"""

from __future__ import annotations

import re
from statistics import median
from time import process_time
from typing import Any

from tests.benchmarks.fresh_site import new_site

ROUNDS, TABLES, REPEATS, WARM = 60, 20, 25, 5
OF_TRANSACTIONS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
PEOPLE = ("ana", "beto", "caro", "dani", "eva")


def milliseconds(client: Any, method: str, address: str, *words: Any, **more: Any) -> tuple[float, Any]:
    """Send a request; return its CPU milliseconds and the response."""
    began = process_time()
    answer = getattr(client, method)(address, *words, **more)
    spent = 1000 * (process_time() - began)
    assert answer.status_code in (200, 302), answer.status_code
    return spent, answer


def form_of(number: int) -> dict[str, str]:
    """Return the form of a game's round of this number, counted from 0."""
    from tests.worlds import a_key

    closer = PEOPLE[number % len(PEOPLE)]
    hands = {f"hand-{name}": "7" for name in PEOPLE if name != closer}
    return hands | {"after": str(1 + number), "key": a_key(), "closer": closer, "closing": "out"}


def long_game() -> None:
    """Record a game round by round, while another phone watches its end, and print the costs."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse
    from django.utils.timezone import localdate

    from games.models import Access, Role
    from tests.worlds import make_table, make_user, start

    owner = make_user("recorder")
    table = make_table(owner, people=tuple(name.capitalize() for name in PEOPLE))
    game = start(table, owner, out_at=500)
    recorder, watcher = Client(), Client()
    friend = make_user("watcher")
    Access.objects.create(user=friend, table=table, role=Role.WITNESS, opened_on=localdate())
    recorder.force_login(owner)
    watcher.force_login(friend)
    sheet, pad = (reverse(name, args=[game.code]) for name in ("sheet", "play-round"))
    posts, polls, watched, sheets, queries = list[float](), list[float](), list[float](), list[float](), 0
    for number in range(ROUNDS + REPEATS):
        before = watcher.get(sheet).content.decode() if number >= ROUNDS else ""
        if number == ROUNDS:
            with CaptureQueriesContext(connection) as capture:
                recorder.post(pad, form_of(number))
            queries = sum(not query["sql"].startswith(OF_TRANSACTIONS) for query in capture.captured_queries)
            continue
        posts.append(milliseconds(recorder, "post", pad, form_of(number))[0])
        if before:
            live, ticket = (re.search(rf'data-{name}="([^"]+)"', before) for name in ("live", "ticket"))
            assert live
            assert ticket
            polls.append(milliseconds(watcher, "get", live[1], headers={"X-Ticket": ticket[1]})[0])
            watched.append(milliseconds(watcher, "get", sheet)[0])
            sheets.append(milliseconds(recorder, "get", sheet)[0])
    print(
        f"      a sheet of {ROUNDS} rounds and more: {median(watched[WARM:]):.1f} ms for who watches,",
        end=" ",
    )
    print(f"{median(sheets[WARM:]):.1f} for who records; {median(polls[WARM:]):.1f} a poll with a new round")
    first, last = posts[WARM:REPEATS], posts[-REPEATS:]
    print(f"      a round recorded: {queries} queries,", end=" ")
    print(f"{median(first):.1f} ms at the start, {median(last):.1f} at the end of that game")


def many_tables() -> None:
    """Open the first page of a user with many tables, each with a game under way, and print its cost."""
    from django.test import Client
    from django.utils.timezone import localdate

    from games.models import Access, Role
    from tests.worlds import make_table, make_user, start

    user, client = make_user("busy"), Client()
    for number in range(TABLES):
        owner = make_user(f"owner-{number}")  # one user may open ten tables a day
        table = make_table(owner, people=tuple(name.capitalize() for name in PEOPLE))
        start(table, owner)
        Access.objects.create(user=user, table=table, role=Role.SCORER, opened_on=localdate())
    client.force_login(user)
    spent = [milliseconds(client, "get", "/")[0] for _look in range(REPEATS)]
    print(f"      the first page with {TABLES} tables: {median(spent[WARM:]):.1f} ms")


if __name__ == "__main__":
    with new_site():
        long_game()
        many_tables()
