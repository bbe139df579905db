"""Who pays whom as a plan that stands: paying one line of it never changes the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.scoring.ledger import Transfer, transfers
from games.scoring.rounds import PlayerId


def kept_plan(lines: Sequence[Transfer], nets: Mapping[PlayerId, int]) -> tuple[Transfer, ...]:
    """What is still to be paid: the rest of the lines while balances moved only by paying along them, else a new plan.

    `nets` are the balances now, in seat order. A line paid in part stands with what is left of it, a line paid in
    full is gone. Lines that go round in a circle, which `transfers` never makes, give a new plan too.
    """
    left = unpaid(lines, nets)
    return transfers(nets) if left is None else left


def unpaid(lines: Sequence[Transfer], nets: Mapping[PlayerId, int]) -> tuple[Transfer, ...] | None:
    """What is left of each line, as the balances tell it; None where no payment along the lines explains them.

    Somebody with one line left has his whole balance on it; take that line away and somebody else has one left.
    """
    balance = Counter(nets)
    rest: dict[int, Transfer] = {}
    open_lines = dict(enumerate(lines))
    while open_lines:
        ends = Counter(person for line in open_lines.values() for person in (line.payer, line.payee))
        found = next(
            (item for item in open_lines.items() if 1 in (ends[item[1].payer], ends[item[1].payee])), None
        )
        if found is None:
            return None
        number, line = found
        left = -balance[line.payer] if ends[line.payer] == 1 else balance[line.payee]
        if not 0 <= left <= line.amount:
            return None
        balance[line.payer] += left
        balance[line.payee] -= left
        rest[number] = replace(line, amount=left)
        del open_lines[number]
    if any(balance.values()):
        return None
    return tuple(line for _number, line in sorted(rest.items(), key=lambda item: item[0]) if line.amount)
