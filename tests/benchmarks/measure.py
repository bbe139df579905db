"""Two solvers timed against each other, in one process, by CPU time and in turns.

Absolute rates on a shared machine mean little, because other work can halve them from one run to the next.
Two solvers that take turns on the same hands slow down together, so the median of the ratios of all rounds
hardly changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any

ROUNDS = 21


@dataclass(frozen=True)
class Contestant:
    """A solver to be timed, and its hands in the form that it takes, so that no conversion is timed."""

    name: str
    solve: Callable[[Any], object]
    hands: Sequence[Any]
    repeats: int = 1  # passes over all hands in a round, where one is too short for the clock

    def seconds(self) -> float:
        """Return the CPU seconds per hand, measured over one round."""
        solve, hands = self.solve, self.hands
        started = process_time()
        for _ in range(self.repeats):
            for hand in hands:
                solve(hand)
        return (process_time() - started) / (self.repeats * len(hands))


@dataclass(frozen=True)
class Comparison:
    """The ratio of the first contestant's rate to the second's, and the best rate of each."""

    ratio: float
    rate: float
    peer_rate: float


def compare(ours: Contestant, peer: Contestant, rounds: int = ROUNDS) -> Comparison:
    """Time both in alternating rounds, after one round each to warm up."""
    ours.seconds(), peer.seconds()
    times = [(ours.seconds(), peer.seconds()) for _ in range(rounds)]
    return Comparison(
        ratio=median(theirs / mine for mine, theirs in times),
        rate=1 / min(mine for mine, _ in times),
        peer_rate=1 / min(theirs for _, theirs in times),
    )
