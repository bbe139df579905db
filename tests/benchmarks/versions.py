"""The engine of another checkout beside this one: the same hands and stored logs, in turns, by CPU time.

    git worktree add /tmp/before COMMIT
    python -m tests.benchmarks.versions /tmp/before [TASK ...]

Each engine runs in a process of its own, because both have the same module names. The hands and logs go to them as
JSON, each is solved once, and the options that the other checkout does not know are left out of the logs.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

ROUNDS = 21
NEW_OPTIONS = {"packs", "dealt"}  # since the checkout to compare with
HERE = Path(__file__).parents[2]


# --- a process for each checkout --------------------------------------------------------------------------------------


def work(task: str, inputs: Path) -> None:
    """Solve a share of the inputs for each line read, and print the CPU seconds for each of them."""
    solve, read = _solver(task.partition(" ")[0])
    solved = [read(given) for given in json.loads(inputs.read_text())]
    gc.collect()
    gc.freeze()  # the inputs are no garbage of the engine
    for line in sys.stdin:
        share = solved[int(line) :: ROUNDS + 1]
        started = time.process_time()
        for given in share:
            solve(given)
        print((time.process_time() - started) / len(share), flush=True)


def _solver(kind: str) -> tuple[Callable[[Any], object], Callable[[Any], Any]]:
    """Return the function to be timed, and the one that reads its input from JSON."""
    from games.scoring.cards import Card, Deck
    from games.scoring.replay import replay
    from games.scoring.solvers.leftovers import leftovers_of
    from games.scoring.solvers.placing import place_all
    from games.scoring.text.codec import from_data

    def cards(hand: Sequence[Sequence[str]]) -> tuple[Card, ...]:
        return tuple(Card(*card) for card in hand)

    if kind == "replay":
        return lambda log: replay(tuple([from_data(*event) for event in log])), list
    ranks = tuple(str(rank) for rank in range(1, 13))
    jokers = {Card("*"): 25} if "joker" in kind else {}
    values = {rank: min(10, int(rank)) if kind == "points" else int(rank) for rank in ranks}
    solver = leftovers_of(Deck(ranks, "oceb", copies=1, jokers=2 * len(jokers)), values, jokers)
    if kind == "placing":
        return lambda hands: place_all(solver, hands), lambda deal: dict(
            zip("abcd", map(cards, deal), strict=True)
        )
    return solver.points, cards


# --- both beside each other -------------------------------------------------------------------------------------------


def compared(other: Path, task: str, inputs: Sequence[object]) -> tuple[float, float, float]:
    """Return the rate of the other checkout, that of this one, and the median of the ratios of all rounds."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "inputs.json")
        file.write_text(json.dumps(inputs))
        workers = [
            subprocess.Popen(
                [sys.executable, __file__, "--work", task, file],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={"PYTHONPATH": str(checkout)},
            )
            for checkout in (other, HERE)
        ]
        times = [[_asked(worker, number) for worker in workers] for number in range(ROUNDS + 1)][1:]
        for worker in workers:
            worker.communicate()
    before, now = zip(*times, strict=True)
    return 1 / median(before), 1 / median(now), median(old / new for old, new in times)


def _asked(worker: subprocess.Popen[str], number: int) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(number, file=worker.stdin, flush=True)
    return float(worker.stdout.readline())


def tasks() -> Mapping[str, Callable[[], Sequence[object]]]:
    """Return a function for each task that makes its inputs."""
    from games.scoring.cards import Card
    from tests.benchmarks.workloads import SPANISH_48, SPANISH_50, WORKLOADS, deals, hands

    joker = (Card("*"),)

    def written(hand: Sequence[Card]) -> list[tuple[str, str]]:
        return [(card.rank, card.suit) for card in hand]

    def leftovers(workload: str, wilds: tuple[Card, ...]) -> list[object]:
        dealt = hands(workload, SPANISH_50 if wilds else SPANISH_48, 7, 20_000 if wilds else 60_000, wilds)
        return [*{tuple(sorted(map(str, hand))): written(hand) for hand in dealt}.values()]

    def placed(workload: str) -> list[object]:
        return [[written(hand) for hand in deal] for deal in deals(workload, SPANISH_48, 4, 1_000)]

    made: dict[str, Callable[[], Sequence[object]]] = {
        "replay long": _long_games,
        "replay short": _short_games,
    }
    for name in WORKLOADS:
        made[f"placing {name}"] = lambda name=name: placed(name)  # type: ignore[misc]
        made[f"points {name}"] = lambda name=name: leftovers(name, ())  # type: ignore[misc]
        made[f"joker {name}"] = lambda name=name: leftovers(name, joker)  # type: ignore[misc]
        made[f"jokers {name}"] = lambda name=name: leftovers(name, joker * 2)  # type: ignore[misc]
    return made


def _long_games() -> list[object]:
    from tests.benchmarks.logs import a_game

    return [_stored(a_game(seed, 40)) for seed in range(110)]


def _short_games() -> list[object]:
    from tests.benchmarks.logs import a_game

    return [_stored(a_game(seed, 3)) for seed in range(3000)]


def _stored(log: Sequence[Any]) -> list[tuple[str, object]]:
    from games.scoring.text.codec import kind_of, to_data

    stored = [(kind_of(event), to_data(event)) for event in log]
    stored[0][1]["options"] = [pair for pair in stored[0][1]["options"] if pair[0] not in NEW_OPTIONS]
    return [*stored]


def main() -> None:
    """Compare the tasks whose names begin with the words given, or all."""
    if sys.argv[1] == "--work":
        return work(sys.argv[2], Path(sys.argv[3]))
    wanted = tuple(sys.argv[2:]) or ("",)
    for task, made in tasks().items():
        if task.startswith(wanted):
            before, now, ratio = compared(Path(sys.argv[1]), task, made())
            print(f"      {task:16} {before:12,.0f}/s {now:12,.0f}/s {ratio:8.2f} ×", flush=True)
    return None


if __name__ == "__main__":
    main()
