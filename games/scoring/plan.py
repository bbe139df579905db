"""A stored plan of payments; paying one line of the plan never changes the other lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.scoring.ledger import Transfer, transfers
from games.scoring.rounds import PlayerId


def kept_plan(lines: Sequence[Transfer], nets: Mapping[PlayerId, int]) -> tuple[Transfer, ...]:
    """Return the payments still open.

    While balances changed only by payments along the plan, these are the unpaid rest of its lines; otherwise
    a new plan is made. `nets` are the present balances, in seat order. A line paid in part keeps the rest, a
    line paid in full disappears. Lines that form a circle also give a new plan; `transfers` never makes such
    lines.
    """
    left = unpaid(lines, nets)
    return transfers(nets) if left is None else left


def unpaid(lines: Sequence[Transfer], nets: Mapping[PlayerId, int]) -> tuple[Transfer, ...] | None:
    """Return the unpaid rest of each line; None if payments along the lines do not explain the balances.

    A person with a single line has their whole balance on that line. Once that line is removed, somebody else
    has a single line left.
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
            continue  # this line was already counted from its other person
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
