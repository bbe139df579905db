"""The reason why a debt is owed to this person: the entry that moved it there, and the debts that it replaced.

Netting moves debts from one pair to another, so a person may have to pay somebody who never paid anything for
them. The reason is found in the entries that name the debtor. RULES 1.3 says how entries change the debts.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise, product

from games.money.services.accounting import OwedDebt
from games.money.services.entry_history import EntryHistory, LedgerRow
from games.scoring.ledger import Transfer, transfers
from games.tables.services.roster import Ends, People


class ReasonForm(StrEnum):
    """The form of a reason.

    The debt came `THROUGH` one person whom the debtor owed and who owed the creditor, or a `CHAIN` of two.
    Joining the accounts of some people left `FEWER` payments or as many (`JOINED`). Or the debt is of one
    cause's `OWN` effect.
    """

    THROUGH = "through"
    CHAIN = "chain"
    FEWER = "fewer"
    JOINED = "joined"
    OWN = "own"


@dataclass(frozen=True)
class PayeeReason:
    """The reason why a debt is owed to its creditor. `row` is the entry; all people are slugs.

    `between` are the people of a chain. With `is_part` they explain only a part of the debt. `payments` are
    those after the entry, and `plain_payments` those without joining accounts. `people` are those whose debts
    the entry settled.
    """

    form: ReasonForm
    row: LedgerRow
    between: tuple[str, ...] = ()
    is_part: bool = False
    payments: int = 0
    plain_payments: int = 0
    people: tuple[str, ...] = ()


Reasons = Mapping[Ends, PayeeReason]


def find_all(debts: Iterable[OwedDebt], history: EntryHistory) -> Reasons:
    """Return the reasons of those of these debts that need one. `history` has the entries of all debtors."""
    explained, reasons = _ExplainedHistory(history), {}
    for debt in debts:
        reason = _Search(debt, explained).find()
        if reason is not None:
            reasons[debt.ends] = reason
    return reasons


class _ExplainedHistory:
    """The entries of a history, with what each of them and each of their causes made people owe."""

    def __init__(self, history: EntryHistory) -> None:
        self.people, self._history = history.people, history
        self._movements: dict[int, _Movement] = {}
        self._owed_alone: dict[str, Mapping[str, int]] = {}

    def entries_of_pair(self, one: str, other: str) -> list[LedgerRow]:
        """Return the entries that name both."""
        return [row for row, net in self._history.nets[one] if other in net]

    def owed_alone(self, slug: str) -> Mapping[str, int]:
        """Return what the causes of a member's balance, each settled alone, make them owe, by creditor."""
        if slug not in self._owed_alone:
            self._owed_alone[slug] = self._sum_owed_alone(slug)
        return self._owed_alone[slug]

    def _sum_owed_alone(self, slug: str) -> Mapping[str, int]:
        nets = {reason.cause: Counter[str]() for reason in self._history.causes(slug)}
        for row, net in self._history.nets[slug]:
            if row.cause in nets:
                nets[row.cause].update(net)
        owed = Counter[str]()
        for net in nets.values():
            for (payer, payee), amount in settle(net, self.people).items():
                if payer == slug:
                    owed[payee] += amount
                elif payee == slug:
                    owed[payer] -= amount
        return owed

    def movement(self, row: LedgerRow) -> _Movement:
        if row.number not in self._movements:
            self._movements[row.number] = _Movement(row, self.people)
        return self._movements[row.number]


class _Movement:
    """The debts that an entry found and left, by pairs of present members' slugs."""

    def __init__(self, row: LedgerRow, people: People) -> None:
        self.row, self._people = row, people
        named = {people.slugs[slug] for slug in row.differences}
        self.people = tuple(sorted(named, key=people.seats.__getitem__))
        self.before = _pairs(people.read_lines(json.loads(row.before)))
        self.after = _pairs(people.read_lines(json.loads(row.after)))

    @cached_property
    def entry_payments(self) -> Mapping[Ends, int]:
        """The fewest payments for what the entry moved, without the debts that it found."""
        net = Counter[str]()
        for pairs, sign in ((self.after, 1), (self.before, -1)):
            for (debtor, creditor), amount in pairs.items():
                net[debtor] -= sign * amount
                net[creditor] += sign * amount
        return settle(net, self._people)

    @cached_property
    def pairwise_debts(self) -> Counter[Ends]:
        """The debts that the entry found and its own payments, netted pair by pair."""
        both = Counter(self.before)
        both.update(self.entry_payments)
        return Counter({pair: amount for pair in both if (amount := both[pair] - both[pair[::-1]]) > 0})

    def reduction(self, debtor: str, creditor: str) -> int:
        """Return by how much joining accounts lowered this debt."""
        return self.pairwise_debts[debtor, creditor] - self.after[debtor, creditor]


def settle(net: Mapping[str, int], people: People) -> Mapping[Ends, int]:
    """Return the fewest payments that clear these amounts of present members."""
    moved = sorted((slug for slug, amount in net.items() if amount), key=people.seats.__getitem__)
    if len(moved) == 2:  # most causes are payments
        debtor, creditor = sorted(moved, key=net.__getitem__)
        return {(debtor, creditor): net[creditor]}
    return _pairs(transfers({slug: net[slug] for slug in moved}))


