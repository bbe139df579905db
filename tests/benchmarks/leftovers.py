"""The solvers of leftovers compared with other engines.

    python -m tests.benchmarks.leftovers [HANDS of each workload, 10000]

The other engines are no dependencies: `pip install open_spiel rlcard`. One that is not installed is named in a
message and left out. All hands of the run are compared after the timing, and a difference ends the run. Each
hand is timed once (`measure.py`): the solver keeps its answers, and a hand that it has seen would measure its
cache.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from games.scoring.cards import Card, Deck
from games.scoring.solvers.leftovers import leftovers_of
from games.scoring.solvers.placing import place_all
from tests.benchmarks.goals import say
from tests.benchmarks.measure import Contestant, compare
from tests.benchmarks.workloads import (
    BY_NUMBER,
    FIGURES_TEN,
    FRENCH_52,
    GIN,
    SPANISH_48,
    TWO_SPANISH_50,
    WORKLOADS,
    Hand,
    deals,
    hands,
)

JOKER = Card("*")


@dataclass(frozen=True)
class Peer:
    """Another engine: the task that it solves too, and how many times its rate ours has to be, for each workload.

    `wanted` has two goals: for the points alone, and with the groups. A slow peer gets one of so many hands.
    """

    name: str
    deck: Deck
    values: Mapping[str, int]
    size: int
    points: Callable[[Any], int]
    as_theirs: Callable[[Hand], Any]
    wanted: Mapping[str, tuple[float, float]]
    one_of: int = 1

    def compare(self, count: int) -> None:
        """Time this many hands of each workload by both engines, half of them for each goal."""
        solver, half = leftovers_of(self.deck, self.values, {}), count // 2
        some = max(2, half // self.one_of)
        for workload in WORKLOADS:
            dealt = hands(workload, self.deck, self.size, count)
            theirs = [self.as_theirs(hand) for hand in dealt]
            ratios = [
                compare(
                    Contestant("ours", solve, dealt[first : first + half]),
                    Contestant(self.name, self.points, theirs[first : first + some]),
                )
                for solve, first in ((solver.points, 0), (solver.best, half))
            ]
            for hand, their_hand in zip(dealt, theirs, strict=True):
                ours = solver.points(hand)
                if ours != self.points(their_hand):
                    sys.exit(f"{hand}: {ours} here, {self.points(their_hand)} there")
            for task, ratio, wanted in zip(("points", "groups"), ratios, self.wanted[workload], strict=True):
                goal = f"{self.size} {workload} cards, {task}: ≥ {wanted} × {self.name}"
                say(goal, f"{ratio:.2f} ×, {count:,} equal", met=ratio >= wanted)


def peers() -> Iterator[Peer]:
    """Yield the engines that are installed: OpenSpiel in C++ and rlcard in Python."""
    try:
        least_deadwood = importlib.import_module("pyspiel").gin_rummy.GinRummyUtils(12, 4, 7).min_deadwood
        yield Peer(
            *("OpenSpiel", SPANISH_48, FIGURES_TEN, 7, least_deadwood),
            lambda hand: [_number(SPANISH_48, card) for card in hand],
            {"uniform": (0.8, 0.3), "rich": (1.5, 0.35), "dense": (1.0, 0.25)},
        )
    except ImportError:
        print("OpenSpiel is not installed: its comparisons are left out", file=sys.stderr)
    try:
        melding = importlib.import_module("rlcard.games.gin_rummy.utils.melding")
        utils = importlib.import_module("rlcard.games.gin_rummy.utils.utils")
        their_card = importlib.import_module("rlcard.games.base").Card

        def deadwood(hand: list[Any]) -> int:
            best = melding.get_best_meld_clusters(hand=hand)
            return int(utils.get_deadwood_count(hand=hand, meld_cluster=best[0] if best else []))

        yield Peer(
            *("rlcard", FRENCH_52, GIN, 10, deadwood),
            lambda hand: [their_card(card.suit, card.rank.replace("10", "T")) for card in hand],
            {"uniform": (12, 6), "rich": (40, 9), "dense": (20, 6)},
            one_of=10,
        )
    except ImportError:
        print("rlcard is not installed: its comparisons are left out", file=sys.stderr)


def _number(deck: Deck, card: Card) -> int:
    """Return the number of a card as OpenSpiel counts them: suit by suit."""
    return len(deck.ranks) * deck.suits.index(card.suit) + deck.ranks.index(card.rank)


def placing(count: int) -> None:
    """Measure deals in which all players lay down and place cards: the usual table, and the hardest."""
    for task, deck, wilds, players, wanted in (
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
            rate = Contestant("ours", partial(place_all, solver), dealt).rate()
            say(f"{task}, {workload}: ≥ {wanted:,} deals/s", f"{rate:,.0f}", met=rate >= wanted)


def start_up() -> None:
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
    for task, before, module, wanted in (
        ("import of the solvers", "games.scoring", "games.scoring.solvers.placing", 30),
        ("import of the engine, all six games", "", "games.scoring.replay", 60),
    ):
        words = [sys.executable, "-c", script, before, module]
        printed = [subprocess.check_output(words, text=True, env=compiled).split() for _run in range(11)]
        milliseconds, memory = (
            median(column) for column in zip(*(map(float, run) for run in printed), strict=True)
        )
        met = milliseconds <= wanted and memory <= 4
        say(f"{task}: ≤ {wanted} ms, ≤ 4 MiB", f"{milliseconds:.1f} ms, {memory:.1f} MiB", met=met)


def main() -> None:
    """Run all comparisons and print for each goal whether it is met."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    for peer in peers():
        peer.compare(count)
    placing(count)
    start_up()


if __name__ == "__main__":
    main()
