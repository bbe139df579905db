"""A lower bound on the speed of the solvers, relative to a plain loop timed alternately with them.

The comparison with other engines is a benchmark of its own.
"""

from __future__ import annotations

import pytest

from games.scoring.solvers.leftovers import leftovers_of
from games.scoring.solvers.placing import place_all
from tests.benchmarks.leftovers import JOKER
from tests.benchmarks.measure import Contestant, compare
from tests.benchmarks.workloads import (
    BY_NUMBER,
    SPANISH_48,
    SPANISH_50,
    TWO_SPANISH_50,
    WORKLOADS,
    deals,
    hands,
)

NUMBER = {card: place for place, card in enumerate(hands("uniform", SPANISH_48, 48, 1)[0])}


def times_seven_look_ups(solve, dealt):
    """Return the solver's time as a multiple of the time for summing seven look-ups by card."""
    plain = hands("uniform", SPANISH_48, 7, 1000)
    look_ups = Contestant("look-ups", lambda hand: sum([NUMBER[card] for card in hand]), plain)
    return 1 / compare(Contestant("ours", solve, dealt), look_ups, rounds=7)


@pytest.mark.parametrize("workload", WORKLOADS)
def test_seven_cards_take_no_longer_than_a_dozen_sums(workload):
    solver = leftovers_of(SPANISH_48, BY_NUMBER, {})
    assert times_seven_look_ups(solver.points, hands(workload, SPANISH_48, 7, 1000)) < 12


@pytest.mark.parametrize("workload", WORKLOADS)
def test_jokers_take_no_longer_than_some_hundred_sums(workload):
    solver = leftovers_of(SPANISH_50, BY_NUMBER, {JOKER: 25})
    assert times_seven_look_ups(solver.points, hands(workload, SPANISH_50, 7, 300, (JOKER,))) < 150


@pytest.mark.slow
@pytest.mark.parametrize("workload", WORKLOADS)
def test_placing_takes_no_longer_than_some_thousand_sums_and_never_blows_up(workload):
    dealt = [dict(zip("ab", deal, strict=True)) for deal in deals(workload, SPANISH_48, 2, 300)]
    plain = leftovers_of(SPANISH_48, BY_NUMBER, {})
    assert times_seven_look_ups(lambda hands: place_all(plain, hands), dealt) < 2000
    dealt = [dict(zip("abcdefgh", deal, strict=True)) for deal in deals(workload, TWO_SPANISH_50, 8, 20, 4)]
    largest = leftovers_of(TWO_SPANISH_50, BY_NUMBER, {JOKER: 25})
    assert times_seven_look_ups(lambda hands: place_all(largest, hands), dealt) < 60_000
