"""A game of five players and forty rounds sent to `POST /api/v1/score/`, as text and as events, in process.

The whole way counts, from the request to the last byte: middleware, limits, the body read, the game played.

    python -m tests.benchmarks.score
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from statistics import median
from time import process_time

from games.scoring.text.codec import kind_of, to_data
from games.scoring.text.writing import write_game
from tests.benchmarks.goals import say
from tests.benchmarks.replay import a_game

REQUESTS = 60
MILLISECONDS = 8.0


def main() -> None:
    """Prints the medians beside the goal."""
    log = a_game(random.Random(40))
    events = [{"kind": kind_of(event), "data": to_data(event)} for event in log]
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "scorekeeper.settings",
            "DATA_DIR": f"{folder}/data",
            "ALLOWED_HOSTS": "testserver",
        }
        import django

        django.setup()
        for form, body in (("text", {"game": write_game(log)}), ("events", {"events": events})):
            found = _milliseconds(json.dumps(body))
            say(f"score/ as {form} ≤ {MILLISECONDS} ms", f"{found:.1f} ms", met=found <= MILLISECONDS)


def _milliseconds(body: str) -> float:
    from django.test import Client

    from games.api.common.limits import COUNTS

    client = Client()
    times = []
    for _request in range(REQUESTS):
        COUNTS.clear()
        started = process_time()
        answer = client.post("/api/v1/score/", body, "application/json")
        times.append(process_time() - started)
        assert answer.status_code == 200, answer.content
    return 1000 * median(times)


if __name__ == "__main__":
    main()
