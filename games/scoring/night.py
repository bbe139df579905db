"""Settling a night: what is left to pay for its games, after the payments made since it began (RULES 1.3).

Nets are what each player won (+) or lost (−) in the night. Balances are what each player is owed (+) or owes
(−) over all games and payments. A line is a payment that is planned or was made; `paid` are those made since
the night began. A capped person is asked for no more than their balance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from .ledger import Transfer, transfers
from .plan import unpaid
from .replan import nearest_plan
from .rounds import PlayerId

Nets: TypeAlias = Mapping[PlayerId, int]
Lines: TypeAlias = tuple[Transfer, ...]


@dataclass(frozen=True)
class OtherPayment:
    """A payment (`line`) between two players of the night that was not made for this night alone.

    `nets` are what each player had won or lost in the night when the payment was made. If `may_be_older`, the
    payment pays debts from before the night first.
    """

    line: Transfer
    nets: Nets
    may_be_older: bool = True


@dataclass(frozen=True)
class NightPayments:
    """The payments since a night began, oldest first.

    `whole` are payments for the night's games: on the spot, or ticked off on the page that settles the night.
    `others` are all other payments between two players of the night. `before` are the balances when the night
    began. `capped` are players with a payment since then for something else, such as a debt to a person who
    did not play; they are asked for no more than their balance.
    """

    whole: Sequence[Transfer] = ()
    others: Sequence[OtherPayment] = ()
    before: Nets = field(default_factory=dict)
    capped: Collection[PlayerId] = frozenset()

    @property
    def lines(self) -> list[Transfer]:
        """All payments between two players of the night."""
        return [*self.whole, *(other.line for other in self.others)]


@dataclass(frozen=True)
class Rest:
    """The part of a night's nets that is left after the payments, and the capped people (`NightPayments`)."""

    nets: Counter[PlayerId]
    capped: frozenset[PlayerId]


def left_of(nets: Nets, paid: NightPayments) -> Rest:
    """Return what is left of the nets after the payments.

    A payment made for the night counts in full. Any other payment is used up in this order: for older debts
    (if `may_be_older`); for debts of the night as they were when it was made; for debts of the night now. It
    pays a debt only as far as its payer owes and its payee is owed. If some of the payment is left over, its
    payer and its payee become `capped`.
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
    """Return the payments that are still open for the night alone.

    A payment of a capped person is reduced to what their balance allows. Debts of the night that remain after
    the planned payments are planned again in the same way, until no further payment is allowed.
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
    """Return the lines, each reduced to what the balances of capped people allow; drop lines reduced to 0."""
    debts = {person: max(0, -balances[person]) for person in capped}
    credits = {person: max(0, balances[person]) for person in capped}
    amounts = open_amounts(lines, debts, credits)
    return [replace(line, amount=amount) for line, amount in zip(lines, amounts, strict=True) if amount]


def lines_with_before(
    nets: Nets, paid: NightPayments, balances: Nets, plan: Sequence[Transfer]
) -> tuple[Lines, Lines]:
    """Return two tuples of open payments: between players of the night, and with people who did not play.

    The first tuple settles the night together with older debts between its players. The second settles older
    debts between a player of the night and a person who did not play. `plan` is the table's plan of who pays
    whom from before the night.
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
    """Return the open amount of each line, limited by the payer's debt and the payee's credit.

    Debts and credits are amounts of 0 or more. Payers who are not in `debts` and payees who are not in
    `credits` have no limit. Several lines of one person share the limit, in the order of the lines.
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
    """Return the unpaid rest of the payments that settle `nets`; `left` are the nets after what was paid.

    If `left` cannot result from paying these lines in full or in part, return a new plan that clears `left`
    and keeps as many of these lines as possible.
    """
    lines = transfers(nets)
    rest = unpaid(lines, left)
    return nearest_plan(lines, left) if rest is None else rest


def _cover(nets: Counter[PlayerId], line: Transfer, amount: int) -> int:
    """Count up to `amount` of the payment `line` in `nets`, in place, and return the amount counted.

    It is no more than the payer owes and the payee is owed by these nets.
    """
    covered = min(amount, max(0, -nets[line.payer]), max(0, nets[line.payee]))
    _add(nets, replace(line, amount=covered))
    return covered


def _add(nets: Counter[PlayerId], line: Transfer, *, times: int = 1) -> None:
    """Count a payment in `nets`, in place: add it to the payer's net and take it from the payee's.

    With times=-1, do the reverse, as if the payment had not been made.
    """
    nets[line.payer] += times * line.amount
    nets[line.payee] -= times * line.amount
