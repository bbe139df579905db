"""The accounts (cuentas) of a table: who owes whom, all balances, and a person's entries; `debts.py` writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from django.contrib.auth.models import User
from django.db.models import Max, Q, QuerySet

from games.common.locks import Stale
from games.models import CLAIMED, DISPUTED, Entry, Member, Payment, PaymentState, Table
from games.scoring.ledger import Transfer
from games.tables.people import Ends, People

Balances: TypeAlias = Mapping[str, int]


class StaleAccounts(Stale):
    """Raised if the accounts have changed since the user saw them."""


@dataclass(frozen=True)
class Owed:
    """A debt (deuda): `payer` owes `payee` the amount.

    `version` is the number of the entry that last altered it, and `since` that of its first entry. `claimed`
    is what the payer says to have paid, and nobody has answered yet; `claims` is the number of claims of this
    payer to this payee so far, answered ones included.
    """

    payer: Member
    payee: Member
    amount: int
    version: int
    since: int
    claimed: int = 0
    claims: int = 0

    @property
    def unsaid(self) -> int:
        """The amount less the payments that the payer claims and nobody has answered yet."""
        return max(0, self.amount - self.claimed)


@dataclass(frozen=True)
class Accounts:
    """Everybody's balance by slug, in the order of joining, the debts that add up to them, and waiting claims.

    The debts are ordered by debtor and then by creditor, in the order of joining; the oldest claim is first.
    """

    people: People
    balances: Balances
    to_pay: tuple[Owed, ...]
    claims: tuple[Payment, ...]


def read_accounts(table: Table, people: People | None = None) -> Accounts:
    """Return the present accounts of a table, in two queries."""
    people = people or People.of(table)
    claimed, made, waiting = Counter[Ends](), Counter[Ends](), []
    for payment in table.payments.filter(is_claim=True).order_by("recorded_at", "pk"):
        ends = people.slugs_of(payment)
        made[ends] += 1
        if payment.state is PaymentState.CLAIMED:
            claimed[ends] += payment.amount
            waiting.append(payment)
    balances = dict.fromkeys((member.slug for member in people.own), 0)
    owed = []
    for row in table.debts.exclude(amount=0):
        one, other = people.by_pk[row.one_id], people.by_pk[row.other_id]
        payer, payee = (other, one) if row.amount > 0 else (one, other)
        ends, amount = (payer.slug, payee.slug), abs(row.amount)
        owed.append(Owed(payer, payee, amount, row.version, row.since, claimed[ends], made[ends]))
        balances[payer.slug] -= amount
        balances[payee.slug] += amount
    seats = {member: place for place, member in enumerate(people.own)}
    owed.sort(key=lambda debt: (seats[debt.payer], seats[debt.payee]))
    return Accounts(people, balances, tuple(owed), tuple(waiting))


def waiting_for(user: User, table: Table, people: People, *, is_keeper: bool) -> QuerySet[Payment]:
    """Return the claims to this user and, for a keeper of the accounts, what waits and they did not pay."""
    mine = [pk for member in people.own if member.is_of(user) for pk in people.rows_of(member)]
    if is_keeper:
        return Payment.objects.filter(CLAIMED | DISPUTED, table=table).exclude(payer__in=mine)
    return Payment.objects.filter(CLAIMED, payee__in=mine)


# --- entries ----------------------------------------------------------------------------------------------------------


def newest_entry(table: Table) -> int:
    """Return the number of the table's newest entry, 0 without one: the version of its accounts."""
    return table.entries.aggregate(newest=Max("number"))["newest"] or 0


_CAUSES = ("game", "payment__payer", "payment__payee", "cost__payer", "member")


@dataclass(frozen=True)
class Moved:
    """An entry as one person's statement or one debt's *why* tells it: what it moved, and what stood after it."""

    entry: Entry
    amount: int
    balance: int


def statement_of(member: Member, people: People, *, start: int, count: int) -> tuple[list[Moved], bool]:
    """Return a page of a person's statement, newest first, and whether older entries follow.

    The page has at most `count` entries that moved the balance, after skipping the newest `start`.
    """
    slugs = [slug for slug, now in people.by_slug.items() if now == member]
    named = Q()
    for slug in slugs:
        named |= Q(differences__has_key=slug)
    entries = Entry.objects.filter(named, table=member.table_id)
    balance, moves = 0, []
    for pk, differences in entries.values_list("pk", "differences"):
        moved = sum(differences.get(slug, 0) for slug in slugs)
        balance += moved
        if moved:
            moves.append((pk, moved, balance))
    moves.reverse()
    page = moves[start : start + count]
    rows = Entry.objects.select_related(*_CAUSES).in_bulk([pk for pk, _moved, _balance in page])
    return [Moved(rows[pk], moved, balance) for pk, moved, balance in page], len(moves) > start + count


MOST_READ = 500  # entries read for the causes of a list of debts; older ones are told as one sum


def whys_of(debts: Sequence[Owed], table: Table, people: People) -> list[list[Moved]]:
    """Return for each debt its entries since its two people were last even, oldest first, in one query.

    `amount` is what an entry added to the debt (below 0: took off it), `balance` the debt after it. Of a debt
    older than the newest `MOST_READ` entries of the table, the first amount is all that stood before.
    """
    if not debts:
        return []
    since = min(debt.since for debt in debts)
    newest = table.entries.filter(number__gte=since).select_related(*_CAUSES).order_by("-number")
    entries = [(entry, people.read_lines(entry.after), _who(entry, people)) for entry in newest[:MOST_READ]]
    return [list(_why(debt, reversed(entries))) for debt in debts]


def _why(debt: Owed, entries: Iterable[tuple[Entry, Sequence[Transfer], Set[str]]]) -> Iterator[Moved]:
    ends, owed = (debt.payer.slug, debt.payee.slug), 0
    for entry, lines, who in entries:
        if entry.number >= debt.since and who >= set(ends):
            left = sum(
                line.amount if (line.payer, line.payee) == ends else -line.amount
                for line in lines
                if {line.payer, line.payee} == set(ends)
            )
            if left != owed:
                yield Moved(entry, left - owed, left)
            owed = left


def _who(entry: Entry, people: People) -> Set[str]:
    return {people.by_slug[slug].slug for slug in entry.differences}
