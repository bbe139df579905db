"""Goal P9: lay contracts down with the fewest points kept, at least 8,000 hands a second in every workload.

Each hand is timed once.

The brute-force search of the tests is timed beside it. The compiled solver that the goal names for
comparison, sebherrerabe/carioca, is in no package registry and has no licence, so it is left out.

    python -m tests.benchmarks.contracts
"""

from __future__ import annotations

import random
from functools import partial

from games.scoring.solvers.contracts import CONTRACTS, fulfils
from tests.benchmarks.goals import say
from tests.benchmarks.measure import Contestant, compare
from tests.scoring.hands import WORKLOADS
from tests.scoring.meld_oracle import fewest_left

HANDS, FOR_THE_ORACLE = 1_000, 40
CARDS = 12
KEYS = ("1E1T", "3T", "2T1E", "2E1T", "3E")
VALUES = {**{str(rank): rank for rank in range(2, 11)}, "J": 10, "Q": 10, "K": 10, "A": 20, "*": 50}
GOAL = 8_000


def main() -> None:
    """Time every workload and contract, after comparing some hands of each with the brute-force search."""
    slowest = []
    for workload, deal in WORKLOADS.items():
        chance = random.Random(9)
        for key in KEYS:
            # Hands of its own, because the solver keeps what it found out about a hand for every contract.
            hands = [deal(chance, CARDS) for _hand in range(HANDS + 2 * FOR_THE_ORACLE)]
            few, others = hands[:FOR_THE_ORACLE], hands[FOR_THE_ORACLE : 2 * FOR_THE_ORACLE]
            lay = partial(fulfils, contract=CONTRACTS[key], values=VALUES)
            search = partial(fewest_left, contract=key, values=VALUES)
            differences = sum(search(hand) != ((laid := lay(hand)) and laid.left) for hand in few)
            beside = compare(Contestant("ours", lay, others), Contestant("search", search, others), rounds=1)
            a_second = Contestant("ours", lay, hands[2 * FOR_THE_ORACLE :]).rate()
            slowest.append((a_second, workload, key))
            say(
                f"P9 {workload} {key}",
                f"{a_second:,.0f} hands/s, {beside.ratio:,.0f} × the search, {differences} of {len(few)} differ",
                met=a_second >= GOAL and not differences,
            )
    a_second, workload, key = min(slowest)
    say(f"P9 slowest ≥ {GOAL:,} hands/s", f"{a_second:,.0f} ({workload} {key})", met=a_second >= GOAL)


if __name__ == "__main__":
    main()
