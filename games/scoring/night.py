"""Settling a night: what is left to pay for its games, after the payments made since it began (RULES 1.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeAlias

from .frozen import dataclass
from .ledger import Transfer, transfers
from .plan import unpaid
from .replan import nearest_plan
from .rounds import PlayerId

Nets: TypeAlias = Mapping[PlayerId, int]
Lines: TypeAlias = tuple[Transfer, ...]


@dataclass(frozen=True)
class OtherPayment:
    """A payment between two who played that was not made for this night alone.

    `nets` are the nets of the night when it was made. `may_be_older` is True if it pays older debts first.
    """

    line: Transfer
    nets: Nets
    may_be_older: bool = True


@dataclass(frozen=True)
class NightPayments:
    """The payments since a night began, oldest first.

    `whole` were made for its games: on the spot, or as ticks of the night. `others` are other payments
    between two who played, and `before` the balances when the night began. `capped` are those of whom a
    payment since was for something else, such as a debt to somebody who did not play.
    """

    whole: Sequence[Transfer] = ()
    others: Sequence[OtherPayment] = ()
    before: Nets = field(default_factory=dict)
    capped: Collection[PlayerId] = frozenset()

    @property
    def lines(self) -> list[Transfer]:
        """All payments between two who played."""
        return [*self.whole, *(other.line for other in self.others)]


@dataclass(frozen=True)
class Rest:
    """The rest of a night's nets after the payments, and the people asked for no more than their balance."""

    nets: Counter[PlayerId]
    capped: frozenset[PlayerId]


def left_of(nets: Nets, paid: NightPayments) -> Rest:
    """Return what is left of the nets after the payments.

    A payment made for the night counts in full. Another one pays older debts first, then what its two people
    owed and were owed for the night when it was made, then what they owe and are owed for it now. If
    something is left of it, both are asked for no more than their balance.
    """
    left, before, capped = Counter(nets), Counter(paid.before), set(paid.capped)
    made = Counter[PlayerId]()
    for line in paid.whole:
        _add(left, line)
        _add(made, line)
    for other in paid.others:
        amount = other.line.amount
        if other.may_be_older:
            amount -= _cover(before, other.line, amount)
        then = Counter(other.nets)
        then.update(made)
        covered = _cover(then, other.line, amount)
        for sums in (left, made):
            _add(sums, replace(other.line, amount=covered))
        amount -= covered
        covered = _cover(left, other.line, amount)
        _add(made, replace(other.line, amount=covered))
        if amount > covered:
            capped |= {other.line.payer, other.line.payee}
    return Rest(left, frozenset(capped))


def lines_tonight(nets: Nets, paid: NightPayments, balances: Nets) -> Lines:
    """Return the payments left for the night alone.

    What somebody's balance keeps from a line is planned again among the others, as it would be after these
    payments.
    """
    rest = left_of(nets, paid)
    left, owed, lines = Counter(rest.nets), Counter(balances), list[Transfer]()
    while more := _open_lines(_unpaid_lines(nets, left), owed, rest.capped):
        for line in more:
            _add(left, line)
            _add(owed, line)
        lines += more
    return tuple(lines)


def _open_lines(lines: Lines, balances: Nets, capped: Collection[PlayerId]) -> list[Transfer]:
    """Return the lines, each for what the balances of the capped people still allow."""
    debts = {person: max(0, -balances[person]) for person in capped}
    credits = {person: max(0, balances[person]) for person in capped}
    amounts = open_amounts(lines, debts, credits)
    return [replace(line, amount=amount) for line, amount in zip(lines, amounts, strict=True) if amount]


def lines_with_before(
    nets: Nets, paid: NightPayments, balances: Nets, plan: Sequence[Transfer]
) -> tuple[Lines, Lines]:
    """Return the payments left for the night and the older debts between those who played, and the others.

    The others are older debts between one who played and one who did not. `plan` is the plan of the accounts
    before the night.
    """
    before, since = Counter(balances), paid.lines
    before.subtract(nets)
    for line in since:
        _add(before, line, times=-1)
    rest = unpaid(plan, before)
    older = transfers(before) if rest is None else rest
    due = Counter(nets)
    for line in older:
        if line.payer in nets and line.payee in nets:
            _add(due, line, times=-1)
    left = Counter(due)
    for line in since:
        _add(left, line)
    absent = tuple(line for line in older if (line.payer in nets) != (line.payee in nets))
    return _unpaid_lines(due, left), absent


def open_amounts(lines: Iterable[Transfer], debts: Nets, credits: Nets) -> list[int]:
    """Return how much of each line is open if these people owe, or are owed, no more than these amounts.

    The amounts of several lines of one person are taken from the same sum, in the order of the lines.
    """
    debts_left, credits_left = dict(debts), dict(credits)
    amounts = []
    for line in lines:
        amount = min(
            line.amount,
            debts_left.get(line.payer, line.amount),
            credits_left.get(line.payee, line.amount),
        )
        for sums, person in ((debts_left, line.payer), (credits_left, line.payee)):
            if person in sums:
                sums[person] -= amount
        amounts.append(amount)
    return amounts


def _unpaid_lines(nets: Nets, left: Nets) -> Lines:
    """Return the fewest payments for these nets without those already made, or else new ones near to them."""
    lines = transfers(nets)
    rest = unpaid(lines, left)
    return nearest_plan(lines, left) if rest is None else rest


def _cover(nets: Counter[PlayerId], line: Transfer, amount: int) -> int:
    """Let the payment pay what its payer owes and its payee is owed, up to `amount`. Return what it paid."""
    covered = min(amount, max(0, -nets[line.payer]), max(0, nets[line.payee]))
    _add(nets, replace(line, amount=covered))
    return covered


def _add(nets: Counter[PlayerId], line: Transfer, *, times: int = 1) -> None:
    """Add a payment to the nets of its two people, or with times=-1 take it away."""
    nets[line.payer] += times * line.amount
    nets[line.payee] -= times * line.amount
