"""Goal P11: settle up to 12 people with the fewest payments, never more than `debts` or the greedy way.

python -m tests.benchmarks.transfers        # the package `debts` (PyPI) needs the extra `bench`
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from statistics import mean
from typing import Any

from games.scoring.ledger import settlement, transfers
from tests.benchmarks.goals import say
from tests.benchmarks.measure import Contestant

CASES = 60
MILLISECONDS = {5: 0.25, 8: 1.0, 12: 5.0}
HIGHEST = (1, 3, 12, 100)
CERTAIN_UP_TO = 8

Net = dict[str, int]


def a_net(chance: random.Random, people: int, highest: int) -> Net:
    """Return random amounts won or lost, none of them 0, with the sum 0."""
    while True:
        amounts = [chance.choice([-1, 1]) * chance.randint(1, highest) for _person in range(people - 1)]
        if sum(amounts):
            return {f"p{seat}": amount for seat, amount in enumerate([*amounts, -sum(amounts)])}


def greedy(net: Net) -> int:
    """Return how many payments it takes when the largest debtor always pays the largest creditor."""
    left, payments = dict(net), 0
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        payments += 1
    return payments


def fewest(net: Net) -> int:
    """Return the fewest payments, by trying every partner for each payer in turn; only for few people."""

    def clear(amounts: tuple[int, ...]) -> int:
        if not amounts:
            return 0
        first, others = amounts[0], amounts[1:]
        if first == 0:
            return clear(others)
        return 1 + min(
            clear((*others[:at], others[at] + first, *others[at + 1 :]))
            for at in range(len(others))
            if others[at] * first < 0
        )

    return clear(tuple(net.values()))


def debts_settle() -> Callable[[Net], int] | None:
    """Return a function that counts the payments of the package `debts`; None if it is not installed."""
    if find_spec("debts") is None:
        return None
    solver: Any = import_module("debts.solver")
    return lambda net: len(solver.settle([(person, amount) for person, amount in net.items() if amount]))


def milliseconds(nets: Sequence[Net]) -> list[float]:
    """Return the milliseconds of settling each of these nets, the best of some tries: no answer is kept."""
    works = [Contestant("transfers", transfers, [net] * 3) for net in nets]
    return [1e3 * min(work.seconds() for _try in range(5)) for work in works]


def main() -> None:
    """Time each number of people on hard amounts, and compare the number of payments with the others'."""
    theirs = debts_settle()
    for people, allowed in MILLISECONDS.items():
        chance = random.Random(people)
        nets = [a_net(chance, people, highest) for highest in HIGHEST for _case in range(CASES)]
        mine = [len(transfers(net)) for net in nets]
        each = milliseconds(nets)
        say(
            f"P11 {people} people ≤ {allowed} ms",
            f"{mean(each):.3f} ms, the slowest of {len(nets)} {max(each):.3f} ms",
            met=max(each) <= allowed,
        )
        say(
            f"P11 {people} people exact",
            f"{sum(settlement(net).is_exact for net in nets)} of {len(nets)}",
            met=all(settlement(net).is_exact for net in nets),
        )
        rivals: dict[str, Callable[[Net], int]] = {"greedy": greedy}
        if theirs is not None:
            rivals["debts"] = theirs
        for name, count in rivals.items():
            other = [count(net) for net in nets]
            more = sum(ours > their for ours, their in zip(mine, other, strict=True))
            fewer = sum(ours < their for ours, their in zip(mine, other, strict=True))
            say(f"P11 {people} people, never more than {name}", f"more {more}, fewer {fewer}", met=not more)
        if people <= CERTAIN_UP_TO:
            differ = sum(fewest(net) != ours for net, ours in zip(nets, mine, strict=True))
            say(f"P11 {people} people as few as any", f"{differ} of {len(nets)} differ", met=not differ)
    if theirs is None:
        print("debts is not installed: pip install -e '.[bench]'")
    for people in (13, 16, 20, 40):
        chance = random.Random(people)
        nets = [a_net(chance, people, highest) for highest in HIGHEST for _case in range(10)]
        slowest = max(milliseconds(nets))
        exact = sum(settlement(net).is_exact for net in nets)
        print(
            f"      {people} people: the slowest {slowest:.2f} ms, known to be the fewest {exact} of {len(nets)}"
        )


if __name__ == "__main__":
    main()
