"""The proof of a ledger: entries against what moves money, and debts against the entries (RULES 1.3).

`check_books` proves the stored ledger of a table by it, and an import the ledger in a file.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from games.models import Debt, Entry, EntryKind

Cause: TypeAlias = tuple[str, int]  # game, payment or cost, and its id or its position
Moved: TypeAlias = Mapping[Cause, Counter[str]]


@dataclass(frozen=True)
class Left:
    """A debt that the entries left: `version` is the entry that last altered it, `since` its first one."""

    debtor: str
    creditor: str
    amount: int
    version: int
    since: int

    @classmethod
    def of(cls, debt: Debt, one: str, other: str) -> Left:
        """Return a stored debt in this form. `one` and `other` are the slugs of its two members."""
        debtor, creditor = (other, one) if debt.amount > 0 else (one, other)
        return cls(debtor, creditor, abs(debt.amount), debt.version, debt.since)


def fold(entries: Iterable[Entry]) -> set[Left]:
    """Return the debts to which the entries lead, one entry after the other."""
    owed: dict[str, dict[str, Left]] = defaultdict(dict)  # by each of its two people, and the other one
    for entry in entries:
        people, is_anew = set(entry.differences), entry.kind == EntryKind.REPAIRED
        was = {
            frozenset((one, other)): owed[one].pop(other)
            for one in people
            for other in [other for other in owed[one] if other in people]
        }
        for debtor, creditor, amount in entry.after:
            old = None if is_anew else was.get(frozenset((debtor, creditor)))
            since = entry.number if old is None else old.since
            is_same = old is not None and (old.debtor, old.amount) == (debtor, amount)
            version = old.version if is_same and old is not None else entry.number
            owed[debtor][creditor] = owed[creditor][debtor] = Left(debtor, creditor, amount, version, since)
    return {debt for debts in owed.values() for debt in debts.values()}


def owed_to(debts: Iterable[Left]) -> Counter[str]:
    """Return everybody's balance, to which these debts add up."""
    balances = Counter[str]()
    for debt in debts:
        balances[debt.debtor] -= debt.amount
        balances[debt.creditor] += debt.amount
    return balances


def entered(
    entries: Iterable[Entry], now: Mapping[str, str], cause_of: Callable[[Entry], Cause | None]
) -> tuple[Moved, Counter[str]]:
    """Return what the entries of each cause moved, and everybody's balance from all entries.

    `now` has the slug of the person that each member is now.
    """
    moved: dict[Cause, Counter[str]] = defaultdict(Counter)
    balances = Counter[str]()
    for entry in entries:
        cause = cause_of(entry)
        for slug, amount in entry.differences.items():
            balances[now[slug]] += amount
            if cause is not None:
                moved[cause][now[slug]] += amount
    return moved, balances


def unlike(moved: Moved, entered: Moved) -> list[Cause]:
    """Return the causes of which the entries say something else than they move."""
    nothing = Counter[str]()
    return [
        cause
        for cause in dict.fromkeys((*moved, *entered))
        if not same(moved.get(cause, nothing), entered.get(cause, nothing))
    ]


def same(one: Counter[str], other: Counter[str]) -> bool:
    """Return whether both say the same of everybody; who is not named has 0."""
    return all(one[slug] == other[slug] for slug in {*one, *other})


def as_now(nets: Mapping[str, int], now: Mapping[str, str]) -> Counter[str]:
    """Return the nets by the slugs of the people that the members are now."""
    by_person = Counter[str]()
    for slug, net in nets.items():
        by_person[now[slug]] += net
    return by_person
