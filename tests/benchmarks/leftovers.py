"""The solvers of leftovers compared with OpenSpiel, which is written in C++.

    python -m tests.benchmarks.leftovers [HANDS of each workload, 10000]

OpenSpiel is not a dependency: `pip install open_spiel`; without it the comparisons are skipped. All results
are compared after the timing, and a difference ends the run. Each hand is timed once, because the solver
caches its answers. Two solvers are timed in turns, by CPU time: other work on the machine slows both, so the
median of the ratios hardly changes.
"""

from __future__ import annotations

import importlib
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from games.scoring import bind, least_leftover, score_hand
from games.scoring.cards import Card, Deck
from games.scoring.solvers.leftovers import get_leftover_solver
from games.scoring.solvers.placing import place_hands
from tests.benchmarks.goals import report
from tests.benchmarks.workloads import (
    BY_NUMBER,
    FIGURES_TEN,
    FRENCH_52,
    SPANISH_48,
    TWO_SPANISH_50,
    WORKLOADS,
    deals,
    hands,
)

ROUNDS = 21
JOKER = Card("*")
ROOT = Path(__file__).parents[2]
MINIMUM_RATIOS = {"uniform": (0.8, 0.3), "rich": (1.5, 0.35), "dense": (1.0, 0.25)}


@dataclass(frozen=True)
class Contestant:
    """A solver to be timed, with hands in its own format, so that no conversion is timed."""

    solve: Callable[[Any], object]
    hands: Sequence[Any]

    def seconds(self, round: int = 0, rounds: int = 1) -> float:
        """Return the CPU seconds per hand in one of `rounds` rounds, among which the hands are divided."""
        solve, hands = self.solve, self.hands[round::rounds]
        started = process_time()
        for hand in hands:
            solve(hand)
        return (process_time() - started) / len(hands)

    def rate(self) -> float:
        """Return the median of hands per CPU second over several rounds, after one to warm up."""
        rounds = min(ROUNDS, len(self.hands) - 1)
        return 1 / median([self.seconds(round, rounds + 1) for round in range(rounds + 1)][1:])


def compare(ours: Contestant, peer: Contestant, rounds: int = ROUNDS) -> float:
    """Return the median ratio of our rate to the peer's in alternating rounds, after one to warm up."""
    rounds = min(rounds, len(ours.hands) - 1, len(peer.hands) - 1)
    times = [
        (ours.seconds(round, rounds + 1), peer.seconds(round, rounds + 1)) for round in range(rounds + 1)
    ]
    return median(theirs / our_seconds for our_seconds, theirs in times[1:])


def find_openspiel(ranks: int = 12, cards: int = 7) -> Callable[[Sequence[int]], int] | None:
    """Return OpenSpiel's function for the least deadwood, of seven Spanish cards by default; None without it."""
    try:
        min_deadwood: Callable[[Sequence[int]], int] = (
            importlib.import_module("pyspiel").gin_rummy.GinRummyUtils(ranks, 4, cards).min_deadwood
        )
    except ImportError:
        return None
    return min_deadwood


def against_openspiel(count: int) -> None:
    """Time this many hands of each workload with both solvers, half of them for points, half with groups.

    MINIMUM_RATIOS has the ratio that our rate must reach.
    """
    if (min_deadwood := find_openspiel()) is None:
        print("OpenSpiel is not installed: its comparisons are left out", file=sys.stderr)
        return
    solver, half = get_leftover_solver(SPANISH_48, FIGURES_TEN, {}), count // 2
    for workload, goals in MINIMUM_RATIOS.items():
        dealt = hands(workload, SPANISH_48, 7, count)
        theirs = [[_number(card) for card in hand] for hand in dealt]
        ratios = [
            compare(Contestant(solve, dealt[some]), Contestant(min_deadwood, theirs[some]))
            for solve, some in ((solver.points, slice(half)), (solver.best, slice(half, None)))
        ]
        for hand, their_hand in zip(dealt, theirs, strict=True):
            if (ours := solver.points(hand)) != (other := min_deadwood(their_hand)):
                sys.exit(f"{hand}: {ours} here, {other} there")
        for task, ratio, minimum in zip(("points", "groups"), ratios, goals, strict=True):
            goal = f"seven {workload} cards, {task}: ≥ {minimum} × OpenSpiel"
            report(goal, f"{ratio:.2f} ×, {count:,} equal", met=ratio >= minimum)


def _number(card: Card, deck: Deck = SPANISH_48) -> int:
    """Return OpenSpiel's number for this card, counted suit by suit."""
    return len(deck.ranks) * deck.suits.index(card.suit) + deck.ranks.index(card.rank)


