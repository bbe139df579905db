"""The cost of one night at one table: requests, bytes and CPU of its phones, and growth of the database.

    python -m tests.benchmarks.night [ROUNDS, 40]

Then the requests at the start and at the end of one long game.
The requests go through the whole of Django, in one process with a database of its own. Seconds are CPU
seconds, so that other work on the machine counts little. The server around it is not counted.
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import defaultdict
from statistics import mean, median
from time import process_time
from typing import Any

from tests.benchmarks.fresh_site import new_site

HOURS, LOOKS_EVERY, WATCHERS = 3, 2, 4  # of a night; seconds between two polls; phones in sight of somebody
IN_A_GAME, IN_A_LONG_GAME = 20, 80
REPEATS = 20
PEOPLE = ("ana", "beto", "caro", "dani", "eva")


class Phone:
    """A phone, with the milliseconds and the bytes of each of its requests of each kind."""

    def __init__(self, user: Any) -> None:
        from django.test import Client

        self.milliseconds: dict[str, list[float]] = defaultdict(list)
        self.bytes: dict[str, list[int]] = defaultdict(list)
        self._client = Client()
        self._client.force_login(user)

    def ask(self, kind: str, method: str, address: str, *words: Any, **more: Any) -> str:
        """Send a request, add its cost to this kind, and return the page."""
        began = process_time()
        answer = getattr(self._client, method)(address, *words, **more)
        self.milliseconds[kind].append(1000 * (process_time() - began))
        self.bytes[kind].append(len(gzip.compress(answer.content)) if answer.content else 0)
        assert answer.status_code in (200, 204, 302), (kind, answer.status_code)
        return str(answer.content.decode())

    def look(self, kind: str, sheet: str) -> None:
        """Poll once for changes of this sheet, given as HTML."""
        live, ticket = (re.search(rf'data-{name}="([^"]+)"', sheet) for name in ("live", "ticket"))
        assert live
        assert ticket
        self.ask(kind, "get", live[1], headers={"X-Ticket": ticket[1]})


def played(rounds: int, *, in_a_game: int = IN_A_GAME) -> Phone:
    """Play this many rounds at a new table, in games of so many, and return the phone that recorded them."""
    from django.urls import reverse

    from tests.worlds import a_key, make_table, make_user, start

    owner = make_user(f"night-{rounds}")
    table, phone = make_table(owner, people=tuple(name.capitalize() for name in PEOPLE)), Phone(owner)
    for number in range(rounds):
        if number % in_a_game == 0:
            game = start(table, owner, out_at=500)
        sheet, pad = (reverse(name, args=[game.code]) for name in ("sheet", "play-round"))
        before = phone.ask("the sheet opened", "get", sheet)
        phone.ask("the pad opened", "get", pad)
        closer = PEOPLE[number % len(PEOPLE)]
        form = {f"hand-{name}": "7" for name in PEOPLE if name != closer}
        form |= {"after": str(1 + number % in_a_game), "key": a_key(), "closer": closer, "closing": "out"}
        phone.ask("a round recorded", "post", pad, form)
        phone.look("a look, with news", before)
        after = phone.ask("the sheet opened", "get", sheet)
        for _look in range(5):
            phone.look("a look in vain", after)
    return phone


def stored() -> tuple[int, int]:
    """Return the number of the app's rows and the size of the database in bytes."""
    from django.apps import apps
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        (size,) = cursor.fetchone()
    return sum(model._default_manager.count() for model in apps.get_app_config("games").get_models()), size


def say_what_a_night_costs(phone: Phone, rounds: int) -> None:
    """Print a line for each kind of request, and how many nights one processor can serve at once."""
    each = {kind: mean(taken) for kind, taken in phone.milliseconds.items()}
    for kind, taken in phone.milliseconds.items():
        print(
            f"      {kind}: {len(taken):,}, {each[kind]:.2f} ms CPU and {mean(phone.bytes[kind]):,.0f} bytes each"
        )
    looks, news = HOURS * 3600 // LOOKS_EVERY * WATCHERS, rounds * WATCHERS
    entering = rounds * sum(each[kind] for kind in ("the sheet opened", "the pad opened", "a round recorded"))
    night = entering + news * each["a look, with news"] + (looks - news) * each["a look in vain"]
    print(f"      {looks:,} looks of {WATCHERS} phones in {HOURS} hours; {night / 1000:.1f} s CPU,", end=" ")
    print(f"{entering / 1000:.1f} of them by who records")
    print(f"      a processor has time for {HOURS * 3_600_000 / night:,.0f} such nights at once")


def main() -> None:
    """Print the cost of a night and of a long game."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with new_site():
        played(5)  # the first requests of a process load what they need
        before = stored()
        phone = played(rounds)
        rows, size = (now - then for now, then in zip(stored(), before, strict=True))
        long = played(IN_A_LONG_GAME, in_a_game=IN_A_LONG_GAME).milliseconds
    say_what_a_night_costs(phone, rounds)
    print(f"      a night of {rounds} rounds leaves {rows:,} rows and {size / 1024:,.0f} kB")
    for kind in ("a round recorded", "the sheet opened", "a look, with news"):
        first, last = median(long[kind][:REPEATS]), median(long[kind][-REPEATS:])
        print(
            f"      {kind}, in a game of {IN_A_LONG_GAME} rounds: {first:.1f} ms at its start, {last:.1f} at its end"
        )


if __name__ == "__main__":
    main()
