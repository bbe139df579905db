"""The solvers of leftovers compared with other engines.

    python -m tests.benchmarks.leftovers [--hands N] [--json FILE]

The other engines are no dependencies: `pip install open_spiel rlcard`. One
that is not installed is named in a message and left out. Where an engine solves the same task, all hands of
the run are compared after the timing, and a difference ends the run. Each hand is timed once
(`measure.py`): the solver keeps its answers, and a hand that it has seen would measure its cache.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from types import ModuleType
from typing import Any

from games.scoring.cards import Card, Deck
from games.scoring.solvers.leftovers import leftovers_of
from games.scoring.solvers.placing import place_all
from tests.benchmarks.measure import Contestant, compare
from tests.benchmarks.workloads import (
    BY_NUMBER,
    FIGURES_TEN,
    FRENCH_52,
    GIN,
    SPANISH_48,
    TWO_SPANISH_50,
    WORKLOADS,
    deals,
    hands,
)

JOKER = Card("*")


@dataclass(frozen=True)
class Line:
    """A measured figure and its goal.

    `equal` is the number of hands on which both engines agreed, None if there was nothing to compare.
    """

    goal: str
    task: str
    workload: str
    peer: str
    figure: float
    wanted: float
    unit: str
    equal: int | None = None

    @property
    def met(self) -> bool:
        """True if the figure reaches the goal: times and memory at most the goal, rates at least the goal."""
        at_most = self.unit in ("ms", "MiB")
        return self.figure <= self.wanted if at_most else self.figure >= self.wanted


def peer(name: str) -> ModuleType | None:
    """Return the module of another engine; if it is not installed, print that and return None."""
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: its comparisons are left out", file=sys.stderr)
        return None


def must_agree(
    ours: Callable[[Any], int], theirs: Callable[[Any], int], pairs: Iterator[tuple[Any, Any]]
) -> int:
    """Return the number of hands compared; exit with a message at the first on which the points differ."""
    count = 0
    for hand, their_hand in pairs:
        if ours(hand) != theirs(their_hand):
            sys.exit(f"{hand}: {ours(hand)} here, {theirs(their_hand)} there")
        count += 1
    return count


# --- P1, P3 beside OpenSpiel ------------------------------------------------------------------------------------------


def beside_openspiel(count: int) -> Iterator[Line]:
    """Compare 7 cards of 48 with OpenSpiel's C++, for the points alone and with the groups."""
    openspiel = peer("pyspiel")
    if openspiel is None:
        return
    solver = leftovers_of(SPANISH_48, FIGURES_TEN, {})
    theirs = openspiel.gin_rummy.GinRummyUtils(12, 4, 7).min_deadwood
    wanted = {"uniform": (0.8, 0.3), "rich": (1.5, 0.35), "dense": (1.0, 0.25)}
    for workload in WORKLOADS:
        dealt = hands(workload, SPANISH_48, 7, count)
        numbers = [[_number(SPANISH_48, card) for card in hand] for hand in dealt]
        half = count // 2
        tasks = (
            ("P1", "7 of 48, points", solver.points, wanted[workload][0], slice(half)),
            ("P3", "7 of 48, groups", solver.best, wanted[workload][1], slice(half, None)),
        )
        ratios = [
            compare(Contestant("ours", solve, dealt[part]), Contestant("OpenSpiel", theirs, numbers[part]))
            for _goal, _task, solve, _least, part in tasks
        ]
        equal = must_agree(solver.points, theirs, zip(dealt, numbers, strict=True))
        for (goal, task, _solve, least, _part), ratio in zip(tasks, ratios, strict=True):
            yield Line(goal, task, workload, "OpenSpiel", ratio, least, "x", equal)


# --- P2, P3 beside rlcard ---------------------------------------------------------------------------------------------


