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
    ends: Counter[PlayerId] = Counter()
    of_person: dict[PlayerId, list[int]] = {}
    for number, line in enumerate(lines):
        for person in (line.payer, line.payee):
            ends[person] += 1
            of_person.setdefault(person, []).append(number)
    rest: dict[int, Transfer] = {}
    at_end = [person for person, count in ends.items() if count == 1]
    while at_end:
        person = at_end.pop()
        if ends[person] != 1:
            continue  # the line was at the other's end too, and is counted
        number = next(number for number in of_person[person] if number not in rest)
        line = lines[number]
        left = -balance[person] if person == line.payer else balance[person]
        if not 0 <= left <= line.amount:
            return None
        balance[line.payer] += left
        balance[line.payee] -= left
        rest[number] = replace(line, amount=left)
        for other in (line.payer, line.payee):
            ends[other] -= 1
            if ends[other] == 1:
                at_end.append(other)
    if len(rest) < len(lines) or any(balance.values()):
        return None
    return tuple(line for _number, line in sorted(rest.items(), key=lambda item: item[0]) if line.amount)
