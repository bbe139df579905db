"""The reason why a debt is owed to this person: the entry that moved it there, and the debts that it replaced.

Netting moves debts from one pair to another, so a person may have to pay somebody who never paid anything for
them. The reason is found in the entries that name the debtor. RULES 1.3 says how entries change the debts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise, permutations
from typing import Any

from games.money.services import balance_causes
from games.money.services.accounting import OwedDebt
from games.money.services.balance_causes import CauseId, EntryEffect
from games.money.services.statements import LedgerRow
from games.scoring.debts import amount_between
from games.scoring.ledger import Transfer, transfers
from games.tables.services import roster
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


def find_all(debts: Iterable[OwedDebt], rows: Sequence[LedgerRow], people: People) -> Reasons:
    """Return the reasons of those of these debts that need one. `rows` are the entries of all debtors."""
    entries, reasons = _Entries(rows, people), {}
    for debt in debts:
        reason = _Search(debt, entries).find()
        if reason is not None:
            reasons[debt.payer.slug, debt.payee.slug] = reason
    return reasons


class _Entries:
    """The entries by the present members whom they name, and what they mean for each of them."""

    def __init__(self, rows: Sequence[LedgerRow], people: People) -> None:
        self.people, self.order = people, [member.slug for member in people.members]
        self._causes: dict[str, frozenset[CauseId]] = {}
        self._movements: dict[int, _Movement] = {}
        self._nets = defaultdict[str, list[tuple[LedgerRow, Counter[str]]]](list)
        for row in rows:
            net = roster.sum_by_current_member(row.differences, people.slugs)
            for slug in net:
                self._nets[slug].append((row, net))

    def of_pair(self, one: str, other: str) -> list[LedgerRow]:
        """Return the entries that name both."""
        return [row for row, net in self._nets[one] if other in net]

    def nets_by_cause(self, slug: str, causes: Collection[CauseId | None]) -> Mapping[CauseId, Counter[str]]:
        """Return what these causes moved in all, by cause and member, in the entries that name this one."""
        nets = defaultdict[CauseId, Counter[str]](Counter)
        for row, net in self._nets[slug]:
            if row.cause is not None and row.cause in causes:
                nets[row.cause].update(net)
        return nets

    def causes(self, slug: str) -> frozenset[CauseId]:
        """Return the causes of a member's balance."""
        if slug not in self._causes:
            effects = [
                EntryEffect(row.number, row.cause, row.night, net[slug], row.part)
                for row, net in self._nets[slug]
                if net[slug] and row.cause is not None
            ]
            self._causes[slug] = frozenset(reason.cause for reason in balance_causes.compute(effects))
        return self._causes[slug]

    def movement(self, row: LedgerRow) -> _Movement:
        if row.number not in self._movements:
            self._movements[row.number] = _Movement(row, self.people, self.order)
        return self._movements[row.number]


class _Movement:
    """The debts that an entry found and left, by pairs of present members' slugs."""

    def __init__(self, row: LedgerRow, people: People, order: Sequence[str]) -> None:
        self.row, self._order = row, order
        self.people = tuple(
            slug for slug in order if slug in {people.slugs[other] for other in row.differences}
        )
        self.before = _pairs(people.read_lines(row.before))
        self.after = _pairs(people.read_lines(row.after))

    @cached_property
    def entry_payments(self) -> Counter[Ends]:
        """The fewest payments for what the entry moved, without the debts that it found."""
        net = Counter[str]()
        for pairs, sign in ((self.after, 1), (self.before, -1)):
            for (debtor, creditor), amount in pairs.items():
                net[debtor] -= sign * amount
                net[creditor] += sign * amount
        return settle(net, self._order)

    @cached_property
    def pairwise_debts(self) -> Counter[Ends]:
        """The debts that the entry found and its own payments, netted pair by pair."""
        both = Counter(self.before)
        both.update(self.entry_payments)
        return Counter({pair: amount for pair in both if (amount := both[pair] - both[pair[::-1]]) > 0})

    def reduction(self, debtor: str, creditor: str) -> int:
        """Return by how much joining accounts lowered this debt."""
        return self.pairwise_debts[debtor, creditor] - self.after[debtor, creditor]


def settle(net: Mapping[str, int], order: Sequence[str]) -> Counter[Ends]:
    """Return the fewest payments that clear these amounts."""
    ordered = {slug: net[slug] for slug in order if net.get(slug)}
    return _pairs(transfers(ordered))


def _pairs(lines: Iterable[Transfer]) -> Counter[Ends]:
    return Counter({(line.payer, line.payee): line.amount for line in lines})


def _net_debt(pairs: Mapping[Ends, int], debtor: str, creditor: str) -> int:
    return pairs.get((debtor, creditor), 0) - pairs.get((creditor, debtor), 0)


class _Search:
    """The search for the reason of one debt among the entries that name its debtor."""

    def __init__(self, debt: OwedDebt, entries: _Entries) -> None:
        self._debtor, self._creditor, self._amount = debt.payer.slug, debt.payee.slug, debt.amount
        self._entries, self._shared = entries, entries.of_pair(self._debtor, self._creditor)

    def find(self) -> PayeeReason | None:
        own = self._sum_causes()
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

    def _sum_causes(self) -> int:
        """Return what the causes of the debtor's balance, each settled alone, make the debtor owe."""
        causes = self._entries.causes(self._debtor) & {row.cause for row in self._shared}
        nets = self._entries.nets_by_cause(self._debtor, causes).values()
        shared = (net for net in nets if net[self._debtor] and net[self._creditor])
        order = self._entries.order
        return sum(_net_debt(settle(net, order), self._debtor, self._creditor) for net in shared)

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
        return self._entries.movement(self._shared[place])

    @cached_property
    def _pair_values(self) -> tuple[list[int], list[int]]:
        """The debt after each entry that names both, beginning with 0, and the debt before each of them.

        The debts of members who were merged later are carried from entry to entry.
        """
        slugs, carried = self._entries.people.slugs, dict[Ends, int]()
        values, before = [0], []
        for row in self._shared:
            named = {
                (slug, other)
                for slug in row.differences
                for other in row.differences
                if (slugs[slug], slugs[other]) == (self._debtor, self._creditor)
            }
            rest = sum(amount for pair, amount in carried.items() if pair not in named)
            before.append(rest + sum(_line_value(row.before, pair) for pair in named))
            carried |= {pair: _line_value(row.after, pair) for pair in named}
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
        for between in permutations(others, 2):
            reduction = self._smallest_reduction(movement, *between)
            if reduction > 0:
                return PayeeReason(ReasonForm.CHAIN, movement.row, between, reduction < self._amount, *counts)
        form = ReasonForm.FEWER if len(movement.after) < len(movement.pairwise_debts) else ReasonForm.JOINED
        return PayeeReason(form, movement.row, (), False, *counts)

    def _smallest_reduction(self, movement: _Movement, *between: str) -> int:
        chain = (self._debtor, *between, self._creditor)
        return min(movement.reduction(*pair) for pair in pairwise(chain))


def _line_value(lines: Iterable[Sequence[Any]], pair: Ends) -> int:
    """Return what the first of two stored slugs owes the second in these stored debts."""
    debtor, creditor = pair
    return amount_between(creditor, debtor, [Transfer(*line) for line in lines])
