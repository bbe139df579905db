"""A second implementation of the causes of a balance and of why a debt has its payee: slow, plain, and all of it decoded.

An entry is read as often as it is asked for, and nothing is skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations
from typing import Any

from games.models import Entry
from games.money.services import entry_rows
from games.money.services.balance_causes import CauseId
from games.money.services.payee_reasons import ReasonForm
from games.scoring.ledger import Transfer, transfers
from games.tables.services.roster import People

Reason = tuple[ReasonForm, int, tuple[str, ...], bool, int, int, tuple[str, ...]]
Pairs = dict[tuple[str, str], int]
Effect = tuple[int, CauseId, int]  # the number of an entry, its cause, and what it moved for one person


class ReasonOracle:
    """The causes and reasons that the entries of a table give the balances and debts of its present people."""

    def __init__(self, entries: Sequence[Entry], people: People) -> None:
        self.entries, self.people = entries, people
        self.order = [member.slug for member in people.members]
        self.nets = {entry.number: self._net(entry) for entry in entries}

    # --- a balance ----------------------------------------------------------------------------------------------------

    def causes(self, slug: str) -> dict[CauseId, int]:
        """Return what each cause moved since the person was last even."""
        effects = [
            (entry.number, cause, amount)
            for entry in self.entries
            if (cause := entry_rows.entry_cause(entry)) and (amount := self.nets[entry.number][slug])
        ]
        of_causes = {cause for _number, cause, _amount in effects}
        left = sorted(
            one for cause in of_causes for one in surviving([one for one in effects if one[1] == cause])
        )
        even = [place for place in range(len(left) + 1) if sum(amount for *_, amount in left[:place]) == 0]
        sums = Counter[CauseId]()
        for _number, cause, amount in left[even[-1] :]:
            sums[cause] += amount
        return dict(sums)

    def _net(self, entry: Entry) -> Counter[str]:
        net = Counter[str]()
        for slug, amount in entry.differences.items():
            net[self.people.slugs[slug]] += amount
        return net

    # --- a debt -------------------------------------------------------------------------------------------------------

    def explain(self, debtor: str, creditor: str, amount: int) -> Reason | None:
        """Return why a debt of this amount has its payee, None if its debtor's own causes make it."""
        own = self.owed_alone(debtor, creditor)
        if own >= amount:
            return None
        shared = [entry for entry in self.entries if {debtor, creditor} <= {*self.nets[entry.number]}]
        values, before = self.values(shared, debtor, creditor)
        value, last, way = amount, len(values), list[int]()
        while True:
            places = [place for place in range(last) if values[place] == value]
            if not places:
                return None
            last = places[0]
            entry = shared[last - 1]
            found, left = self.pairs(entry.before), self.pairs(entry.after)
            alone = self.settle(self.balances(left), self.balances(found))
            if values[last] - before[last - 1] > net_debt(alone, debtor, creditor):
                return self.describe(entry, debtor, creditor, amount, alone)
            way.append(last - 1)
            value = before[last - 1]
            if value <= 0:
                break
        raised = [place for place in way if values[place + 1] > before[place]]
        if own > 0 or not raised:
            return None
        return ReasonForm.OWN, shared[raised[0]].number, (), False, 0, 0, ()

    def owed_alone(self, debtor: str, creditor: str) -> int:
        owed = 0
        named = [entry for entry in self.entries if debtor in self.nets[entry.number]]
        for cause in self.causes(debtor):
            moved = Counter[str]()
            for entry in named:
                if entry_rows.entry_cause(entry) == cause:
                    moved.update(self.nets[entry.number])
            owed += net_debt(self.settle(moved), debtor, creditor)
        return owed

    def values(self, shared: Iterable[Entry], debtor: str, creditor: str) -> tuple[list[int], list[int]]:
        """Return the pair's debt after each of these entries, beginning with 0, and before each of them."""
        debts, values, before = dict[tuple[str, str], int](), [0], list[int]()
        for entry in shared:
            pairs = [
                (one, other)
                for one, other in permutations(entry.differences, 2)
                if (self.people.slugs[one], self.people.slugs[other]) == (debtor, creditor)
            ]
            found = debts | {pair: line_debt(entry.before, pair) for pair in pairs}
            debts |= {pair: line_debt(entry.after, pair) for pair in pairs}
            before.append(sum(found.values()))
            values.append(sum(debts.values()))
        return values, before

    def describe(self, entry: Entry, debtor: str, creditor: str, amount: int, alone: Pairs) -> Reason:
        found, left = self.pairs(entry.before), self.pairs(entry.after)
        plain = {
            (one, other): debt
            for one, other in permutations(self.order, 2)
            if (debt := net_debt(found, one, other) + net_debt(alone, one, other)) > 0
        }

        def fall(*chain: str) -> int:
            return min(plain.get(pair, 0) - left.get(pair, 0) for pair in pairwise(chain))

        named = {self.people.slugs[slug] for slug in entry.differences}
        people = tuple(slug for slug in self.order if slug in named)
        others = [slug for slug in people if slug not in (debtor, creditor)]
        counts = (len(left), len(plain), people)
        falls = {one: fall(debtor, one, creditor) for one in others}
        best = max(falls.values(), default=0)
        if best > 0:
            one = next(one for one in others if falls[one] == best)
            return ReasonForm.THROUGH, entry.number, (one,), best < amount, *counts
        for pair in permutations(others, 2):
            if fall(debtor, *pair, creditor) > 0:
                return (
                    ReasonForm.CHAIN,
                    entry.number,
                    pair,
                    fall(debtor, *pair, creditor) < amount,
                    *counts,
                )
        form = ReasonForm.FEWER if len(left) < len(plain) else ReasonForm.JOINED
        return form, entry.number, (), False, *counts

    # --- amounts ------------------------------------------------------------------------------------------------------

    def pairs(self, lines: Iterable[Sequence[Any]]) -> Pairs:
        """Return what each owes another by these stored debts, with the debts of merged people added up."""
        debts = Counter[tuple[str, str]]()
        for debtor, creditor, amount in lines:
            debts[self.people.slugs[debtor], self.people.slugs[creditor]] += amount
        return {
            (one, other): debt
            for one, other in permutations(self.order, 2)
            if (debt := debts[one, other] - debts[other, one]) > 0
        }

    def balances(self, pairs: Pairs) -> Counter[str]:
        balances = Counter[str]()
        for (debtor, creditor), amount in pairs.items():
            balances[debtor] -= amount
            balances[creditor] += amount
        return balances

    def settle(self, net: Counter[str], less: Counter[str] | None = None) -> Pairs:
        moved = {slug: net[slug] - (less[slug] if less else 0) for slug in self.order}
        payments: Iterable[Transfer] = transfers({slug: amount for slug, amount in moved.items() if amount})
        return {(payment.payer, payment.payee): payment.amount for payment in payments}


def surviving(effects: list[Effect]) -> list[Effect]:
    """Return the effects of one cause that make up its amount, without those that later ones took back."""
    sums = [sum(amount for *_, amount in effects[:count]) for count in range(len(effects) + 1)]
    shortest = sums.index(sums[-1])
    return [*surviving(effects[: shortest - 1]), effects[shortest - 1]] if shortest else []


def net_debt(pairs: Pairs, debtor: str, creditor: str) -> int:
    return pairs.get((debtor, creditor), 0) - pairs.get((creditor, debtor), 0)


def line_debt(lines: Iterable[Sequence[Any]], pair: tuple[str, str]) -> int:
    """Return what the first of two stored people owes the second."""
    debts = {(debtor, creditor): amount for debtor, creditor, amount in lines}
    return net_debt(debts, *pair)
