"""Two solvers timed against each other, in one process, by CPU time and in turns, each hand once.

Absolute rates on a shared machine mean little, because other work can halve them from one run to the next.
Two solvers that take turns slow down together, so the median of the ratios of all rounds hardly changes.

A solver keeps answers. A hand that it has seen before measures how fast it looks up, not how fast it solves, so
every round has hands of its own, none of which was solved earlier in the run.
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

    solve: Callable[[Any], object]
    hands: Sequence[Any]

    def seconds(self, round: int = 0, rounds: int = 1) -> float:
        """Return the CPU seconds per hand of one of so many rounds, which share the hands out among them."""
        solve, hands = self.solve, self.hands[round::rounds]
        started = process_time()
        for hand in hands:
            solve(hand)
        return (process_time() - started) / len(hands)

    def rate(self) -> float:
        """Return the median of the hands per CPU second in some rounds, after one to warm up."""
        rounds = min(ROUNDS, len(self.hands) - 1)
        return 1 / median([self.seconds(round, rounds + 1) for round in range(rounds + 1)][1:])


def compare(ours: Contestant, peer: Contestant, rounds: int = ROUNDS) -> float:
    """Return the median ratio of our rate to the peer's in alternating rounds, after one to warm up."""
    rounds = min(rounds, len(ours.hands) - 1, len(peer.hands) - 1)
    times = [
        (ours.seconds(round, rounds + 1), peer.seconds(round, rounds + 1)) for round in range(rounds + 1)
    ]
    return median(theirs / mine for mine, theirs in times[1:])