def _pairs(lines: Iterable[Transfer]) -> Counter[Ends]:
    return Counter({(line.payer, line.payee): line.amount for line in lines})


def _net_debt(pairs: Mapping[Ends, int], debtor: str, creditor: str) -> int:
    return pairs.get((debtor, creditor), 0) - pairs.get((creditor, debtor), 0)


class _Search:
    """The search for the reason of one debt among the entries that name its debtor."""

    def __init__(self, debt: OwedDebt, history: _ExplainedHistory) -> None:
        (self._debtor, self._creditor), self._amount = debt.ends, debt.amount
        self._history, self._shared = history, history.entries_of_pair(*debt.ends)

    def find(self) -> PayeeReason | None:
        own = self._history.owed_alone(self._debtor).get(self._creditor, 0)
        if own >= self._amount:
            return None
        steps = list(self._steps_back())
        if not steps:
            return None
        place, is_reason = steps[-1]
        if is_reason:
            return self._build_reason(self._movement(place))
        if place >= 0 or own > 0:  # an amount does not follow, or the pair has causes of its own
            return None
        raising = (place for place, _is_reason in steps[:-1] if self._values[place + 1] > self._before[place])
        first = next(raising, None)
        return None if first is None else PayeeReason(ReasonForm.OWN, self._shared[first])

    def _steps_back(self) -> Iterator[tuple[int, bool]]:
        """Yield the places of the entries back from today's debt, and whether that one is the reason.

        Yield (-1, False) last if the debt began at 0. Yield nothing if an amount does not follow from an
        earlier entry.
        """
        value, last, steps = self._amount, len(self._shared) + 1, []
        while True:
            if value not in self._values[:last]:
                return
            place = self._values.index(value) - 1
            if place < 0:
                break
            movement = self._movement(place)
            raised = self._values[place + 1] - self._before[place]
            is_reason = raised > _net_debt(movement.entry_payments, self._debtor, self._creditor)
            steps.append((place, is_reason))
            if is_reason or self._before[place] <= 0:
                if not is_reason:
                    steps.append((-1, False))
                break
            value, last = self._before[place], place + 1
        yield from steps

    def _movement(self, place: int) -> _Movement:
        return self._history.movement(self._shared[place])

    @cached_property
    def _pair_values(self) -> tuple[list[int], list[int]]:
        """The debt after each entry that names both, beginning with 0, and the debt before each of them.

        The debts of members who were merged later are carried from entry to entry.
        """
        slugs, carried = self._history.people.slugs, dict[_PairLine, int]()
        debtors, creditors = (
            [slug for slug in slugs if slugs[slug] == end] for end in (self._debtor, self._creditor)
        )
        lines = [_PairLine(*ends) for ends in product(debtors, creditors)]
        values, before = [0], []
        for row in self._shared:
            named = [line for line in lines if row.differences.keys() >= line.ends]
            rest = sum(amount for line, amount in carried.items() if line not in named)
            before.append(rest + sum(line.find_debt(row.before) for line in named))
            carried |= {line: line.find_debt(row.after) for line in named}
            values.append(sum(carried.values()))
        return values, before

    @property
    def _values(self) -> list[int]:
        return self._pair_values[0]

    @property
    def _before(self) -> list[int]:
        return self._pair_values[1]

    def _build_reason(self, movement: _Movement) -> PayeeReason:
        counts = (len(movement.after), len(movement.pairwise_debts), movement.people)
        others = [slug for slug in movement.people if slug not in (self._debtor, self._creditor)]
        reductions = {one: self._smallest_reduction(movement, one) for one in others}
        through = max(others, key=lambda one: reductions[one], default="")
        if through and reductions[through] > 0:
            is_part = reductions[through] < self._amount
            return PayeeReason(ReasonForm.THROUGH, movement.row, (through,), is_part, *counts)
        firsts = [slug for slug in others if movement.reduction(self._debtor, slug) > 0]
        seconds = [slug for slug in others if movement.reduction(slug, self._creditor) > 0]
        for between in product(firsts, seconds):
            reduction = self._smallest_reduction(movement, *between)
            if reduction > 0:  # so the two differ
                return PayeeReason(ReasonForm.CHAIN, movement.row, between, reduction < self._amount, *counts)
        form = ReasonForm.FEWER if len(movement.after) < len(movement.pairwise_debts) else ReasonForm.JOINED
        return PayeeReason(form, movement.row, (), False, *counts)

    def _smallest_reduction(self, movement: _Movement, *between: str) -> int:
        chain = (self._debtor, *between, self._creditor)
        return min(movement.reduction(*pair) for pair in pairwise(chain))


class _PairLine:
    """The line of two members' debt in stored debts, found in their text: a search reads thousands of them."""

    def __init__(self, debtor: str, creditor: str) -> None:
        self.ends = {debtor, creditor}
        self._starts = [
            (sign, json.dumps(ends)[:-1] + ", ")
            for sign, ends in ((1, (debtor, creditor)), (-1, (creditor, debtor)))
        ]

    def find_debt(self, lines: str) -> int:
        """Return what the first member owes the second in these stored debts, below 0 the reverse."""
        for sign, start in self._starts:
            place = lines.find(start)
            if place >= 0:
                amount = place + len(start)
                return sign * int(lines[amount : lines.index("]", amount)])
        return 0
