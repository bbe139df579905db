"""A round as the server records it: the CPU time and the queries of its POST, and of the sheet to which it redirects.

Five players, every hand given as cards; the games already have 20, 40 and 60 rounds. Everything is measured from the
request to the last byte, middleware and database included, on a database of its own. `--beside` names another checkout
of this repository, such as a worktree of an older commit: both are measured in turn, in processes of their own, and
the ratio of their medians is printed.

    python -m tests.benchmarks.round [--beside FOLDER]
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from games.models import Game

ROUNDS = (20, 40, 60)  # already in the game when the first POST is timed
POSTS = 15  # timed in each game
TURNS = 3  # of each checkout
QUERIES = 14
NAMES = ("Ana", "Beto", "Caro", "Dani", "Eva")
OF_TRANSACTIONS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")

Samples = dict[str, list[float]]  # milliseconds of CPU, or numbers of queries, by what was measured


def measure() -> Samples:
    """Record rounds in a new database and return what each of them took."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "scorekeeper.settings",
            "DATA_DIR": f"{folder}/data",
            "ALLOWED_HOSTS": "testserver",
        }
        import django
        from django.core.management import call_command
        from django.test import override_settings

        django.setup()
        plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # nothing was collected
        with override_settings(STORAGES={"staticfiles": plain}):
            call_command("migrate", verbosity=0)
            _measure_game(2)  # the first requests of a process load what they need
            samples: Samples = {}
            for rounds in ROUNDS:
                samples |= _measure_game(rounds)
    return samples


def _measure_game(rounds: int) -> Samples:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext
    from django.urls import reverse

    from tests.tables import make_user

    owner, client = make_user(f"owner-{rounds}"), Client(headers={"accept-language": "es-AR"})
    client.force_login(owner)
    game = _long_game(owner, rounds)
    post, sheet = (reverse(name, args=[game.code]) for name in ("play-round", "sheet"))
    posts, sheets = f"POST of round {rounds}", f"sheet of {rounds} rounds"
    samples: Samples = {posts: [], sheets: []}
    for _ in range(POSTS):
        form, began = _form(game), process_time()
        response: Any = client.post(post, form)
        samples[posts].append(1000 * (process_time() - began))
        assert response.url.startswith(sheet), response.url
        began = process_time()
        client.get(response.url)
        samples[sheets].append(1000 * (process_time() - began))
    with CaptureQueriesContext(connection) as captured:
        client.post(post, _form(game))
    counting = [query for query in captured.captured_queries if not query["sql"].startswith(OF_TRANSACTIONS)]
    return samples | {f"queries of a POST, {rounds} rounds": [len(counting)]}


def _long_game(owner: User, rounds: int) -> Game:
    """Return a game with so many rounds, everybody bust coming back."""
    from games.play import recording
    from games.scoring.events import PlayerReentered
    from games.scoring.replay import apply, replay
    from tests.benchmarks.replay import a_round
    from tests.tables import a_key, make_table, start

    game = start(
        make_table(owner, people=NAMES), owner, stake=100, reentries="unlimited", in_one_go=-50, out_at=500
    )
    log, chance = game.log(), random.Random(rounds)
    state, events = replay(log), list[Any]()
    while len(state.rounds) < rounds or state.pending:
        event = PlayerReentered(state.pending[0].id) if state.pending else a_round(chance)
        after = apply(state, len(log) + len(events) + 1, event)
        if not after.is_over:
            state = after
            events.append(event)
    recording.record(game, *events, after=1, key=a_key(), by=owner)
    return game


def _form(game: Game) -> dict[str, str]:
    from tests.tables import a_key

    hands = {f"hand-{name.lower()}": "1" for name in NAMES[1:]}
    return hands | {"closer": "ana", "closing": "out", "after": str(game.records.count()), "key": a_key()}


def measure_in(folder: Path) -> Samples:
    """Run this file against the code in another folder and return what it measured."""
    command = [sys.executable, "-P", str(Path(__file__).resolve()), "--json"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    output = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True).stdout
    samples: Samples = json.loads(output)
    return samples


def main() -> None:
    """Print the medians, and beside another checkout the ratios."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.json:
        print(json.dumps(measure()))
        return
    from tests.benchmarks.goals import say

    own: Samples = {}
    other: Samples = {}
    for _ in range(TURNS if options.beside else 1):
        _add(own, measure_in(Path.cwd()))
        if options.beside:
            _add(other, measure_in(options.beside.resolve()))
    for name, samples in own.items():
        unit = "" if name.startswith("queries") else " ms CPU"
        figure = f"{median(samples):.4g}{unit}"
        if options.beside:
            before = median(other[name])
            figure += f", beside {before:.4g}{unit}: {median(samples) / before:.2f} ×"
        if unit:
            print(f"      {name}: {figure}")
        else:
            say(f"{name} ≤ {QUERIES}", figure, met=median(samples) <= QUERIES)


def _add(samples: Samples, more: Samples) -> None:
    for name, figures in more.items():
        samples.setdefault(name, []).extend(figures)


if __name__ == "__main__":
    main()