def gin_deadwood(count: int) -> None:
    """Compare the deadwood of this many hands in docs/examples/gin.py with OpenSpiel's, each hand of ten cards."""
    if (min_deadwood := find_openspiel(ranks=13, cards=10)) is None:
        return
    sys.path.insert(0, str(ROOT / "engine" / "src"))
    runpy.run_path(str(ROOT / "docs" / "examples" / "gin.py"))
    gin = importlib.import_module("anotador").bind("own_gin")
    dealt = [
        hand for workload in WORKLOADS for hand in hands(workload, FRENCH_52, 10, -(-count // len(WORKLOADS)))
    ]
    texts = [f"[{' '.join(map(str, hand))}]" for hand in dealt]
    theirs = [[_number(card, FRENCH_52) for card in hand] for hand in dealt]
    ratio = compare(Contestant(gin.score_hand, texts), Contestant(min_deadwood, theirs))
    differing = [
        text
        for text, hand in zip(texts, theirs, strict=True)
        if not gin.score_hand(text) == gin.least_leftover(text).points == min_deadwood(hand)
    ]
    figures = f"{len(texts) - len(differing):,} of {len(texts):,} equal, {ratio:.3f} × its speed"
    report("Gin's deadwood: equal to OpenSpiel's", figures, met=not differing)


def public_calls(count: int) -> None:
    """Measure what a hand of Chinchón costs a program: by the public functions, and beside both solvers."""
    hands_dealt = hands("uniform", SPANISH_48, 7, count)
    texts = [f"[{' '.join(map(str, hand))}]" for hand in hands_dealt]
    bound = bind("chinchon", figures="tens")
    solver = get_leftover_solver(SPANISH_48, FIGURES_TEN, {})
    callers: dict[str, tuple[Callable[[Any], object], Sequence[Any]]] = {
        "the solver alone": (solver.points, hands_dealt),
        "bind(…).score_hand(cards)": (bound.score_hand, hands_dealt),
        "bind(…).score_hand(text)": (bound.score_hand, texts),
        "score_hand(text)": (lambda text: score_hand("chinchon", text, figures="tens"), texts),
        "bind(…).least_leftover(cards)": (bound.least_leftover, hands_dealt),
        "least_leftover(text)": (lambda text: least_leftover("chinchon", text, figures="tens"), texts),
    }
    if (min_deadwood := find_openspiel()) is not None:
        callers["OpenSpiel from Python"] = (
            min_deadwood,
            [[_number(card) for card in hand] for hand in hands_dealt],
        )
    for name, (solve, given) in callers.items():
        microseconds = 1e6 / Contestant(solve, given).rate()
        report(f"one hand, {name}: ≤ 50 µs", f"{microseconds:.1f} µs", met=microseconds <= 50)


def placing(count: int) -> None:
    """Measure deals in which all players lay down and place cards, at a usual table and at the hardest."""
    for task, deck, wilds, players, minimum in (
        ("placing, 4 players", SPANISH_48, {}, 4, 1_000),
        ("placing, 8, two packs, jokers", TWO_SPANISH_50, {JOKER: 25}, 8, 75),
    ):
        solver = get_leftover_solver(deck, BY_NUMBER, wilds)
        for workload in WORKLOADS:
            some = max(1, count // (10 * players))
            dealt = [
                dict(zip("abcdefgh", deal, strict=False))
                for deal in deals(workload, deck, players, some, deck.jokers)
            ]
            rate = Contestant(partial(place_hands, solver), dealt).rate()
            report(f"{task}, {workload}: ≥ {minimum:,} deals/s", f"{rate:,.0f}", met=rate >= minimum)


def start_up() -> None:
    """Measure the time and memory of importing the solvers, and the whole engine, into a bare interpreter."""
    script = (
        "import sys, time\n"
        "resident = lambda: int(open('/proc/self/statm').read().split()[1]) / 256\n"
        "if sys.argv[1]: __import__(sys.argv[1])\n"
        "memory, started = resident(), time.process_time()\n"
        "__import__(sys.argv[2])\n"
        "print((time.process_time() - started) * 1000, resident() - memory)\n"
    )
    # As when installed: the first run writes compiled files, whatever this shell's settings are.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for task, before, module, limit in (
        ("import of the solvers", "games.scoring", "games.scoring.solvers.placing", 30),
        ("import of the engine, all six games", "", "games.scoring.replay", 60),
    ):
        command = [sys.executable, "-c", script, before, module]
        printed = [subprocess.check_output(command, text=True, env=environment).split() for _run in range(11)]
        milliseconds, memory = (
            median(column) for column in zip(*(map(float, run) for run in printed), strict=True)
        )
        met = milliseconds <= limit and memory <= 4
        report(f"{task}: ≤ {limit} ms, ≤ 4 MiB", f"{milliseconds:.1f} ms, {memory:.1f} MiB", met=met)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    against_openspiel(count)
    gin_deadwood(count)
    public_calls(count)
    placing(count)
    start_up()


if __name__ == "__main__":
    main()
