"""The scoresheet of a long game, sixty rounds of five players: the server's time from request to last byte.

Middleware and database are included; the database is a temporary one. Timed beside it is the response without
news that a watching phone gets every other second.

    python -m tests.benchmarks.sheet
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

from django.http import HttpResponseBase

from games.scoring.events import Event, PlayerReentered
from games.scoring.replay import apply, replay
from tests.benchmarks.fresh_site import new_site
from tests.benchmarks.goals import say
from tests.benchmarks.replay import a_round

ROUNDS, REQUESTS = 60, 60
MILLISECONDS = 30.0
NAMES = ("Ana", "Beto", "Caro", "Dani", "Eva")


def main() -> None:
    """Print the medians beside the goal."""
    with new_site():
        _time()


def _time() -> None:
    from django.test import Client
    from django.urls import reverse
    from django.utils.timezone import now

    from games.models import Grant, Role
    from games.play import recording as services
    from tests.tables import a_key, make_table, make_user, start

    owner, waldo = make_user(), make_user("waldo")
    table = make_table(owner, people=NAMES)
    Grant.objects.create(user=waldo, table=table, role=Role.WITNESS, expires_at=now().replace(year=2100))
    game = start(table, owner, stake=100, reentries="unlimited", in_one_go=-50)
    events = a_night(game.log())
    services.record(game, *events, after=1, key=a_key(), by=owner)
    print(f"      {ROUNDS} rounds, {len(NAMES)} players: {len(events) + 1} stored events")
    for who, user in (("who records", owner), ("who watches", waldo)):
        client = Client(headers={"accept-language": "es-AR"})
        client.force_login(user)
        sheet = reverse("sheet", args=[game.code])
        seconds, size = timed(partial(client.get, sheet))
        say(
            f"sheet of {who} ≤ {MILLISECONDS:.0f} ms",
            f"{seconds * 1e3:.1f} ms, {size:,} bytes",
            met=seconds * 1e3 <= MILLISECONDS,
        )
        version = game.records.count() + type(table).objects.get().revision
        unchanged = reverse("live-sheet", args=[game.code, version])
        seconds, size = timed(partial(client.get, unchanged))
        assert size == 0
        print(f"      nothing new for {who}: {seconds * 1e3:.1f} ms")


def a_night(log: tuple[Event, ...]) -> list[Event]:
    """Return the events of many rounds of Loba de Menos after this start, with all hands as cards.

    Every bust player re-enters.
    """
    chance = random.Random(60)
    state, events = replay(log), list[Event]()
    while len(state.rounds) < ROUNDS or state.pending:
        event = PlayerReentered(state.pending[0].id) if state.pending else a_round(chance)
        after = apply(state, len(log) + len(events) + 1, event)
        if not after.is_over:
            state = after
            events.append(event)
    return events


def timed(ask: Callable[[], HttpResponseBase]) -> tuple[float, int]:
    """Return the median CPU seconds of a response, a few at the start left out, and its length in bytes."""
    for _ in range(5):
        ask()
    seconds = []
    for _ in range(REQUESTS):
        began = process_time()
        answer = ask()
        seconds.append(process_time() - began)
    return median(seconds), len(answer.getvalue())


if __name__ == "__main__":
    main()