def beside_rlcard(count: int) -> Iterator[Line]:
    """Compare 10 cards of 52 with rlcard, for the points alone and with the groups."""
    if peer("rlcard") is None:
        return
    melding = importlib.import_module("rlcard.games.gin_rummy.utils.melding")
    utils = importlib.import_module("rlcard.games.gin_rummy.utils.utils")
    their_card = importlib.import_module("rlcard.games.base").Card

    def theirs(hand: list[Any]) -> int:
        best = melding.get_best_meld_clusters(hand=hand)
        return int(utils.get_deadwood_count(hand=hand, meld_cluster=best[0] if best else []))

    solver = leftovers_of(FRENCH_52, GIN, {})
    wanted = {"uniform": (12, 6), "rich": (40, 9), "dense": (20, 6)}
    for workload in WORKLOADS:
        dealt = hands(workload, FRENCH_52, 10, count)
        their_hands = [
            [their_card(card.suit, card.rank.replace("10", "T")) for card in hand] for hand in dealt
        ]
        half, some = count // 2, max(2, count // 20)
        tasks = (
            ("P2", "10 of 52, points", solver.points, wanted[workload][0], 0),
            ("P3", "10 of 52, groups", solver.best, wanted[workload][1], half),
        )
        ratios = [
            compare(
                Contestant("ours", solve, dealt[first : first + half]),
                Contestant("rlcard", theirs, their_hands[first : first + some]),
            )
            for _goal, _task, solve, _least, first in tasks
        ]
        equal = must_agree(solver.points, theirs, zip(dealt, their_hands, strict=True))
        for (goal, task, _solve, least, _first), ratio in zip(tasks, ratios, strict=True):
            yield Line(goal, task, workload, "rlcard", ratio, least, "x", equal)


# --- P7, P13: no peer -------------------------------------------------------------------------------------------------


def placing(count: int) -> Iterator[Line]:
    """Measure deals in which all players lay down and place cards: the usual table, and the hardest."""
    for task, deck, wilds, players, rate in (
        ("placing, 4 players", SPANISH_48, {}, 4, 1_000),
        ("placing, 8, two packs, jokers", TWO_SPANISH_50, {JOKER: 25}, 8, 75),
    ):
        solver = leftovers_of(deck, BY_NUMBER, wilds)
        for workload in WORKLOADS:
            some = max(1, count // (10 * players))
            dealt = [
                dict(zip("abcdefgh", deal, strict=False))
                for deal in deals(workload, deck, players, some, deck.jokers)
            ]
            placing_all = Contestant("ours", partial(place_all, solver), dealt)
            yield Line("P7", task, workload, "", placing_all.rate(), rate, "deals/s")


def start_up() -> Iterator[Line]:
    """Measure the time and memory of importing into a bare interpreter: the solvers alone, and the engine."""
    script = (
        "import sys, time\n"
        "resident = lambda: int(open('/proc/self/statm').read().split()[1]) / 256\n"
        "if sys.argv[1]: __import__(sys.argv[1])\n"
        "memory, started = resident(), time.process_time()\n"
        "__import__(sys.argv[2])\n"
        "print((time.process_time() - started) * 1000, resident() - memory)\n"
    )

    # As installed: the first run leaves compiled files behind, whatever this shell says about them.
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def costs(before: str, module: str) -> list[float]:
        runs = [
            subprocess.run(
                [sys.executable, "-c", script, before, module],
                capture_output=True,
                text=True,
                check=True,
                env=compiled,
            )
            for _ in range(11)
        ]
        return [
            median(column) for column in zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
        ]

    for task, before, module, milliseconds in (
        ("import of the solvers", "games.scoring", "games.scoring.solvers.placing", 30),
        ("import of the engine, all six games", "", "games.scoring.replay", 60),
    ):
        time, memory = costs(before, module)
        yield Line("P13", task, "", "", time, milliseconds, "ms")
        yield Line("P13", task, "", "", memory, 4, "MiB")


def _number(deck: Deck, card: Card) -> int:
    """Return the number of a card as OpenSpiel counts them: suit by suit, the joker after all others."""
    ranks = len(deck.ranks)
    return 4 * ranks if card is JOKER else deck.suits.index(card.suit) * ranks + deck.ranks.index(card.rank)


def main() -> None:
    """Run all comparisons, print their figures, and write these as JSON if asked to."""
    parser = argparse.ArgumentParser(description="The leftover solvers side by side with other engines.")
    parser.add_argument("--hands", type=int, default=10_000, help="hands of each workload")
    parser.add_argument("--json", type=Path, help="where to write the figures too")
    arguments = parser.parse_args()
    lines: list[Line] = []
    sections = (beside_openspiel, beside_rlcard, placing)
    for figures in (*(section(arguments.hands) for section in sections), start_up()):
        for line in figures:
            lines.append(line)
            equal = "" if line.equal is None else f"{line.equal} equal"
            against = f"/ {line.peer}" if line.peer else ""
            print(
                f"{line.goal:4} {line.task:40} {line.workload:8} {line.figure:12,.2f} {line.unit:8}{against:18}"
                f" goal {line.wanted:>8,} {'met' if line.met else 'NOT MET':8} {equal}",
                flush=True,
            )
    if arguments.json:
        arguments.json.write_text(
            json.dumps([asdict(line) | {"met": line.met} for line in lines], indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
