"""A new plan of payments that keeps as many lines of the plan before it as possible (RULES 1.3).

A line is one payment of a plan; it joins its payer and its payee. People joined by lines are a tree, unless
the lines form a circle, which leads from somebody over different lines back to them.

`nets` are balances: what each person is owed (+) or owes (−). `steps` is the budget of a search.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from .ledger import Transfer, transfers, within_groups
from .rounds import PlayerId
from .zero_sums import Steps, TooManySteps, divide_beside

EXACT_UP_TO: Final = 8  # people with a balance; above, the search is limited by steps
# The most steps of the search: one for each person and line of a set of lines tried, and one for each subset
# of the balances that the set leaves open.
TRIED: Final = 40_000

Nets: TypeAlias = Mapping[PlayerId, int]
Lines: TypeAlias = tuple[Transfer, ...]


def nearest_plan(lines: Sequence[Transfer], nets: Nets) -> Lines:
    """Return the plan for the balances `nets` that keeps the most of the old `lines`.

    It has no circle and at most one payment more than the fewest. The kept lines come first. `nets` are in
    seat order. For more than 8 people with a balance the search is limited, and may keep fewer lines.
    """
    fewest = transfers(nets)
    seats = {person: seat for seat, person in enumerate(nets)}
    old = sorted(
        (line for line in lines if _fits(line, nets)), key=lambda line: (seats[line.payer], seats[line.payee])
    )
    standing: Lines = ()
    if sum(map(bool, nets.values())) > EXACT_UP_TO:
        standing = _standing(old, nets)
        stands = set(standing)
        old = [line for line in old if line not in stands]
    left = {person: amount for person, amount in _after(nets, standing).items() if amount}
    steps = Steps(TRIED if len(left) > EXACT_UP_TO else None)
    rest = _nearest(old, left, most=len(fewest) + 1 - len(standing), steps=steps)
    plan = (*standing, *(transfers(left) if rest is None else rest))
    return plan if len(plan) <= len(fewest) + 1 else fewest


def _standing(old: Sequence[Transfer], nets: Nets) -> Lines:
    """Return the old lines that can stay: those of each tree whose lines clear the balances of its people.

    Return no lines at all if some of the old lines form a circle.
    """
    trees = _trees(old)
    if trees is None:
        return ()
    changed = {trees.get(person) for person, amount in _after(nets, old).items() if amount}
    return tuple(line for line in old if trees[line.payer] not in changed)


def _fits(line: Transfer, nets: Nets) -> bool:
    """Return whether the payer owes at least the amount of this line, and the payee is owed at least that."""
    return 0 < line.amount <= min(-nets.get(line.payer, 0), nets.get(line.payee, 0))


def _nearest(old: Sequence[Transfer], nets: Nets, *, most: int, steps: Steps) -> Lines | None:
    """Return the plan of at most `most` payments that keeps the most old lines; None if no plan was found.

    Of several such plans, one with the fewest payments is returned, and of these the one that keeps the
    earliest lines of `old`. Once `steps` run out, the best plan found so far is returned.
    """
    best: Lines | None = None
    try:
        for size in range(min(len(old), most), 0, -1):
            for kept in combinations(old, size):
                plan = _completed(kept, nets, most=most, steps=steps)
                if plan is not None:
                    best, most = plan, len(plan) - 1
            if best is not None:
                break
    except TooManySteps:
        pass
    return best


def _completed(kept: Lines, nets: Nets, *, most: int, steps: Steps) -> Lines | None:
    """Return a plan of the `kept` lines and the fewest further payments that make no circle with them.

    Return None if the kept lines form a circle or exceed a balance, or if the plan has more than `most`
    payments. Raise TooManySteps if `steps` run out.
    """
    steps.take(len(nets) + len(kept))
    left = _after(nets, kept)
    owing = [(person, amount) for person, amount in left.items() if amount]
    fewest_groups = len(kept) + len(owing) - most
    if fewest_groups > len(owing) // 2 or any(amount * nets[person] < 0 for person, amount in owing):
        return None
    trees = _trees(kept)
    if trees is None:
        return None
    groups = divide_beside(
        [amount for _person, amount in owing],
        [trees.get(person, person) for person, _amount in owing],
        at_least=fewest_groups,
        steps=steps,
    )
    return None if groups is None else (*kept, *within_groups(owing, groups))


def _after(nets: Nets, paid: Sequence[Transfer]) -> dict[PlayerId, int]:
    """Return the balances after these payments."""
    left = dict(nets)
    for line in paid:
        left[line.payer] += line.amount
        left[line.payee] -= line.amount
    return left


def _trees(lines: Sequence[Transfer]) -> dict[PlayerId, PlayerId] | None:
    """Return a mapping from each person to their tree, which is named by the id of one of its people.

    Return None if the lines form a circle.
    """
    joined_to: dict[PlayerId, PlayerId] = {}

    def tree_of(person: PlayerId) -> PlayerId:
        while person in joined_to:
            person = joined_to[person]
        return person

    for line in lines:
        tree, other = tree_of(line.payer), tree_of(line.payee)
        if tree == other:
            return None
        joined_to[tree] = other
    return {person: tree_of(person) for line in lines for person in (line.payer, line.payee)}
