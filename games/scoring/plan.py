"""A stored plan of payments; paying one line of the plan never changes the other lines.

A line is one payment of the plan. Lines explain people's balances if some unpaid rests of the lines, each
from 0 to the line's whole amount, add up to exactly these balances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from .ledger import Transfer
from .replan import nearest_plan
from .rounds import PlayerId


def kept_plan(lines: Sequence[Transfer], nets: Mapping[PlayerId, int]) -> tuple[Transfer, ...]:
    """Return the payments of the plan `lines` that are still open, by the present balances `nets`.

    If `lines` explain `nets`, return the unpaid rest of each line, without lines paid in full. Otherwise
    return a new plan by `nearest_plan`, which keeps as many of the lines as it can (RULES 1.3). Return a new
    plan too if lines form a circle, such as A to B, B to C and C to A. `nets` are in seat order.
    """
    left = unpaid(lines, nets)
    return nearest_plan(lines, nets) if left is None else left


def unpaid(lines: Sequence[Transfer], nets: Mapping[PlayerId, int]) -> tuple[Transfer, ...] | None:
    """Return the unpaid rest of each line, without lines paid in full.

    Return None if the lines do not explain the balances `nets`, or if they form a circle.

    The lines are solved one by one: a person with a single line has their whole balance on that line. Once it
    is solved and removed, somebody else has a single line left.
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


def explains(lines: Sequence[Transfer], nets: Mapping[PlayerId, int]) -> bool:
    """Return whether these lines explain the balances `nets`, either as they are or combined by `netted`.

    After a merge of two members, lines may explain the balances only when they are combined.
    """
    as_stored = tuple(Transfer(*ends, amount) for ends, amount in summed(lines).items())
    return unpaid(as_stored, nets) is not None or unpaid(netted(lines), nets) is not None


def netted(lines: Iterable[Transfer]) -> tuple[Transfer, ...]:
    """Return these lines with one line at most between two people, and nobody who both pays and is paid.

    A merge of two members can make the payer of one line the payee of another. Those who pay this person then
    pay the person's payees directly, in the order of the lines. Nobody's balance and no other line changes.
    """
    amounts = summed(lines)
    payees = {payee for _payer, payee in amounts}
    for middle in dict.fromkeys(payer for payer, _payee in amounts if payer in payees):
        _pass_on(amounts, middle)
    return tuple(
        Transfer(payer, payee, amount)
        for (payer, payee), amount in amounts.items()
        if amount and payer != payee
    )


def summed(lines: Iterable[Transfer]) -> Counter[tuple[PlayerId, PlayerId]]:
    """Return the sum of all lines with the same payer and payee, by (payer, payee).

    Lines from a person to themselves are left out.
    """
    amounts: Counter[tuple[PlayerId, PlayerId]] = Counter()
    for line in lines:
        if line.payer != line.payee:
            amounts[line.payer, line.payee] += line.amount
    return amounts


def _pass_on(amounts: Counter[tuple[PlayerId, PlayerId]], middle: PlayerId) -> None:
    """Let people who pay the person `middle` pay that person's payees directly instead, as far as possible.

    `amounts` is changed in place, without any change of a balance.
    """
    for payer in [payer for payer, payee in amounts if payee == middle]:
        for payee in [payee for other, payee in amounts if other == middle]:
            direct = min(amounts[payer, middle], amounts[middle, payee])
            if direct:
                amounts[payer, middle] -= direct
                amounts[middle, payee] -= direct
                amounts[payer, payee] += direct
