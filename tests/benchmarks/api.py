"""A benchmark of the API: reading a game of sixty rounds, appending a round to it, scoring a game of forty.

Each request is timed in this process, from its arrival to the last byte of the response, with the middleware,
the rate limits, the parsing, the database and the replay. Every hand is given as cards, and every bust player
re-enters.

    python -m tests.benchmarks.api
"""

from __future__ import annotations

import json
from statistics import median
from time import process_time
from typing import Any

from games.scoring.text.codec import kind_of, to_data
from games.scoring.text.writing import write_game
from tests.benchmarks.fresh_site import new_site
from tests.benchmarks.goals import say
from tests.benchmarks.logs import IDS, a_game, events_after

ROUNDS, SCORED_ROUNDS = 60, 40
REQUESTS, COLD = 60, 5
STATE, APPENDED, SCORED = 15.0, 15.0, 8.0  # milliseconds
QUERIES = 5  # database queries of a request for the state of a game


def main() -> None:
    """Print the medians beside the goals."""
    with new_site():
        _time()


def _time() -> None:
    from django.test import Client

    client = Client(headers={"idempotency-key": "a round"})
    last, *codes = _long_games(client)
    state = [f"games/{last}/"] * (COLD + REQUESTS)
    times, queries = _timed(client, state)
    _say(f"state, in at most {QUERIES} queries", times, STATE, queries, most=QUERIES)

    after = client.get(f"/api/v1/{state[0]}").json()["version"]
    times, queries = _timed(client, [f"games/{code}/events/" for code in codes], a_round_more(after))
    _say("a round appended", times, APPENDED, queries)

    log = a_game(40, SCORED_ROUNDS)
    events = [{"kind": kind_of(event), "data": to_data(event)} for event in log]
    for form, sent in (("text", {"game": write_game(log)}), ("events", {"events": events})):
        times, queries = _timed(client, ["score/"] * (COLD + REQUESTS), sent)
        _say(f"score/ as {form}", times, SCORED, queries)


def _long_games(client: Any) -> list[str]:
    """Return the codes of equal games of sixty rounds; the client is logged in as their tables' owner."""
    from games.models import MOST_RUNNING
    from games.play import recording as services
    from tests.tables import a_key, make_table, make_user, start

    owner, names = make_user(), tuple(name.capitalize() for name in IDS)
    client.force_login(owner)
    count = 1 + COLD + REQUESTS
    tables = [make_table(owner, people=names) for _table in range(0, count, MOST_RUNNING)]
    games = [
        start(tables[game // MOST_RUNNING], owner, stake=100, reentries="unlimited", in_one_go=-50)
        for game in range(count)
    ]
    events = events_after(games[0].log(), 60, ROUNDS)
    for game in games:
        services.record(game, *events, after=1, key=a_key(), by=owner)
    print(f"      {len(IDS)} players: {len(events) + 1} stored events")
    return [game.code for game in games]


def a_round_more(after: int) -> dict[str, object]:
    """Return the body of a round after event `after`: one player goes out, the others hold two cards each."""
    closer, *others = IDS
    played = {"closer": closer, "closing": "out", "hands": [[player, "[4 3]"] for player in others]}
    return {"after": after, "events": [{"kind": "round_played", "data": played}]}


def _timed(client: Any, paths: list[str], sent: object = None) -> tuple[list[float], int]:
    """Return the milliseconds of each request but the first few, and the number of queries of the last one.

    If `sent` is given, it is posted to each of the paths; otherwise they are requested by GET.
    """
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    body = json.dumps(sent) if sent else ""
    *paths, last = paths
    times = [_milliseconds(client, path, body) for path in paths]
    with CaptureQueriesContext(connection) as queries:
        _milliseconds(client, last, body)
    return times[COLD:], len(queries)


def _milliseconds(client: Any, path: str, body: str) -> float:
    began = process_time()
    if not body:
        answer = client.get(f"/api/v1/{path}")
    else:
        answer = client.post(f"/api/v1/{path}", body, "application/json")
    ended = process_time()
    assert answer.status_code == 200, answer.content
    return 1000 * (ended - began)


def _say(what: str, times: list[float], goal: float, queries: int, *, most: int = 99) -> None:
    measured = f"{median(times):.1f} ms (best {min(times):.1f}), {queries} queries"
    say(f"{what} ≤ {goal:.0f} ms", measured, met=median(times) <= goal and queries <= most)


if __name__ == "__main__":
    main()
