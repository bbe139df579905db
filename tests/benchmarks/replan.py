"""A comparison of the changes that 1,000 random corrections make to the plan of payments, before and after RULES 1.3.

python -m tests.benchmarks.replan

Before, a changed balance gave the fewest payments, unless the lines of the plan so far still explained it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import process_time

from games.scoring.ledger import Transfer, transfers
from games.scoring.plan import unpaid
from games.scoring.replan import nearest_plan
from tests.benchmarks.goals import say

TABLES = 40
CORRECTIONS = 25  # at each table
PEOPLE = (4, 5, 6, 7, 8)
UNIT = 50
MILLISECONDS = {5: 2.0, 8: 10.0, 12: 80.0, 20: 150.0, 40: 250.0}

Nets = dict[str, int]
Lines = tuple[Transfer, ...]
Planner = Callable[[Lines, Nets], Lines]


def plan_before(lines: Lines, nets: Nets) -> Lines:
    """Return the plan as it was made before: the rest of the lines, or the fewest payments."""
    rest, fewest = unpaid(lines, nets), transfers(nets)
    return rest if rest is not None and len(rest) <= len(fewest) else fewest


@dataclass(frozen=True)
class Correction:
    """The balances after a correction, and the people whose balance it changed."""

    nets: Nets
    involved: frozenset[str]
    is_correction: bool


def a_season(chance: random.Random, people: int) -> Iterator[Correction]:
    """Yield the balances after each game, and after a correction of each game."""
    nets = {f"p{seat}": 0 for seat in range(people)}
    for _game in range(CORRECTIONS):
        played = chance.sample(list(nets), min(people, chance.randint(3, 5)))
        won = result(chance, played)
        nets = added(nets, won)
        yield Correction(nets, frozenset(played), is_correction=False)
        if chance.random() < 0.5:  # a round of two players was wrong
            one, other = chance.sample(played, 2)
            change = {one: UNIT, other: -UNIT}
        else:  # another winner
            again = result(chance, played)
            change = {player: again[player] - won[player] for player in played}
        nets = added(nets, change)
        yield Correction(nets, frozenset(player for player in change if change[player]), is_correction=True)


def result(chance: random.Random, played: Sequence[str]) -> Nets:
    """Return what one winner won from the others."""
    winner, *others = chance.sample(played, len(played))
    lost = {other: UNIT * chance.randint(1, 4) for other in others}
    return {winner: sum(lost.values()), **{other: -amount for other, amount in lost.items()}}


def added(nets: Nets, change: Nets) -> Nets:
    """Return the balances after this change."""
    return {person: amount + change.get(person, 0) for person, amount in nets.items()}


def changed_pairs(before: Lines, after: Lines) -> set[tuple[str, str]]:
    """Return the pairs of payer and payee whose amount is not what it was."""
    old, new = ({(line.payer, line.payee): line.amount for line in lines} for lines in (before, after))
    return {pair for pair in {*old, *new} if old.get(pair) != new.get(pair)}


def has_circle(lines: Lines) -> bool:
    """Return whether the lines form a circle: joined one by one, some line joins two already joined."""
    joined = {person: person for line in lines for person in (line.payer, line.payee)}
    for line in lines:
        one, other = joined[line.payer], joined[line.payee]
        if one == other:
            return True
        joined = {person: one if tree == other else tree for person, tree in joined.items()}
    return False


def main() -> None:
    """Print the lines changed per correction with either way to plan, and check the promises of the new one."""
    planners: dict[str, Planner] = {"before": plan_before, "after": nearest_plan}
    lines, others, more, circles = (dict.fromkeys(planners, 0) for _figure in range(4))
    corrections = 0
    for table in range(TABLES):
        for name, planner in planners.items():
            plan: Lines = ()
            for step in a_season(random.Random(table), PEOPLE[table % len(PEOPLE)]):
                old, plan = plan, planner(plan, step.nets)
                if step.is_correction:
                    pairs = changed_pairs(old, plan)
                    lines[name] += len(pairs)
                    others[name] += sum(step.involved.isdisjoint(pair) for pair in pairs)
                    corrections += name == "after"
                more[name] = max(more[name], len(plan) - len(transfers(step.nets)))
                circles[name] += has_circle(plan)
    for name in planners:
        print(
            f"      {name}: {lines[name] / corrections:.2f} lines changed a correction,"
            f" {others[name] / corrections:.2f} of them between people whom it did not concern"
        )
    say(f"fewer lines changed in {corrections} corrections", f"{lines}", met=lines["after"] < lines["before"])
    say("at most one payment more than the fewest", f"{more['after']} more", met=more["after"] <= 1)
    say("no circle", f"{circles['after']} plans with one", met=not circles["after"])
    for people, allowed in MILLISECONDS.items():
        slowest = max(seconds(people, seed) for seed in range(40))
        say(
            f"{people} people ≤ {allowed} ms",
            f"the slowest of 40 {1e3 * slowest:.1f} ms",
            met=1e3 * slowest <= allowed,
        )


def seconds(people: int, seed: int) -> float:
    """Return the CPU seconds of a new plan after a game of five among so many people."""
    chance = random.Random(seed)
    amounts = [UNIT * chance.choice([-3, -2, -1, 1, 2, 3]) for _person in range(people - 1)]
    nets = {f"p{seat}": amount for seat, amount in enumerate([*amounts, -sum(amounts)])}
    plan, now = transfers(nets), added(nets, result(chance, chance.sample(list(nets), 5)))
    started = process_time()
    nearest_plan(plan, now)
    return process_time() - started


if __name__ == "__main__":
    main()
