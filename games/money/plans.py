"""The stored plan of payments: who pays whom how much.

A payment along one of its lines leaves the plan stored; any other change of a balance replaces the plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TypeAlias

from games.models import Table
from games.money.balances import Balances, People, balances_of, standing_lines
from games.scoring.ledger import Transfer, least_payments, transfers
from games.scoring.plan import unpaid
from games.scoring.replan import nearest_plan

REMEMBERED = (
    8  # earlier plans of which one may return: undoing a change restores the plan before it (RULES 1.3)
)

Lines: TypeAlias = Sequence[Transfer]


@contextmanager
def replanned(
    table: Table,
    *,
    at: datetime,
    is_payment: bool = False,
    is_merge: bool = False,
    people: People | None = None,
) -> Iterator[None]:
    """Store the new plan of payments after the `with` block has changed balances.

    With `is_payment`, the plan stays if the change only pays lines of it. With `is_merge`, two members become
    one in the block, or one is two again. The caller holds the table's lock. Pass `people` if the members
    were read already.
    """
    people = people or People.of(table)
    base, before, is_stored = standing_lines(table.plans.first(), people, balances_of(table, people))
    yield
    if is_merge:
        people = People.of(table)
        base = people.read_lines(_written(base))
    balances = balances_of(table, people)
    rest = unpaid(base, balances)
    if rest == before:
        return
    if is_payment and rest is not None:
        if is_stored:
            return
        after = base
    else:
        after = _next_lines(table, people, people.read_lines(_written(before)), balances)
    table.plans.create(lines=_written(after), made_at=at)


def plan_if(table: Table, people: People, others: People) -> tuple[Lines, Lines]:
    """Return the unpaid lines of the plan now, and those after a merge that is only previewed.

    `people` are the members now, `others` the members after that merge.
    """
    base, before, _is_stored = standing_lines(table.plans.first(), people, balances_of(table, people))
    balances = balances_of(table, others)
    if unpaid(others.read_lines(_written(base)), balances) == before:
        return before, before
    return before, _next_lines(table, others, others.read_lines(_written(before)), balances)


def _next_lines(table: Table, people: People, before: Lines, balances: Balances) -> Lines:
    """Return the lines of the next plan, which differ little from the present lines, `before` (RULES 1.3).

    If an earlier plan fits these balances, because a change was undone, return the unpaid lines of that plan.
    """
    for plan in table.plans.all()[1 : REMEMBERED + 1]:
        rest = unpaid(people.read_lines(plan.lines), balances)
        if rest is not None and _is_short(rest, balances):
            return rest
    return nearest_plan(before, balances)


def _is_short(lines: Lines, balances: Balances) -> bool:
    """Return whether these lines are few enough for a plan.

    They are if there is at most one more than the balances need at least, or than a new plan would have.
    """
    return len(lines) <= least_payments(balances) + 1 or len(lines) <= len(transfers(balances)) + 1


def _written(lines: Lines) -> list[list[str | int]]:
    return [[line.payer, line.payee, line.amount] for line in lines]
