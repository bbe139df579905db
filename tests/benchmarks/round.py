"""A round as the server records it: the CPU time and the queries of its POST, and of the sheet to which it redirects.

Five players, every hand given as cards; the games already have 20, 40 and 60 rounds. Everything is measured from the
request to the last byte, middleware and database included, on a database of its own. `--beside` names another checkout
of this repository, such as a worktree of an older commit: each has a process of its own, and the two take turns request
by request, so that other work on the machine slows both alike. The ratio of their medians is printed. The *first*
requests are those of a process that has not read the game before.

    python -m tests.benchmarks.round [--beside FOLDER]
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from games.models import Game

ROUNDS = (20, 40, 60)  # already in the game when the first POST is timed
POSTS = 30  # timed at each length, and as many first ones
POSTS_OF_GAME = 10  # POSTs in a game before the next one is used, so that games keep about their length
WARMING_UP = 3  # requests of each kind that are not counted
QUERIES = 14
NAMES = ("Ana", "Beto", "Caro", "Dani", "Eva")
OF_TRANSACTIONS = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


# --- a process that measures itself -----------------------------------------------------------------------------------


class Recorder:
    """A user who records rounds in games that already have the given number of rounds."""

    def __init__(self, rounds: int) -> None:
        from django.test import Client

        from tests.tables import make_user

        self._rounds, self._owner, self._posts = rounds, make_user(f"owner-{rounds}"), 0
        self._client = Client(headers={"accept-language": "es-AR"})
        self._client.force_login(self._owner)

    def _next_game(self) -> Game:
        """Return the game for the next POST, a new one once the last has had its share."""
        if self._posts % POSTS_OF_GAME == 0:
            self._game = _long_game(self._owner, self._rounds)
        self._posts += 1
        return self._game

    def measure(self, *, is_first: bool) -> tuple[float, float]:
        """Return the CPU milliseconds of the POST of a round, and those of the sheet."""
        from django.urls import reverse

        game = self._next_game()
        post, sheet = (reverse(name, args=[game.code]) for name in ("play-round", "sheet"))
        form = _form(game)
        if is_first:
            _forget_games()
        began = process_time()
        response: Any = self._client.post(post, form)
        posted = process_time()
        assert response.url.startswith(sheet), response.url
        if is_first:
            _forget_games()
        between = process_time()
        self._client.get(response.url)
        return 1000 * (posted - began), 1000 * (process_time() - between)

    def count_queries(self) -> int:
        """Return the number of queries of a POST, without those that begin and end transactions."""
        from django.db import connection
        from django.test.utils import CaptureQueriesContext
        from django.urls import reverse

        game = self._next_game()
        form = _form(game)
        with CaptureQueriesContext(connection) as captured:
            self._client.post(reverse("play-round", args=[game.code]), form)
        queries = [query["sql"] for query in captured.captured_queries]
        return sum(not query.startswith(OF_TRANSACTIONS) for query in queries)


def serve() -> None:
    """Set up a new database, then run the measurement that each line of the standard input names."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "tests.unlimited",
            "DATA_DIR": f"{folder}/data",
            "ALLOWED_HOSTS": "testserver",
        }
        import django
        from django.core.management import call_command
        from django.test import override_settings

        django.setup()
        plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # no collected files
        with override_settings(STORAGES={"staticfiles": plain}):
            call_command("migrate", verbosity=0)
            recorders = {rounds: Recorder(rounds) for rounds in ROUNDS}
            for line in sys.stdin:
                question, rounds = line.split()
                print(*_answer(question, recorders[int(rounds)]), flush=True)


def _answer(question: str, recorder: Recorder) -> Sequence[float]:
    if question == "queries":
        return (recorder.count_queries(),)
    return recorder.measure(is_first=question == "first")


def _forget_games() -> None:
    """Empty the cache of replayed games, as in a new process; older checkouts do not have it."""
    try:
        from games.play.snapshot import GAMES
    except ImportError:
        return
    GAMES.clear()


def _long_game(owner: User, rounds: int) -> Game:
    """Return a game with this many rounds, in which every bust player re-enters."""
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


# --- the processes side by side ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Process:
    """A process that runs this file with the code of some folder."""

    questions: IO[str]
    answers: IO[str]

    def ask(self, question: str, rounds: int) -> list[float]:
        """Return the figures of one measurement of this many rounds."""
        print(question, rounds, file=self.questions, flush=True)
        return [float(figure) for figure in self.answers.readline().split()]


@contextmanager
def process_in(folder: Path) -> Iterator[Process]:
    """Start a process that runs this file with the code of a folder; it ends with the `with` block."""
    command = [sys.executable, "-P", str(Path(__file__).resolve()), "--serve"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=pipe, stdout=pipe, text=True) as run:
        assert run.stdin
        assert run.stdout
        yield Process(run.stdin, run.stdout)
        run.stdin.close()


def main() -> None:
    """Print the medians and, if another checkout is given, the ratios to its medians."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--serve", action="store_true")
    options = parser.parse_args()
    if options.serve:
        serve()
        return
    with process_in(Path.cwd()) as own:
        if options.beside is None:
            _compare(own)
            return
        with process_in(options.beside.resolve()) as other:
            _compare(own, other)


def _compare(*processes: Process) -> None:
    from tests.benchmarks.goals import say

    for rounds in ROUNDS:
        for question, label in (("again", ""), ("first", "first ")):
            turns = [[process.ask(question, rounds) for process in processes] for _ in range(POSTS)]
            for place, name in enumerate(
                (f"{label}POST of round {rounds}", f"{label}sheet of {rounds} rounds")
            ):
                figures = zip(*turns[WARMING_UP:], strict=True)
                medians = [median(figure[place] for figure in of_process) for of_process in figures]
                print(f"      {name}: {_beside(medians, ' ms CPU')}", flush=True)
        counts = [process.ask("queries", rounds)[0] for process in processes]
        say(f"queries of a POST, {rounds} rounds ≤ {QUERIES}", _beside(counts), met=counts[0] <= QUERIES)


def _beside(figures: Sequence[float], unit: str = "") -> str:
    """Return the first figure as text; if there is another checkout's, also that one and their ratio."""
    own, *others = figures
    ratios = [f", beside {other:.4g}{unit}: {own / other:.2f} ×" for other in others]
    return "".join([f"{own:.4g}{unit}", *ratios])


if __name__ == "__main__":
    main()
