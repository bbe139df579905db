"""The cost of one night at one table: requests, bytes and CPU of its phones, and growth of the database.

    python -m tests.benchmarks.night [ROUNDS, 40]

The requests go through the whole of Django, in one process with a database of its own. Seconds are CPU
seconds, so that other work on the machine counts little. The server around it is not counted.
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import defaultdict
from time import process_time
from typing import Any

from tests.benchmarks.fresh_site import new_site

HOURS, LOOKS_EVERY, WATCHERS = 3, 2, 4  # of a night; seconds between two polls; phones in sight of somebody
IN_A_GAME = 20
PEOPLE = ("ana", "beto", "caro", "dani", "eva")


class Phone:
    """A phone, with the number and the total cost of its requests of each kind."""

    def __init__(self, user: Any) -> None:
        from django.test import Client

        self.count: dict[str, int] = defaultdict(int)
        self.seconds: dict[str, float] = defaultdict(float)
        self.bytes: dict[str, int] = defaultdict(int)
        self._client = Client()
        self._client.force_login(user)

    def ask(self, kind: str, method: str, address: str, *words: Any, **more: Any) -> str:
        """Send a request, add its cost to this kind, and return the page."""
        began = process_time()
        answer = getattr(self._client, method)(address, *words, **more)
        self.seconds[kind] += process_time() - began
        self.count[kind] += 1
        self.bytes[kind] += len(gzip.compress(answer.content)) if answer.content else 0
        assert answer.status_code in (200, 204, 302), (kind, answer.status_code)
        return str(answer.content.decode())

    def look(self, kind: str, sheet: str) -> None:
        """Poll once for changes of this sheet, given as HTML."""
        live, ticket = (re.search(rf'data-{name}="([^"]+)"', sheet) for name in ("live", "ticket"))
        assert live
        assert ticket
        self.ask(kind, "get", live[1], headers={"X-Ticket": ticket[1]})

    def say(self) -> None:
        """Print a line for each kind of request."""
        for kind, count in self.count.items():
            each = 1000 * self.seconds[kind] / count
            print(f"      {kind}: {count:,}, {each:.2f} ms CPU and {self.bytes[kind] // count:,} bytes each")


def played(rounds: int) -> Phone:
    """Play this many rounds at a new table, in games of twenty, and return the phone that recorded them."""
    from django.urls import reverse

    from tests.worlds import a_key, make_table, make_user, start

    owner = make_user(f"night-{rounds}")
    table, phone = make_table(owner, people=tuple(name.capitalize() for name in PEOPLE)), Phone(owner)
    for number in range(rounds):
        if number % IN_A_GAME == 0:
            game = start(table, owner, out_at=500)
        sheet, pad = (reverse(name, args=[game.code]) for name in ("sheet", "play-round"))
        before = phone.ask("the sheet opened", "get", sheet)
        phone.ask("the pad opened", "get", pad)
        closer = PEOPLE[number % len(PEOPLE)]
        form = {f"hand-{name}": "7" for name in PEOPLE if name != closer}
        form |= {"after": str(1 + number % IN_A_GAME), "key": a_key(), "closer": closer, "closing": "out"}
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


def main() -> None:
    """Print the cost of a night, and how many nights one processor can serve at once."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with new_site():
        played(5)  # the first requests of a process load what they need
        before = stored()
        phone = played(rounds)
        rows, size = (now - then for now, then in zip(stored(), before, strict=True))
    phone.say()
    each = {kind: phone.seconds[kind] / phone.count[kind] for kind in phone.count}
    looks, news = HOURS * 3600 // LOOKS_EVERY * WATCHERS, rounds * WATCHERS
    entering = rounds * sum(each[kind] for kind in ("the sheet opened", "the pad opened", "a round recorded"))
    night = entering + news * each["a look, with news"] + (looks - news) * each["a look in vain"]
    print(f"      a night of {rounds} rounds leaves {rows:,} rows and {size / 1024:,.0f} kB")
    print(
        f"      {looks:,} looks of {WATCHERS} phones in {HOURS} hours; {night:.1f} s CPU, {entering:.1f} of them by who records"
    )
    print(f"      a processor has time for {HOURS * 3600 / night:,.0f} such nights at once")


if __name__ == "__main__":
    main()
