"""Timing side by side: one process, CPU time, rounds interleaved, ratios by the median.

Absolute rates on a shared machine mean little: the neighbours' load doubles or halves them from run to run. Two contestants
that take turns on the same hands slow down together, and the median of the ratios of the rounds stays.
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
    """A solver to be timed; `hands` are in the form it takes, so that nothing is converted on the clock."""

    name: str
    solve: Callable[[Any], object]
    hands: Sequence[Any]
    repeats: int = 1  # of all hands in a round, where one pass is too short for the clock

    def seconds(self) -> float:
        """CPU seconds a hand, over one round."""
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
    """Both, round by round in turn, after one round each that does not count."""
    ours.seconds(), peer.seconds()
    times = [(ours.seconds(), peer.seconds()) for _ in range(rounds)]
    return Comparison(
        ratio=median(theirs / mine for mine, theirs in times),
        rate=1 / min(mine for mine, _ in times),
        peer_rate=1 / min(theirs for _, theirs in times),
    )
